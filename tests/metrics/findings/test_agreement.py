"""The finding says no more than the interval does; flags say no more than the controls do."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.analyses.annotator_table import FLAGS, AnnotatorContext, checks_of, to_check
from metrics.analyses.annotators import annotators
from metrics.findings.agreement import finding_of
from tests.metrics.analyses.test_annotators import CROWD, one_annotator

ENDS = st.tuples(st.floats(-1, 1), st.floats(-1, 1)).map(lambda ends: (min(ends), max(ends)))


@given(ENDS)
def test_the_sentence_never_says_more_than_the_interval(ends: tuple[float, float]) -> None:
    low, high = ends
    sentence = finding_of(ends, [])
    assert sentence
    if "is unclear" not in sentence:
        assert low > 0 or high < 0
    if "beyond chance" in sentence and "is unclear" not in sentence:
        assert low > 0
    if "closely" in sentence:
        assert low >= 0.8
    if "well enough" in sentence:
        assert low >= 2 / 3
    if "but not enough" in sentence:
        assert high < 2 / 3
    assert "equal" not in sentence


@pytest.mark.parametrize(
    ("interval", "to_check", "sentence"),
    [
        (None, [], "Agreement cannot be measured yet"),
        (
            (0.51, 0.6),
            ["Max", "Ida"],
            "Annotators agree beyond chance, but not enough for tentative conclusions; check Max and Ida",
        ),
        ((0.85, 0.9), ["a", "b", "c", "d"], "Annotators agree closely; check 4 annotators"),
        ((-0.5, -0.1), [], "Annotators agree less than by chance"),
    ],
)
def test_the_sentence_beside_alpha(interval: tuple[float, float] | None, to_check: list[str], sentence: str) -> None:
    assert finding_of(interval, to_check) == sentence


def test_every_flag_that_can_be_raised_has_words() -> None:
    from metrics.analyses.evidence import Evidence

    rows = one_annotator([50] * 10, seconds=1.0)
    [entry] = annotators(Evidence((rows.table(),), CROWD))
    assert entry.flags
    assert set(entry.flags) <= {*FLAGS, "excluded"}
    assert len(checks_of(entry)) == len(entry.flags)


def test_a_handful_of_controls_accuses_nobody() -> None:
    from metrics.analyses.evidence import Evidence

    [entry] = annotators(Evidence((one_annotator([50] * 10).table(),), CROWD))
    raised = replace(entry, flags=("controls_failed", "degraded_not_lower", "fast"), control_state="too_few")
    assert [note.level for note in checks_of(raised)] == ["warn"]
    assert len(checks_of(replace(raised, control_state="failed"))) == 3


def test_those_with_most_warnings_are_named_first_and_those_excluded_not_at_all() -> None:
    from metrics.analyses.evidence import Evidence

    [entry] = annotators(Evidence((one_annotator([50] * 10).table(),), CROWD))
    people = [
        replace(entry, annotator=name, flags=flags, included=True)
        for name, flags in (
            ("ana", ("fast",)),
            ("bo", ("fast", "hasty")),
            ("cai", ("few_judgments",)),
            ("dan", ("fast",)),
        )
    ]
    context = AnnotatorContext(people={"bo": "Bo B."}, excluded=frozenset({"dan"}))
    assert to_check(people, context) == ["Bo B.", "ana"]
