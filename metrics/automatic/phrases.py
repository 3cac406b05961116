"""What the metrics of the YiSi family share: weights by rarity, and every phrase matched with the most similar one."""

import math

import numpy as np

from metrics.automatic.base import FloatArray

LEARN, UNIFORM = "learn", "uniform"


def check_weights(weights: str) -> None:
    if weights not in (LEARN, UNIFORM):
        raise ValueError(f"weights are learn or uniform, not {weights!r}")


def rarity(lines: int, holding: int) -> float:
    """The weight of a word that `holding` of `lines` lines have: log2(1 + (lines + 1) / (holding + 1)).

    >>> rarity(7, 0), rarity(7, 7)
    (3.169925001442312, 1.0)
    """
    return math.log2(1 + (lines + 1) / (holding + 1))


def matched(
    alike: FloatArray, weights: FloatArray, others: FloatArray, *, ngram_size: int, alpha: float
) -> tuple[float, float, float]:
    """Precision, recall and F of phrases of `ngram_size` words, of which each counts as much as the most similar one.

    Shape:
        `alike` (n_words, n_others) how similar words are; `weights` (n_words,), `others` (n_others,).
    Values:
        0 where a side has no words or none with weight. A phrase is never longer than the shorter side.
        `alpha`: the weight of precision.
    Source: Lo 2019, equations 1 to 3.
    """
    size = min(ngram_size, *alike.shape)
    if not size:
        return 0.0, 0.0, 0.0
    precision, recall = _covered(alike, weights, size), _covered(alike.T, others, size)
    below = alpha * precision + (1 - alpha) * recall
    return precision, recall, precision * recall / below if below else 0.0


def _covered(alike: FloatArray, weights: FloatArray, size: int) -> float:
    """The weighted likeness of every n-gram of a side to the one most like it, by the weight of all."""
    weighted = alike * weights[:, None]
    rows, columns = alike.shape[0] - size + 1, alike.shape[1] - size + 1
    summed = sum(weighted[at : at + rows, at : at + columns] for at in range(size))
    total = float(sum(weights[at : at + rows].sum() for at in range(size)))
    return float(np.asarray(summed).max(axis=1).sum()) / total if total else 0.0
