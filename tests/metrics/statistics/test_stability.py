"""What fewer documents would have said: by hand, and against drawing each part by itself."""

import numpy as np
import pytest

from metrics.statistics.arrays import FloatArray, IntArray
from metrics.statistics.stability import stability_curve


def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def values(gap: float, documents: int = 24) -> tuple[FloatArray, IntArray]:
    made = rng().normal(size=(3, 2 * documents)) + np.array([[2 * gap], [gap], [0.0]])
    return made, np.repeat(np.arange(documents), 2)


def test_clear_differences_are_always_seen_and_close_ones_more_often_with_more_documents() -> None:
    clear, codes = values(9.0)
    assert [one.order for one in stability_curve(clear, documents=codes, rng=rng())] == [1, 1, 1]
    close, codes = values(0.3)
    curve = stability_curve(close, documents=codes, draws=400, rng=rng())
    assert [one.documents for one in curve] == [6, 12, 18]
    orders = [one.order for one in curve]
    assert orders == sorted(orders)
    assert orders[0] < orders[-1]
    for one in curve:
        assert one.order_interval.low <= one.order <= one.order_interval.high
        assert one.order <= one.pairs


def test_every_draw_is_as_if_it_were_made_alone() -> None:
    made, codes = values(0.2)
    made[0, :5] = np.nan
    (curve,) = stability_curve(made, documents=codes, shares=[0.5], draws=60, rng=rng())
    drawn = np.argsort(rng().random((60, 24)), axis=1)[:, :12]
    whole = np.argsort(np.nanmean(made, axis=1)).tolist()
    alone = [np.argsort(np.nanmean(made[:, np.isin(codes, row)], axis=1)).tolist() == whole for row in drawn]
    assert curve.order == np.mean(alone)


def test_clusters_are_those_of_the_function() -> None:
    made, codes = values(9.0)

    def two(part: FloatArray, documents: IntArray) -> IntArray:
        assert part.shape[1] == documents.size
        return np.array([1, 1, 2]) if documents.size > 20 else np.array([1, 2, 2])

    curve = stability_curve(made, documents=codes, clusters_of=two, rng=rng())
    assert [one.clusters for one in curve] == [0, 1, 1]
    assert np.isnan(stability_curve(made, documents=codes, rng=rng())[0].clusters)


def test_too_little_to_draw_from_gives_nothing() -> None:
    made, codes = values(1.0, documents=5)
    assert stability_curve(made, documents=codes, rng=rng()) == ()
    made, codes = values(1.0)
    made[1:] = np.nan
    assert stability_curve(made, documents=codes, rng=rng()) == ()
    with pytest.raises(ValueError, match="between 0 and 1"):
        stability_curve(made, documents=codes, shares=[1.0], rng=rng())


def test_equal_means_are_in_order() -> None:
    assert stability_curve(np.ones((2, 8)), documents=range(8), rng=rng())[0].order == 1
