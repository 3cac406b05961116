"""Numbers that follow from an answer, worked out by hand."""

import pytest

from metrics.derivations import Derived, JudgedText, PenaltyDerivation

MINOR, MAJOR = {"severity": "minor", "start": 0, "end": 2}, {"severity": "major", "start": 0, "end": 2}
TAG = {"tag": "missing", "severity": "major"}


@pytest.mark.parametrize(
    ("answered", "penalty"),
    [
        ({"spans": [MINOR], "tags": [TAG, TAG]}, 1 + 5 + 5),
        ({"spans": [], "tags": [TAG]}, 5),
        ({"spans": [MINOR, MAJOR], "tags": []}, 6),
        ({"spans": [MINOR]}, 1),
    ],
)
def test_in_a_penalty_a_tag_is_a_mark(answered: dict[str, object], penalty: float) -> None:
    """One point for a minor error, five for a major one."""
    assert PenaltyDerivation().derive([JudgedText("Eins.", answered)]) == [Derived(penalty)]


def test_nothing_follows_from_tags_that_cannot_be_read() -> None:
    tags = [{"tag": "missing", "severity": "huge"}]
    assert PenaltyDerivation().derive([JudgedText("Eins.", {"spans": [], "tags": tags})]) == [None]
