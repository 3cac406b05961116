from benchmarks._judging.figures import Cell, Figures, Spread
from benchmarks._judging.tables import HEADINGS, in_columns, in_markdown, rows

ONE = Spread(12.345, 9.0, 150.0)
TOLD = Figures(3, 300, ONE, ONE, ONE, ONE, server=ONE, database=None, client=ONE)
CELLS = {Cell("Assay", 20_000, 8): TOLD, Cell("Assay", 0, 8): TOLD, Cell("Assay", 0, 1): TOLD}


def test_rows_are_in_the_order_of_contestants_sizes_and_crowds() -> None:
    assert [row[:3] for row in rows(CELLS)] == [("Assay", "0", "1"), ("Assay", "0", "8"), ("Assay", "20,000", "8")]


def test_a_cell_has_the_median_and_in_brackets_the_range() -> None:
    assert rows(CELLS)[0][3] == "12.3 (9.0–150)"


def test_what_is_not_known_is_a_dash() -> None:
    assert rows(CELLS)[0][HEADINGS.index("database CPU ms")] == "–"


def test_columns_stand_below_each_other() -> None:
    assert len({len(line) for line in in_columns(rows(CELLS)).splitlines()}) == 1


def test_markdown_has_a_rule_below_the_headings_and_as_many_cells_in_every_line() -> None:
    lines = in_markdown(rows(CELLS)).splitlines()
    assert lines[1].startswith("| --- | --: |")
    assert {line.count("|") for line in lines} == {len(HEADINGS) + 1}
