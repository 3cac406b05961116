"""Whether scores and times change while people work."""

import numpy as np
import pytest

from metrics.analyses.drift import drift
from metrics.analyses.evidence import Evidence
from metrics.recipes import RECIPES
from metrics.results.values import Missing
from tests.metrics.analyses.sample_tables import Rows

ASSAY = RECIPES["assay"]


def worked(count: int, *, lift: float = 0.0, slower: float = 1.0, annotators: tuple[str, ...] = ("ana", "bo")) -> Rows:
    """Each judges the same outputs in another order, scores `lift` higher in the second half, `slower` in time."""
    rows = Rows()
    rng = np.random.default_rng(3)
    for name in annotators:
        for place, text in enumerate(rng.permutation(count)):
            is_late = place >= count / 2
            rows.add(
                name, "x" if text % 2 else "y", f"s{text}", 40 + text + lift * is_late,
                document=f"d{text % 8}", seconds=20.0 * (slower if is_late else 1.0),
            )  # fmt: skip
    return rows


def tenths(rows: Rows) -> list[tuple[float, float]]:
    result = drift(Evidence((rows.table(),), ASSAY))
    made = []
    for one in result.tenths:
        assert isinstance(one.score, float)
        assert isinstance(one.seconds, float)
        made.append((one.score, one.seconds))
    return made


def test_texts_that_are_harder_are_no_drift() -> None:
    scores, seconds = zip(*tenths(worked(40)), strict=True)
    assert scores == pytest.approx([0.0] * 10, abs=1e-9)
    assert seconds == pytest.approx([20.0] * 10)


def test_scores_that_rise_and_times_that_fall_are_seen() -> None:
    made = tenths(worked(40, lift=10.0, slower=0.5))
    assert [seconds for _score, seconds in made] == pytest.approx([20.0] * 5 + [10.0] * 5)
    early, late = (np.mean([score for score, _seconds in half]) for half in (made[:5], made[5:]))
    assert late - early > 4, "what both change on the same text is taken for the text"


def test_every_judgment_is_in_one_tenth() -> None:
    result = drift(Evidence((worked(37).table(),), ASSAY))
    assert [one.part for one in result.tenths] == list(range(1, 11))
    assert sum(one.judgments for one in result.tenths) == 2 * 37
    assert {one.judgments for one in result.tenths} == {6, 8}


def test_who_judged_little_is_left_out() -> None:
    assert drift(Evidence((worked(19).table(),), ASSAY)).tenths == ()
    both = worked(40, annotators=("ana",))
    for place in range(19):
        both.add("cy", "x", f"s{place}", 5, document="d1")
    assert drift(Evidence((both.table(),), ASSAY)).annotators == 1


def test_without_times_there_are_scores() -> None:
    rows = worked(40)
    rows.columns["seconds"] = [float("nan")] * 80
    [first, *_rest] = drift(Evidence((rows.table(),), ASSAY)).tenths
    assert first.seconds == Missing("no_times")
    assert isinstance(first.score, float)
