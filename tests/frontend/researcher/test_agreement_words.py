"""The finding says no more than the interval does; flags say no more than the controls do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontend.researcher.agreement_words import finding_of, flag_words
from tests.metrics.analyses.as_json import annotators
from tests.metrics.analyses.test_annotators import CROWD, one_annotator

ENDS = st.tuples(st.floats(-1, 1), st.floats(-1, 1)).map(lambda ends: (min(ends), max(ends)))


@given(ENDS)
def test_the_sentence_never_says_more_than_the_interval(ends: tuple[float, float]) -> None:
    low, high = ends
    said = finding_of(ends, to_look_at=[], measured=True)
    assert said
    if "cannot be told" not in said:
        assert low > 0 or high < 0
    if "beyond chance" in said and "cannot be told" not in said:
        assert low > 0
    if "closely" in said:
        assert low >= 0.8
    if "well enough" in said:
        assert low >= 2 / 3
    if "but not enough" in said:
        assert high < 2 / 3
    assert "equal" not in said


@pytest.mark.parametrize(
    ("interval", "to_look_at", "said"),
    [
        (None, [], "Agreement cannot be measured yet"),
        (
            (0.51, 0.6),
            ["Max", "Ida"],
            "Annotators agree beyond chance, but not enough for tentative conclusions; look at Max and Ida",
        ),
        ((0.85, 0.9), ["a", "b", "c", "d"], "Annotators agree closely; 4 should be looked at"),
        ((-0.5, -0.1), [], "Annotators agree less than by chance"),
    ],
)
def test_what_is_said(interval: tuple[float, float] | None, to_look_at: list[str], said: str) -> None:
    assert finding_of(interval, to_look_at=to_look_at, measured=True) == said


def test_without_figures_there_is_no_finding() -> None:
    assert finding_of(None, to_look_at=["Max"], measured=False) is None


def test_every_flag_that_can_be_raised_has_words() -> None:
    from metrics.analyses.evidence import Evidence

    rows = one_annotator([50] * 10, seconds=1.0)
    entry = annotators(Evidence((rows.table(),), CROWD))[0]
    assert entry["flags"]
    assert len(flag_words(entry)) == len(entry["flags"])


def test_a_handful_of_controls_accuses_nobody() -> None:
    raised = ["controls_failed", "degraded_not_lower", "fast"]
    assert [level for level, _words in flag_words({"flags": raised, "control_state": "too_few"})] == ["warn"]
    assert len(flag_words({"flags": raised, "control_state": "failed"})) == 3
