"""Numbers that differ, and those that only look different in another language."""

import pytest

from metrics.flagging.numbers import different_numbers


@pytest.mark.parametrize(
    ("source", "output", "missing", "added"),
    [
        ("In 2019 it had 45 rooms.", "Es hatte Zimmer.", ("2019", "45"), ()),
        ("It had 45 rooms.", "Es hatte 54 Zimmer.", ("45",), ("54",)),
        ("It had many rooms.", "Es hatte 300 Zimmer.", (), ("300",)),
        ("It cost 1,500.", "Es kostete 150.", ("1,500",), ("150",)),
    ],
)
def test_numbers_that_differ_are_named_as_they_are_written(
    source: str, output: str, missing: tuple[str, ...], added: tuple[str, ...]
) -> None:
    assert different_numbers(source, output) == (missing, added)


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("1,234,567.5 people", "1.234.567,5 Menschen"),
        ("20,000 people", "20 000 Menschen"),
        ("3 ships and 12 boats", "drei Schiffe und zwölf Boote"),
        ("three ships", "3 Schiffe"),
        ("at 10.30 and 2:45 p.m.", "um 10:30 und 14:45 Uhr"),
        ("1.5 million and 2,500,000", "150万と250万"),
        ("120,000,000", "1億2000万"),
        ("25 people in 1998", "一九九八年に二十五人"),
        ("version 2.0", "Version 2"),
        ("12,345 readers", "١٢٣٤٥ قارئ"),
        ("see https://example.org/2024/77", "siehe unten"),
        ("{0} of {15} files", "Dateien: {15}"),
        ("May 05, 1998", "5. Mai 1998"),
    ],
)
def test_numbers_written_as_another_language_does_are_the_same(source: str, output: str) -> None:
    assert different_numbers(source, output) == ((), ())
