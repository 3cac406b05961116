"""Judgments with several rows, and items with several judgments, are looked up, not compared with all others."""

import pytest

from exchange.staging.contradictions import _WITHIN_ITEMS
from exchange.staging.database import count_of
from exchange.staging.judgments import JudgmentRow, TextRow, stage_rows, staged_judgments
from exchange.staging.taking_apart import take_apart

LONE = JudgmentRow(2, "a", "Ada", "esa", "quay", "1", "Heron", measure="score", value=7.0, position=0)
OTHER_OUTPUT = LONE._replace(line=3, system="Rook")
REVISION = LONE._replace(line=4, judgment="b", revision=2)
FILES = {
    "alone": [LONE],
    "two outputs": [LONE, OTHER_OUTPUT],
    "two revisions": [LONE, REVISION],
    "both": [LONE, OTHER_OUTPUT, REVISION, REVISION._replace(line=5, system="Rook")],
}


@pytest.mark.parametrize("rows", FILES.values(), ids=FILES)
def test_contradictions_of_an_item_are_looked_for_from_its_later_judgments_on(rows: list[JudgmentRow]) -> None:
    with staged_judgments() as staged:
        stage_rows(staged, rows)
        take_apart(staged)
        for contradiction in _WITHIN_ITEMS:
            steps = [row["detail"] for row in staged.execute(f"EXPLAIN QUERY PLAN {contradiction.query}")]
            assert any(step.startswith("SCAN revised") for step in steps)
            large = ("SCAN sh", "SCAN own", "SCAN first", "SCAN item")
            read_whole = [step for step in steps if "AUTOMATIC" in step or step.startswith(large)]
            assert read_whole == []


@pytest.mark.parametrize("rows", FILES.values(), ids=FILES)
def test_judgments_are_read_in_their_order_without_being_sorted(rows: list[JudgmentRow]) -> None:
    with staged_judgments() as staged:
        stage_rows(staged, rows)
        take_apart(staged)
        plan = staged.execute("EXPLAIN QUERY PLAN SELECT * FROM judgment WHERE id > 1 ORDER BY id LIMIT 9")
        steps = [row["detail"] for row in plan]
    assert steps[0].startswith("SEARCH numbered")
    assert not any("TEMP B-TREE" in step for step in steps)


@pytest.mark.parametrize(
    ("name", "judgments", "items", "slots"),
    [("alone", 1, 1, 1), ("two outputs", 1, 1, 2), ("two revisions", 2, 1, 1), ("both", 2, 1, 2)],
)
def test_whatever_has_company_is_one_thing_of_several_rows(name: str, judgments: int, items: int, slots: int) -> None:
    with staged_judgments() as staged:
        stage_rows(staged, FILES[name])
        take_apart(staged)
        counted = [count_of(staged, table) for table in ("judgment", "item", "slot")]
    assert counted == [judgments, items, slots]


@pytest.mark.parametrize("kind", ["regular", "degraded"])
def test_a_text_that_is_not_the_stored_one_is_kept_as_it_was_shown(kind: str) -> None:
    with staged_judgments() as staged:
        stored = TextRow("quay", "1", "Heron", translation="The ferry left.")
        stage_rows(staged, [stored, LONE._replace(kind=kind, translation="The ferry came.")])
        take_apart(staged)
        (damaged,) = staged.execute("SELECT damaged FROM slot").fetchone()
    assert damaged == "The ferry came."
