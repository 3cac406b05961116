import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.statistics.normalisation import z_scores

SCORES = [10.0, 20.0, 60.0, 90.0, 80.0, 100.0]
PEOPLE = ["ana", "ana", "ana", "bo", "bo", "bo"]
score_lists = st.lists(st.integers(0, 100), min_size=3, max_size=12).filter(lambda scores: len(set(scores)) > 1)


def test_by_hand() -> None:
    """Ana: mean 30, squares 400 + 100 + 900 over 2 = 700. Bo: mean 90, squares 0 + 100 + 100 over 2 = 100."""
    z = z_scores(SCORES, PEOPLE)
    assert z.annotators.tolist() == ["ana", "bo"]
    assert z.means.tolist() == [30, 90]
    assert z.deviations.tolist() == pytest.approx([700**0.5, 10])
    assert z.values[3:].tolist() == pytest.approx([0, -1, 1])


def test_the_reference_gives_mean_and_deviation_and_every_row_gets_a_z() -> None:
    z = z_scores([0.0, *SCORES], ["bo", *PEOPLE], reference=[False] + [True] * 6)
    assert z.means.tolist() == [30, 90]
    assert z.counts.tolist() == [3, 3]
    assert z.values[0] == pytest.approx(-9)


@given(score_lists, st.floats(0.1, 50), st.floats(-1000, 1000))
@settings(max_examples=50, deadline=None)
def test_shift_and_scale_vanish(scores: list[int], scale: float, shift: float) -> None:
    plain = z_scores(scores, ["ana"] * len(scores)).values
    moved = z_scores(np.array(scores) * scale + shift, ["ana"] * len(scores)).values
    assert moved == pytest.approx(plain, abs=1e-6)


@given(st.permutations(range(6)))
@settings(max_examples=30, deadline=None)
def test_the_order_of_rows_changes_nothing(order: list[int]) -> None:
    z = z_scores(np.array(SCORES)[order], np.array(PEOPLE)[order])
    assert z.values == pytest.approx(z_scores(SCORES, PEOPLE).values[order])


@given(score_lists, score_lists)
@settings(max_examples=30, deadline=None)
def test_each_annotator_has_mean_zero_and_deviation_one(ana: list[int], bo: list[int]) -> None:
    codes = np.array([0] * len(ana) + [1] * len(bo))
    z = z_scores([*ana, *bo], codes).values
    for code in (0, 1):
        assert z[codes == code].mean() == pytest.approx(0, abs=1e-9)
        assert z[codes == code].std(ddof=1) == pytest.approx(1)


def test_one_judgment_has_no_z() -> None:
    z = z_scores([70.0, 1.0, 3.0], ["ana", "bo", "bo"])
    assert np.isnan(z.values[0])
    assert np.isnan(z.deviations[0])
    assert z.means[0] == 70


def test_equal_judgments_have_no_z_even_where_their_mean_is_off_by_rounding() -> None:
    z = z_scores([0.1] * 3, ["ana"] * 3)
    assert z.deviations.tolist() == [0.0]
    assert np.isnan(z.values).all()


def test_missing_scores_have_no_z_and_do_not_count() -> None:
    z = z_scores([1.0, np.nan, 3.0], ["ana"] * 3)
    assert z.counts.tolist() == [2]
    assert np.isnan(z.values[1])
    assert z.values[[0, 2]].tolist() == pytest.approx([-(0.5**0.5), 0.5**0.5])


def test_no_rows_are_no_annotators() -> None:
    assert z_scores([], []).means.size == 0


def test_lengths_are_checked() -> None:
    with pytest.raises(ValueError, match="labels"):
        z_scores([1.0, 2.0], ["ana"])
    with pytest.raises(ValueError, match="reference"):
        z_scores([1.0, 2.0], ["ana", "bo"], reference=[True])
