from benchmarks.crash import all_wrong, in_markdown
from tests.crash.figures import Figures

KILLED = Figures(
    times=100,
    acknowledged=3125,
    unanswered=412,
    arrived=37,
    kept_drafts=655,
    restarts=[1.24, 1.76, 9.0],
)


def test_a_row_tells_what_was_lost_and_how_long_a_start_takes() -> None:
    table = in_markdown({"kill -9": KILLED}).splitlines()
    assert table[0].count("|") == table[1].count("|") == table[2].count("|")
    assert table[2] == "| kill -9 | 100 | 3,125 | 0 | 0 | 655 | 412 | 37 | 1.8 (9.0) |"


def test_what_cannot_be_told_is_a_dash() -> None:
    stopped = Figures(times=0)
    assert in_markdown({"stop": stopped}).splitlines()[2].endswith("| 0 | – | – |")


def test_whatever_is_wrong_is_told_with_where_it_happened() -> None:
    lossy = Figures(times=1, lost=1, wrong=[{"lost": ["a judgment"]}])
    assert all_wrong({"kill -9": KILLED}) == []
    assert all_wrong({"kill -9": KILLED, "stop": lossy}) == ["WRONG, stop: {'lost': ['a judgment']}"]
