"""Penalties: what errors weigh under each profile, and real campaigns down to the published number."""

import gzip
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.recipes import CHOICES
from metrics.statistics.mqm import WEIGHTS, Errors, error_weights, penalties, per_word, plain_label, quality_score
from tests.metrics.real_campaigns import expected_of, real_case

COMMA, WRONG, NOTHING = "Fluency/Punctuation", "Accuracy/Mistranslation", "Non-translation!"
FREE, SOURCE = "Accuracy/Creative Reinterpretation", "Source issue"


def test_recipes_know_every_profile() -> None:
    assert CHOICES["weights"] == tuple(WEIGHTS)


@pytest.mark.parametrize(
    ("profile", "expected"),
    [
        ("wmt2021", [0.1, 5, 1, 0, 5, 25, 25, 1, 1, 5, 0]),
        ("mt-metrics-eval", [0.1, 5, 1, 0, 5, 1, 25, 1, 1, 5, 0]),
        ("wmt2024", [0.1, 5, 1, 0, 5, 25, 25, 0, 0, 0, 0]),
        ("mqm-core", [1, 5, 1, 0, 25, 1, 5, 1, 1, 5, 0]),
    ],
)
def test_each_profile_weighs_as_its_authors_do(profile: str, expected: list[float]) -> None:
    errors = [
        (COMMA, "Minor"),
        (COMMA, "Major"),
        (WRONG, "Minor"),
        (WRONG, "Neutral"),
        (WRONG, "Critical"),
        (NOTHING, "Minor"),
        (NOTHING, "Major"),
        (FREE, "Minor"),
        (SOURCE, "Minor"),
        (SOURCE, "Major"),
        ("No-error", "No-error"),
    ]
    categories, severities = zip(*errors, strict=True)
    assert error_weights(categories, severities, weights=profile).tolist() == expected


def test_one_category_is_written_in_many_ways() -> None:
    ways = ["Fluency/Punctuation", "fluency/punctuation", "FLUENCY / Punctuation", "fluency/punctuation/comma"]
    assert error_weights(ways, ["minor", "Minor", "MINOR", "minor"]).tolist() == [0.1] * 4
    assert error_weights(["fluency/punctuations", "punctuation", ""], ["minor"] * 3).tolist() == [1.0] * 3
    assert plain_label("Locale convention/Date_format") == "locale-convention/date-format"


def test_a_severity_nobody_knows_is_an_error() -> None:
    with pytest.raises(ValueError, match="'grave' is unknown to the profile wmt2021"):
        error_weights([WRONG], ["grave"])


def test_tenths_add_up_exactly() -> None:
    commas = Errors([COMMA] * 3, ["Minor"] * 3, [0, 0, 0], 2)
    assert penalties(commas).tolist() == [0.3, 0.0]


def test_texts_are_numbered_within_bounds() -> None:
    for number in (-1, 2):
        with pytest.raises(ValueError, match="from 0 to 1"):
            penalties(Errors([WRONG], ["Minor"], [number], 2))
    assert penalties(Errors([], [], [], 0)).tolist() == []


@given(st.lists(st.tuples(st.sampled_from([COMMA, WRONG, NOTHING]), st.integers(0, 3)), max_size=30), st.randoms())
def test_the_order_of_errors_changes_nothing_and_sums_stay(errors: list[tuple[str, int]], rng: object) -> None:
    def added(marked: list[tuple[str, int]]) -> list[float]:
        categories, texts = [one for one, _text in marked], [text for _one, text in marked]
        return list(penalties(Errors(categories, ["Major"] * len(marked), texts, 4)))

    mixed = list(errors)
    rng.shuffle(mixed)  # type: ignore[attr-defined]
    assert added(mixed) == added(errors)
    weighed = error_weights([one for one, _text in errors], ["Major"] * len(errors))
    assert sum(added(errors)) == pytest.approx(float(weighed.sum()))


def test_points_by_words_are_a_ratio_of_sums() -> None:
    assert per_word([5, 1, np.nan, 3], [10, 20, 50, np.nan], per=1000) == 200
    assert np.isnan(per_word([5], [0]))
    assert quality_score([30], [10]) == -200


def rows_of(file: Path) -> Iterator[dict[str, str]]:
    """Split on tabs alone: texts hold single double-quotes."""
    lines = gzip.decompress(file.read_bytes()).decode().splitlines()
    header = lines[0].split("\t")
    for line in lines[1:]:
        yield dict(zip(header, line.split("\t"), strict=False))


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("case", "file", "segment"),
    [
        ("mqm-ted-ende", "mqm_ted_ende.tsv.gz", "seg_id"),
        ("mqm-wmt23-ende-three-raters", "sxs_mqm_generalMT2023_ende.3ratingsPerSegment.tsv.gz", "globalSegId"),
    ],
)
def test_published_penalties_of_systems(case: str, file: str, segment: str) -> None:
    expected = expected_of(case)
    rows = [row for row in rows_of(real_case(case) / file) if row["severity"] != "HOTW-test"]
    judged = {(row["system"], row["doc"], row[segment], row["rater"]) for row in rows}
    numbers = {key: number for number, key in enumerate(sorted(judged))}
    errors = Errors(
        [row["category"] for row in rows],
        [row["severity"] for row in rows],
        [numbers[row["system"], row["doc"], row[segment], row["rater"]] for row in rows],
        len(numbers),
    )
    by_segment: dict[tuple[str, ...], list[float]] = defaultdict(list)
    for (system, document, name, _rater), value in zip(
        numbers, penalties(errors, weights="mt-metrics-eval"), strict=True
    ):
        by_segment[system, document, name].append(float(value))
    by_system: dict[str, list[float]] = defaultdict(list)
    for (system, _document, _name), values in by_segment.items():
        by_system[system].append(sum(values) / len(values))
    means = {system: sum(values) / len(values) for system, values in by_system.items()}
    assert means == pytest.approx(expected["system_penalty"], abs=expected["tolerance"])
    for example in expected.get("segment_penalty_examples", []):
        own = [
            values for key, values in by_segment.items() if (key[0], key[2]) == (example["system"], example["seg_id"])
        ]
        assert own == [[example["penalty"]]]
