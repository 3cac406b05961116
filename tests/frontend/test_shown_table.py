"""A table of a result as a page shows it: rounded, sorted by its address, intervals drawn, what is missing a dash."""

from dataclasses import replace

from django.http import QueryDict

import pytest

from frontend.shown_table import ShownTable
from metrics.analyses.places import PlaceMean, PlaceMeans, places_table
from metrics.results.tables import Column, Form, Table
from metrics.results.values import Missing

COLUMNS = (
    Column("rank", "Rank", Form.RANKS, keys=("rank_first", "rank_last")),
    Column("system", "System", Form.NAME),
    Column("mean", "Mean", decimals=None, highest_first=True),
    Column("interval", "Mean, 95% interval", Form.ENDS, decimals=None, keys=("low", "high"), of="mean"),
    Column("strength", "Strength", Form.SIGNED, 2, has_places=True),
    Column("wins", "Wins", Form.SHARE, 0),
    Column("judgments", "n", Form.COUNT),
)
ROWS = (
    ((1, 1), "Harbour", 72.25, (70.0, 74.0), 1.5, 0.75, 1200),
    ((2, 3), "Kite", 64.5, Missing("one_document"), -0.25, Missing("never_decided"), 30),
    ((2, 3), "anchor", Missing("no_judgments"), Missing("no_judgments"), 2.0, 0.5, 4),
)


def shown(query: str = "") -> ShownTable:
    table = Table(
        "systems",
        "Systems",
        COLUMNS,
        ROWS,
        part="systems",
        page=("rank", "system", "chart:interval", "mean", "half:interval", "strength", "wins", "judgments"),
        main="mean",
        cuts=frozenset({0}),
        lead="Higher is better.",
        cuts_lead="A line parts them.",
        tagged=frozenset({"Kite"}),
    )
    return ShownTable(table, QueryDict(query))


def test_numbers_are_read_as_their_columns_say() -> None:
    texts = [[cell.text for cell in row.cells] for row in shown().rows]
    assert texts == [
        ["1", "Harbour", "", "72.2", "± 2.0", "+1.50", "75%", "1,200"],
        ["2–3", "Kite", "", "64.5", "", "−0.25", "–", "30"],
        ["2–3", "anchor", "", "–", "", "+2.00", "50%", "4"],
    ]
    assert [cell.is_bold for cell in shown().rows[0].cells].index(True) == 3
    assert [row.cells[5].small_text for row in shown().rows] == ["2", "3", "1"]
    assert [row.cells[1].is_tagged for row in shown().rows] == [False, True, False]


def test_intervals_are_drawn_on_one_axis_and_written_in_words() -> None:
    table = shown()
    harbour, kite, anchor = table.drawn
    assert harbour.words == "72.2, 95% interval 70.0 to 74.0"
    assert kite.words == "64.5, no interval"
    assert list(kite.at) == ["point"]
    assert list(anchor.at) == []
    assert float(kite.at["point"].rstrip("%")) < float(harbour.at["point"].rstrip("%"))
    assert [axis is not None for axis in table.axes].index(True) == 2


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", ["Harbour", "Kite", "anchor"]),
        ("sort=systems:system", ["anchor", "Harbour", "Kite"]),
        ("sort=systems:mean", ["Kite", "Harbour", "anchor"]),
        ("sort=systems:-mean", ["Harbour", "Kite", "anchor"]),
        ("sort=systems:-rank", ["anchor", "Kite", "Harbour"]),
        ("sort=systems:nothing", ["Harbour", "Kite", "anchor"]),
    ],
)
def test_rows_stand_as_the_address_says_and_what_is_missing_last(query: str, names: list[str]) -> None:
    assert [row.name for row in shown(query).rows] == names


def test_lines_between_clusters_are_explained_only_where_they_stand() -> None:
    assert shown().lead == "Higher is better. A line parts them."
    assert [row.ends_cluster for row in shown().rows] == [True, False, False]
    assert shown("sort=systems:system").lead == "Higher is better."


def test_a_file_has_every_column_and_nothing_rounded() -> None:
    table = shown().table
    assert table.file_header == [
        "rank_first",
        "rank_last",
        "system",
        "mean",
        "low",
        "high",
        "strength",
        "wins",
        "judgments",
    ]
    assert list(table.file_rows()) == [
        [1, 1, "Harbour", 72.25, 70.0, 74.0, 1.5, 0.75, 1200],
        [2, 3, "Kite", 64.5, None, None, -0.25, None, 30],
        [2, 3, "anchor", None, None, None, 2.0, 0.5, 4],
    ]


def test_places_on_screens_are_shown_beside_their_widths() -> None:
    means = PlaceMeans("score", (PlaceMean(2, 1, 69.0, 30), PlaceMean(2, 2, 67.5, 30)))
    rows = ShownTable(places_table(means)).rows
    assert [[cell.text for cell in row.cells] for row in rows] == [["2", "1", "69.0", "30"], ["2", "2", "67.5", "30"]]


def test_a_long_table_goes_on_on_further_pages_in_its_order() -> None:
    rows = tuple(((n, n), f"S{n}", float(n), Missing(), 0.0, 0.5, n) for n in range(7))
    table = replace(shown().table, rows=rows)

    def at(query: str) -> ShownTable:
        return ShownTable(table, QueryDict(query), on_a_page=3)

    assert [row.name for row in at("").rows] == ["S0", "S1", "S2"]
    assert [row.name for row in at("sort=systems:-rank&page=2").rows] == ["S3", "S2", "S1"]
    assert [row.name for row in at("page=9").rows] == ["S6"], "the last there is"
    assert at("show=z&page=2").paged_query == "show=z"
    assert at("show=z&page=2").sorted.headings["mean"].address == "?show=z&sort=systems%3A-mean#systems"
