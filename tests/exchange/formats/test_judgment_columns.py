import re
from pathlib import Path

import pytest

from exchange.formats.assay_csv import PARSERS
from exchange.formats.spans_csv import COLUMNS
from exchange.staging.judgments import JudgmentRow

FORMATS_PAGE = Path(__file__).parents[3] / "docs" / "formats.md"


@pytest.mark.parametrize("column", dict.fromkeys([*PARSERS, *COLUMNS]))
def test_every_column_has_its_heading(column: str) -> None:
    assert re.search(rf"^### {column}$", FORMATS_PAGE.read_text(encoding="utf-8"), re.MULTILINE)


def test_every_column_is_read_into_a_field_of_the_record() -> None:
    assert {field for field, _parse in PARSERS.values()} == set(JudgmentRow._fields) - {"line"}
