from pathlib import Path

import pytest

from benchmarks._judging.page_section import WIDTH, PageError, with_part, write_part
from benchmarks.judging import PAGE

TEXT = "# Figures\n\n<!-- judging: begin -->\n\nold\n\n<!-- judging: end -->\n\nMore.\n"


def test_only_what_stands_between_the_comments_is_replaced() -> None:
    new = with_part(TEXT, "judging", "new\n")
    assert new == TEXT.replace("old", "new")


def test_writing_the_same_again_changes_nothing(tmp_path: Path) -> None:
    page = tmp_path / "benchmarks.md"
    page.write_text(TEXT, encoding="utf-8")
    for _ in range(2):
        write_part(page, "judging", "new")
        assert page.read_text(encoding="utf-8") == TEXT.replace("old", "new")


def test_a_long_item_of_a_list_stays_one_item() -> None:
    new = with_part(TEXT, "judging", f"- {'Measured with care. ' * 9}\n- Another.")
    assert [line[:6] for line in new.split("\n") if "care" in line] == ["- Meas", "  care"]
    assert max(map(len, new.split("\n"))) <= WIDTH


@pytest.mark.parametrize(
    "text",
    [
        "no comments",
        TEXT.replace("<!-- judging: end -->", ""),
        TEXT + TEXT,
        "<!-- judging: end --><!-- judging: begin -->",
    ],
)
def test_a_page_without_the_place_is_left_alone(text: str) -> None:
    with pytest.raises(PageError, match="judging: begin"):
        with_part(text, "judging", "new")


def test_our_page_has_the_place() -> None:
    assert "figures" in with_part(PAGE.read_text(encoding="utf-8"), "judging", "figures")
