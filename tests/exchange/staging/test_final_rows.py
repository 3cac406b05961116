"""What SQLite writes for the database is what the file said, in pieces of any size."""

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from uuid import RFC_4122

import pytest

from annotation.models import Item, Judgment, Score, Slot
from campaigns.bulk_rows import free_keys
from campaigns.models import Campaign, Document, Segment, TestSet, Translation
from exchange.judgment_files import import_judgments
from exchange.staging.final_rows import FinalRows, exact_number
from exchange.staging.judgments import ActionRow, JudgmentRow, stage_rows, staged_judgments
from exchange.staging.loading_judgments import load_items, load_judgments, load_people, load_texts, numbered_rows
from exchange.staging.taking_apart import take_apart
from tests.exchange.conftest import WriteFile

pytestmark = pytest.mark.django_db
ODD_TEXTS = ["a\tb", "a\\tb", "\\N", "\\.", "a\r\nb", "\nb", "\\", "'", '"', "%s", "🙂 größer", "x'fd'", "\u2028"]


def load(path: Path, **options: object) -> None:
    import_judgments(path, format="assay-csv", name="Quay", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_texts_are_stored_sign_by_sign(judgments_file: WriteFile, text: str) -> None:
    answer = {"slots": {"A": {"score": 70}}, "comment": f"’{text}", "cannot_judge": None}
    load(
        judgments_file(
            {"source": f"’{text}", "translation": f"{text}’", "answer": json.dumps(answer), "document": f"d{text}"},
            {"judgment": "b", "segment": "2", "comment": f"’{text}"},
        )
    )
    assert Segment.objects.get(name="1").source == f"’{text}"
    assert Translation.objects.get(segment__name="1").text == f"{text}’"
    assert [judgment.answer for judgment in Judgment.objects.all()] == [answer] * 2
    assert Document.objects.filter(name=f"d{text}").exists()


@pytest.mark.parametrize("value", [0.1 + 0.2, 1 / 3, -2.5, 1e300, 5e-324, 2.0**63, 123456789012345.6, -7.0])
def test_numbers_are_stored_to_the_last_bit(judgments_file: WriteFile, value: float) -> None:
    load(judgments_file({"value": repr(value), "measure": "quality"}))
    assert Score.objects.get().value == value
    assert Judgment.objects.get().answer["slots"] == {"A": {"quality": value}}


@pytest.mark.parametrize(("measure", "slot"), [("a\x1fb", "A"), ("\x1e", "A"), ("score", "\x1e"), ("'\"\\", "\x1f")])
def test_any_measure_and_slot_is_part_of_an_answer(judgments_file: WriteFile, measure: str, slot: str) -> None:
    load(
        judgments_file({"measure": measure, "slot": slot}, {"measure": "", "value": "", "system": "Rook", "slot": "B"})
    )
    assert Judgment.objects.get().answer["slots"] == {slot: {measure: 70}, "B": {}}


def test_a_number_that_is_not_there_stays_away() -> None:
    with staged_judgments() as staged:
        FinalRows(staged, lambda _count: None)
        query = f"SELECT {exact_number('number')} FROM (SELECT NULL AS number UNION ALL SELECT 0.5)"  # noqa: S608 - our own words
        assert [number for (number,) in staged.execute(query)] == [None, "0.5"]


def test_all_rows_are_stored_in_pieces_of_any_size(judgments_file: WriteFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exchange.staging.final_rows.COPIED", 4)
    monkeypatch.setattr("exchange.staging.final_rows.BLOCK", 2)
    monkeypatch.setattr("exchange.staging.final_rows.LOADED", 4)
    shares: list[float] = []
    path = judgments_file(*({"judgment": str(number), "segment": str(number), "value": number} for number in range(9)))
    load(path, on_progress=shares.append)
    scores = Score.objects.order_by("pk").values_list(
        "judgment__item__segment__name", "translation__segment__name", "value"
    )
    assert list(scores) == [(str(number), str(number), number) for number in range(9)]
    assert len(shares) > 15
    assert shares == sorted(shares)
    assert 0 < shares[0] < shares[-1] == 1


def test_references_hold_where_others_draw_keys_meanwhile(
    judgments_file: WriteFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    def draw_with_others(model: type[Item], count: int) -> list[range]:
        pieces = []
        while count > 0:
            pieces += free_keys(model, min(2, count))
            free_keys(model, 3)
            count -= 2
        return pieces

    monkeypatch.setattr("exchange.staging.final_rows.free_keys", draw_with_others)
    rows = [
        {"judgment": name, "segment": name, "system": system, "value": number, "document": str(number % 3)}
        for number, name in enumerate("01234")
        for system in "01"
    ]
    load(judgments_file(*rows, {"judgment": "again", "segment": "3", "kind": "repeat", "document": "0", "system": "1"}))
    stored = Score.objects.filter(judgment__item__kind="regular").order_by("pk")
    shown = "judgment__item__segment__name", "translation__segment__name", "translation__system__name", "value"
    assert list(stored.values_list(*shown, "judgment__item__document__name")) == [
        (row["segment"], row["segment"], row["system"], row["value"], row["document"]) for row in rows
    ]
    assert set(Slot.objects.values_list("system__name", "translation__system__name")) == {("0", "0"), ("1", "1")}
    assert Item.objects.get(kind="repeat").original is None
    assert Item.objects.count() == 6


@pytest.mark.parametrize("function", ["is_human", "_answer"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_what_ends_a_function_of_a_query_ends_the_import(
    judgments_file: WriteFile, monkeypatch: pytest.MonkeyPatch, function: str, error: type[BaseException]
) -> None:
    def end(*_values: object) -> None:
        raise error("Stop.")

    monkeypatch.setattr(f"exchange.staging.loading_judgments.{function}", end)
    with pytest.raises(error, match="Stop"):
        load(judgments_file({}))
    assert not Campaign.objects.exists()


def test_items_get_random_identifiers(judgments_file: WriteFile) -> None:
    load(judgments_file({}, {"judgment": "b", "segment": "2"}))
    (first, second) = Item.objects.values_list("public_id", flat=True)
    assert first != second
    assert {(each.version, each.variant) for each in (first, second)} == {(4, RFC_4122)}


ROWS = [
    JudgmentRow(2, "a", "Ada", "esa", "quay", "1", "Heron", measure="score", value=7.0),
    JudgmentRow(3, "b", "Ada", "esa", "quay", "2", "Heron", measure="score", value=7.0, reference="Ein Steg."),
]
SEVERAL = [*ROWS, ROWS[1]._replace(line=4, system="Rook"), ROWS[0]._replace(line=5, judgment="c", segment="")]


@pytest.mark.parametrize("rows", [ROWS, SEVERAL], ids=["one row", "several rows"])
def test_no_query_sorts_or_reads_more_than_one_table_from_end_to_end(
    rows: Sequence[JudgmentRow], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise memory would grow with the file, or the time with its square."""
    plans: list[list[str]] = []

    def explain(self: FinalRows, query: str) -> sqlite3.Cursor:
        plans.append([row["detail"] for row in self.staged.execute(f"EXPLAIN QUERY PLAN {query}")])
        return query_of(self, query)

    query_of = FinalRows._query
    monkeypatch.setattr(FinalRows, "_query", explain)
    campaign = Campaign.objects.create(name="Quay", test_set=TestSet.objects.create(name="Quay"), protocol="esa")
    with staged_judgments() as staged:
        stage_rows(staged, [*rows, ActionRow("a", "[]")])
        take_apart(staged)
        staged.execute("INSERT INTO mark (judgment) VALUES (0)")
        load_people(staged)
        final = numbered_rows(staged, lambda _share: None)
        load_texts(final, campaign.test_set)
        load_items(final, campaign)
        load_judgments(final, "Quay")
    assert len(plans) == 14
    for plan in plans:
        assert not [step for step in plan if "TEMP B-TREE" in step or "AUTOMATIC" in step]
        whole = [step for step in plan if step.startswith("SCAN ") and not step.endswith((")", ":"))]
        assert len(whole) == 1, plan  # beside a subquery about one row, and the JSON of one
