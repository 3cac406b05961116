"""The same answers on both pages, as a table."""

from playwright.sync_api import Browser

from benchmarks._judging.pearmut_environment import VERSION
from benchmarks._marking import on_pearmut, ours
from benchmarks._marking.counted import Effort
from benchmarks._marking.same_answers import MARKS

OURS, THEIRS = "Assay, mouse", f"Pearmut {VERSION}, mouse"
Counted = dict[str, tuple[Effort, Effort]]
HEAD = "| | clicks and keys a screen | a mark | clicks | keys | way of the pointer, px | the page's thread, ms |"


def counted(browser: Browser) -> Counted:
    return {
        OURS: ours.by_mouse(browser),
        "Assay, keyboard alone": ours.by_keyboard(browser),
        THEIRS: on_pearmut.by_mouse(browser),
    }


def table(counted: Counted) -> str:
    rows = [
        f"| {name} | {all_of_it.actions} | {marking.actions / MARKS:.1f} | {all_of_it.clicks} | {all_of_it.keys} "
        f"| {all_of_it.travel:,.0f} | {all_of_it.busy_ms:.0f} |"
        for name, (all_of_it, marking) in counted.items()
    ]
    return "\n".join([HEAD, "|---|--:|--:|--:|--:|--:|--:|", *rows])


def has_fewer(counted: Counted) -> bool:
    """With the mouse, on the screen and for a mark."""
    return all(mine.actions < other.actions for mine, other in zip(counted[OURS], counted[THEIRS], strict=True))
