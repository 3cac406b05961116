import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from campaigns.reading.problems import Problems
from exchange.formats.assay_csv import PARSERS, read_assay_csv
from exchange.formats.spans_csv import COLUMNS
from exchange.staging.judgments import JudgmentRow, Reading, stage_rows, staged_judgments
from tests.exchange.judgments_file import write_file

FORMATS_PAGE = Path(__file__).parents[3] / "docs" / "formats.md"


@pytest.mark.parametrize("column", dict.fromkeys([*PARSERS, *COLUMNS]))
def test_every_column_has_its_heading(column: str) -> None:
    assert re.search(rf"^### {column}$", FORMATS_PAGE.read_text(encoding="utf-8"), re.MULTILINE)


def test_every_column_is_read_into_a_field_of_the_record() -> None:
    assert {field for field, _parse in PARSERS.values()} == set(JudgmentRow._fields) - {"line"}


FULL = {
    "kind": "repeat",
    "assignment": "1",
    "position": "0",
    "slot": "B",
    "screen": "3",
    "column": "2",
    "revision": "2",
    "started": "2026-11-03T08:30:00Z",
    "submitted": "2026-11-03T10:30:01.5+02:00",
    "seconds": "1.5",
    "active_seconds": "1",
    "answer": '{"b": 1, "a": 2}',
    "source": "Es ist spät.",
    "translation": "'=1",
    "reference": "It is late.",
    "domain": "news",
    "comment": "yes",
    "surplus": "true",
    "program": "1",
}
NONE = {"measure": "", "value": ""} | dict.fromkeys(FULL, "") | {"kind": "regular"}


def staged_rows(path: Path) -> list[tuple[object, ...]]:
    reading = Reading(path, path.name, Problems())
    with staged_judgments() as staged:
        stage_rows(staged, read_assay_csv(reading))
        assert reading.problems.listed == []
        return [tuple(row) for row in staged.execute("SELECT *, TYPEOF(surplus), TYPEOF(position) FROM judgment_row")]


@pytest.mark.parametrize(
    "rows",
    [[{}], [NONE], [NONE, NONE], [FULL], [NONE, FULL, NONE], [FULL, NONE, FULL], [FULL | {"position": ""}, FULL]],
)
def test_columns_are_read_at_once_as_they_are_cell_by_cell(
    rows: list[dict[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_file(tmp_path / "judgments.csv", rows)
    at_once = staged_rows(path)
    assert len(at_once) == len(rows)
    monkeypatch.setattr("exchange.formats.assay_csv._sound_block", lambda *_columns: None)
    assert staged_rows(path) == at_once


def test_the_end_of_a_day_is_the_beginning_of_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """As Python from 3.14 on reads it; SQLite would keep a text that is not a time."""
    next_day = datetime(2026, 11, 4, tzinfo=UTC)
    monkeypatch.setattr("exchange.cells.parse_time", lambda _cell: next_day)
    assert PARSERS["started"][1]("2026-11-03T24:00:00Z") == next_day
    assert PARSERS["started"][1]("2026-11-03T23:59:59Z") == "2026-11-03 23:59:59"
