import pytest

from benchmarks._judging.contestant import BenchmarkFailed
from benchmarks._judging.rounds import take_turns
from tests.benchmarks.in_memory import PLAN, InMemory


def test_everybody_is_measured_in_every_round_at_each_size_with_each_crowd() -> None:
    ours, peer = InMemory("Ours"), InMemory("Peer", is_ours=False)
    outcome = take_turns([ours, peer], PLAN)
    assert ours.turns == peer.turns == [(0, 1), (0, 3), (20, 1), (20, 3)] * 3
    assert {cell: len(measured) for cell, measured in outcome.measured.items()} == {
        (name, stored, annotators): 3 for name in ("Ours", "Peer") for stored in (0, 20) for annotators in (1, 3)
    }
    assert outcome.versions == {"Ours": "none", "Peer": "none"}


@pytest.mark.parametrize(
    "peer", [InMemory("Peer", is_ours=False, is_able=False), InMemory("Peer", is_ours=False, losing="2 5")]
)
def test_a_peer_that_fails_is_left_out_with_all_it_did(peer: InMemory, capsys: pytest.CaptureFixture[str]) -> None:
    outcome = take_turns([InMemory("Ours"), peer], PLAN)
    assert {cell.contestant for cell in outcome.measured} == {"Ours"}
    assert (outcome.left_out, list(outcome.versions)) == ({"Peer"}, ["Ours"])
    assert "Peer is left out: " in capsys.readouterr().err


def test_where_ours_fails_the_benchmark_does() -> None:
    with pytest.raises(BenchmarkFailed, match="are lost"):
        take_turns([InMemory("Ours", losing="0 3")], PLAN)
