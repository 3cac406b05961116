"""Who looks for control items: boosted trees on everything served, judged on campaigns they have not seen."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from threadpoolctl import threadpool_limits

from benchmarks._blindness.served_items import ServedItem

FOLDS = 5
RESAMPLES = 1000


@dataclass(frozen=True)
class Found:
    """The area under the curve with its 95 % interval: 0.5 is guessing, 1 is knowing."""

    controls: int
    regular: int
    area: float
    low: float
    high: float

    @property
    def is_blind(self) -> bool:
        return self.low <= 0.5 <= self.high and self.low >= 0.45 and self.high <= 0.55


def look_for_controls(campaigns: Sequence[Sequence[ServedItem]], *, seed: int) -> Found:
    """Most campaigns are learned from, in turn; the interval is of contents drawn again: their blocks are alike."""
    items = [item for campaign in campaigns for item in campaign]
    names = sorted({name for item in items for name in item.features})
    table = np.array([[item.features.get(name, np.nan) for name in names] for item in items])
    is_control = np.array([item.kind != "regular" for item in items])
    fold = np.repeat(np.arange(len(campaigns)) % FOLDS, [len(campaign) for campaign in campaigns])
    suspicion = np.zeros(len(items))
    for number in np.unique(fold):
        model = HistGradientBoostingClassifier(max_iter=60, learning_rate=0.1, random_state=seed)
        with threadpool_limits(1):  # its threads would wait for each other beside other work
            model.fit(table[fold != number], is_control[fold != number])
        suspicion[fold == number] = model.predict_proba(table[fold == number])[:, 1]
    _, content = np.unique([item.content for item in items], axis=0, return_inverse=True)
    low, high = _interval(suspicion, is_control, content, np.random.default_rng(seed))
    return Found(int(is_control.sum()), int((~is_control).sum()), area_under_curve(suspicion, is_control), low, high)


def area_under_curve(
    suspicion: NDArray[np.float64], is_control: NDArray[np.bool_], weights: NDArray[np.float64] | None = None
) -> float:
    """How often a control is suspected more than a regular item, ties counting half; rows weigh as often as drawn."""
    weights = np.ones(suspicion.size) if weights is None else weights
    _, level = np.unique(suspicion, return_inverse=True)
    controls = np.bincount(level, weights * is_control)
    regular = np.bincount(level, weights * ~is_control)
    below = np.cumsum(regular) - regular / 2
    return float((controls * below).sum() / (controls.sum() * regular.sum()))


def _interval(
    suspicion: NDArray[np.float64],
    is_control: NDArray[np.bool_],
    content: NDArray[np.int64],
    rng: np.random.Generator,
) -> tuple[float, float]:
    count = int(content.max()) + 1
    drawn = (np.bincount(rng.integers(count, size=count), minlength=count) for _ in range(RESAMPLES))
    areas = [area_under_curve(suspicion, is_control, times[content].astype(float)) for times in drawn]
    low, high = np.quantile(areas, [0.025, 0.975])
    return float(low), float(high)
