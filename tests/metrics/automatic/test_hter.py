"""HTER: what a post-edit changed."""

import json
from typing import Any, ClassVar

import numpy as np
import pytest

from metrics.automatic import METRICS
from metrics.automatic.hter import Hter
from tests.metrics.automatic.contract import MetricContract
from tests.metrics.real_campaigns import expected_of, real_case

SHIFTED = "De minister kondigde de beslissing aan gisteren"
RIGHT = "Gisteren kondigde de minister de beslissing aan"


class TestHter(MetricContract):
    name = "hter"
    other_options: ClassVar[dict[str, Any]] = dict.fromkeys(
        ("normalized", "no_punct", "asian_support", "case_sensitive"), True
    )


def test_a_shift_is_one_edit_and_case_is_none() -> None:
    result = Hter().score([SHIFTED], [RIGHT])
    assert (result.parts["edits"], result.parts["reference_words"]) == (2, 7)
    assert result.value == pytest.approx(2 / 7)
    assert Hter(case_sensitive=True).score([SHIFTED], [RIGHT]).segments.tolist() == pytest.approx([4 / 7])


def test_the_corpus_is_the_ratio_of_sums_and_caps_no_segment() -> None:
    result = Hter().score(["a b c d", "x"], ["a", "x"])
    assert result.segments.tolist() == [3, 0]
    assert result.parts["mean_capped"] == 0.5
    assert result.value == 1.5


def test_an_empty_post_edit_is_all_or_nothing() -> None:
    assert Hter().score(["", "some words"], ["", ""]).segments.tolist() == [0, 1]


def test_a_run_of_the_metric_shows_the_means_beside_the_corpus() -> None:
    parts = METRICS["hter"]().score(["a b c d", "x"], ["a", "x"]).parts
    assert parts == {"edits": 3, "reference_words": 2, "mean": 1.5, "mean_capped": 0.5}


@pytest.mark.real_data
def test_a_real_campaigns_published_values() -> None:
    folder, expected = real_case("hter-mlqe-ende"), expected_of("hter-mlqe-ende")
    translations, post_edits, published = (
        (folder / f"test20.{part}").read_text(encoding="utf-8").removesuffix("\n").split("\n")
        for part in ("mt", "pe", "hter")
    )
    result = Hter().score(translations, post_edits)
    capped = np.minimum(result.segments, 1)
    exact = expected["tolerance"]["default"]
    assert result.segments.size == expected["segments"]
    assert result.segments.mean() == pytest.approx(expected["mean_hter"], abs=exact)
    assert capped.mean() == pytest.approx(expected["mean_hter_capped"], abs=5e-5)
    assert result.value == pytest.approx(expected["hter_corpus"], abs=exact)
    assert np.count_nonzero(result.segments > 1) == expected["over_1"]
    for example in expected["segment_examples"]:
        assert result.segments[example["line"] - 1] == pytest.approx(example["hter"], abs=exact), json.dumps(example)
    difference = np.abs(capped - np.array([float(value) for value in published]))
    assert difference.max() <= expected["tolerance"]["published segments"]
    sensitive = np.minimum(Hter(case_sensitive=True).score(translations, post_edits).segments, 1)
    assert sensitive.mean() == pytest.approx(
        expected["other_settings"]["case_sensitive"]["mean_hter_capped"], abs=exact
    )
    equal = np.abs(sensitive - np.array([float(value) for value in published])) < 5e-4
    assert equal.mean() == pytest.approx(expected["other_settings"]["case_sensitive"]["share_equal_to_published"])
    normalized = np.minimum(Hter(normalized=True).score(translations, post_edits).segments, 1)
    assert normalized.mean() == pytest.approx(expected["other_settings"]["normalized"]["mean_hter_capped"], abs=exact)
    equal = np.abs(normalized - np.array([float(value) for value in published])) < 5e-4
    assert equal.mean() == pytest.approx(expected["other_settings"]["normalized"]["share_equal_to_published"])
