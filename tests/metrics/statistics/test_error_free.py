"""Counts of translations that two call free of errors."""

import numpy as np
import pytest

from metrics.statistics.error_free import error_free_matches
from tests.metrics.real_campaigns import expected_of
from tests.metrics.real_ratings import penalties_in_tenths


def test_counts_and_shares_by_hand() -> None:
    matches = error_free_matches([1, 1, 1, 0, 0], [1, 0, 0, 1, 0])
    assert (matches.tp, matches.fp, matches.fn, matches.tn) == (1, 2, 1, 1)
    assert (matches.precision, matches.recall, matches.f) == pytest.approx((1 / 3, 1 / 2, 2 / 5))
    assert (matches.share_first, matches.share_second) == pytest.approx((3 / 5, 2 / 5))


def test_what_does_not_exist_is_nan() -> None:
    nothing = error_free_matches([], [])
    assert np.isnan([nothing.precision, nothing.recall, nothing.f, nothing.share_first]).all()
    assert np.isnan(error_free_matches([False], [False]).f)
    assert error_free_matches([False], [True]).f == 0
    with pytest.raises(ValueError, match="paired"):
        error_free_matches([True], [])


@pytest.mark.real_data
def test_every_two_of_three_raters() -> None:
    expected = expected_of("statistics2")["error_free"]["mqm-wmt23-ende-three-raters"]
    ratings = penalties_in_tenths()
    order = np.argsort(ratings.annotators)
    columns = [column[~np.isnan(column)] == 0 for column in ratings.matrix[order].T]
    pairs = np.array([[column[one], column[other]] for column in columns for one, other in ((0, 1), (0, 2), (1, 2))])
    matches = error_free_matches(*pairs.T)
    for name in ("tp", "fp", "fn", "tn", "precision", "recall", "f", "share_first", "share_second"):
        assert getattr(matches, name) == pytest.approx(expected[name], abs=1e-8), name
