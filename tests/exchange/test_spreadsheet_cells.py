import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exchange.cells import make_safe, restore, restored_text, safe_name, safe_text

# much of what a spreadsheet might take for a formula, so that it comes up often
RISKY = "=+-@\t\r\n＝＋－＠' \"a"
TEXTS = st.text(st.one_of(st.sampled_from(RISKY), st.characters(exclude_categories=["Cs"])), max_size=12)


@pytest.mark.parametrize(
    "text", ["=1+1", "+49 30", "-5 °C", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠a"]
)
def test_a_text_like_a_formula_gets_an_apostrophe_in_front(text: str) -> None:
    assert make_safe(text) == f"'{text}"


@pytest.mark.parametrize("text", ["'Tis true", "It's = that", "a-b", "''quoted''", "٣", "„=“"])
def test_any_other_text_stays_as_it_is(text: str) -> None:
    assert make_safe(text) == restore(text) == text


@pytest.mark.parametrize("text", ["'=1", "''=1", "'", "''"])
def test_a_text_that_looks_made_safe_gets_one_more(text: str) -> None:
    assert make_safe(text) == f"'{text}"
    assert restore(make_safe(text)) == text


def test_no_text_and_the_empty_text_stay_apart() -> None:
    assert (safe_text(None), safe_text("")) == ("", "'")
    assert (restored_text(""), restored_text("'")) == (None, "")
    assert safe_name("") == ""


@given(TEXTS)
def test_every_text_comes_back(text: str) -> None:
    assert restored_text(safe_text(text)) == text


@given(TEXTS)
def test_no_safe_cell_begins_like_a_formula(text: str) -> None:
    assert make_safe(text)[:1] not in set("=+-@\t\r\n＝＋－＠")


@given(st.lists(TEXTS, min_size=1, max_size=4))
def test_every_text_survives_the_way_through_csv(texts: list[str]) -> None:
    buffer = io.StringIO(newline="")
    csv.writer(buffer).writerow([safe_text(text) for text in texts])
    [row] = csv.reader(io.StringIO(buffer.getvalue(), newline=""), strict=True)
    assert [restored_text(cell) for cell in row] == texts
