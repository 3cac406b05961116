import json
from io import StringIO
from pathlib import Path

from django.core.management import call_command
from django.core.management.base import CommandError

import pytest

from tests.metrics.degenerate_campaigns import SHAPES, degenerate
from tests.metrics.side_by_side import side_by_side

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("over_pairs", *arguments, stdout=out)
    return out.getvalue()


def test_systems_are_ordered_by_how_many_are_above_them(tmp_path: Path) -> None:
    """Heron is first twice; the human is second of three, and of two; kestrel took part once, and came last."""
    side_by_side(tmp_path, "German")
    side_by_side(tmp_path, "Czech", systems=("heron", "human"))
    result = json.loads(run("German", "czech", "--json"))
    assert [(one["system"], one["pairs"]) for one in result["systems"]] == [("heron", 2), ("human", 2), ("kestrel", 1)]
    places = [one["over_pairs"] for one in result["systems"]]
    assert places == pytest.approx([0, (1 / 3 + 1 / 2) / 2 * 3, 2 / 3 * 3])
    assert [one["campaign"] for one in result["campaigns"]] == ["german", "czech"]
    assert all("recipe:wmt26|" in one["signature"] for one in result["campaigns"])


def test_the_filter_decides_whose_scores_count(tmp_path: Path) -> None:
    side_by_side(tmp_path, "German")
    kept = json.loads(run("German", "--json", "--lowest-fit", "0"))
    assert "lowest-fit:0.0|" in kept["campaigns"][0]["signature"]


def test_as_text_it_is_a_table(tmp_path: Path) -> None:
    side_by_side(tmp_path, "German")
    assert run("German").split() == [
        "system", "pairs", "over_pairs", "heron", "1", "0.000", "human", "1", "1.000", "kestrel", "1", "2.000"
    ]  # fmt: skip


def test_all_problems_are_named_at_once(tmp_path: Path) -> None:
    degenerate("ranking", SHAPES["one annotator"], tmp_path, name="Ranked")
    side_by_side(tmp_path, "German")
    with pytest.raises(CommandError, match=r"“Nowhere”.*\n.*“Elsewhere”"):
        run("Nowhere", "German", "Elsewhere")
    with pytest.raises(CommandError, match=r"Ranked: .*compares scores.*\n.*twice"):
        run("Ranked", "German", "German")


def test_a_campaign_without_scores_is_named(tmp_path: Path) -> None:
    degenerate("direct_assessment", SHAPES["nothing but practice"], tmp_path, name="Empty")
    with pytest.raises(CommandError, match="No scores that count in: Empty"):
        run("Empty")
