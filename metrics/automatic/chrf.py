"""chrF: how many character sequences the translation and a reference share; chrF++ adds words (Popović 2015, 2017)."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import numpy as np
from sacrebleu.metrics.helpers import extract_all_char_ngrams, extract_word_ngrams
from sacrebleu.version import __version__ as sacrebleu_version

from metrics.automatic.base import FloatArray, Metric, counted_references, divided
from metrics.automatic.compiled.flat import Flat, Numbers, characters, groups

Counts = list[Counter[str]]
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_EPSILON = 1e-16
_CACHED_REFERENCES = 1_000


@dataclass(frozen=True)
class Chrf(Metric):
    """sacreBLEU's chrF: F of character n-grams, `beta` times as much weight on recall.

    The corpus score is that of the summed counts. `eps_smoothing` is how chrF++.py, NLTK and Moses count orders that
    are missing in either text. Source: Popović 2015, "chrF: character n-gram F-score for automatic MT evaluation", WMT.
    """

    char_order: int = 6
    word_order: int = 0
    beta: int = 2
    lowercase: bool = False
    whitespace: bool = False
    eps_smoothing: bool = False

    name: ClassVar[str] = "chrf"
    title: ClassVar[str] = "chrF"
    has_kernel: ClassVar[bool] = True

    @property
    def columns(self) -> tuple[str, ...]:
        orders = [f"characters_{n}" for n in range(1, self.char_order + 1)]
        orders += [f"words_{n}" for n in range(1, self.word_order + 1)]
        return tuple(f"{what}_{order}" for order in orders for what in ("hypothesis", "reference", "matches"))

    @cached_property
    def _counted_reference(self) -> Callable[[str], Counts]:
        """Cached: systems follow one another on the same references."""
        return lru_cache(_CACHED_REFERENCES)(self._ngrams)

    def _ngrams(self, text: str) -> Counts:
        line = text.lower() if self.lowercase else text
        counts: Counts = extract_all_char_ngrams(line, self.char_order, self.whitespace)
        if self.word_order:
            words = _words(line)
            counts += [extract_word_ngrams(words, order) for order in range(1, self.word_order + 1)]
        return counts

    def segment_statistics(self, hypothesis: str, references: Sequence[str]) -> Sequence[float]:
        ngrams = self._ngrams(hypothesis)
        rows = [_compared(ngrams, self._counted_reference(text)) for text in references]
        if len(rows) == 1:
            return rows[0]
        scores = self.values(np.array(rows, dtype=np.float64))
        return rows[int(np.argmax(scores))]

    def counted_by_kernel(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> FloatArray:
        ours = [text for text, some in zip(hypotheses, references, strict=True) for _each in some]
        theirs = [text for some in references for text in some]
        if self.lowercase:
            ours, theirs = [text.lower() for text in ours], [text.lower() for text in theirs]
        rows = _shared(characters(self._kept(ours)), characters(self._kept(theirs)), self.char_order)
        if self.word_order:
            numbers = Numbers()
            words, others = (numbers.flat([_words(text) for text in texts]) for texts in (ours, theirs))
            rows = np.concatenate([rows, _shared(words, others, self.word_order)], axis=1)
        return self.best_of(rows, groups(references))

    def _kept(self, lines: Sequence[str]) -> Sequence[str]:
        return lines if self.whitespace else ["".join(line.split()) for line in lines]

    def values(self, sums: FloatArray) -> FloatArray:
        counts = sums.reshape(*sums.shape[:-1], sums.shape[-1] // 3, 3)
        in_hypothesis, in_reference, matches = counts[..., 0], counts[..., 1], counts[..., 2]
        weight = float(self.beta**2)
        if self.eps_smoothing:
            precision = divided(matches, in_hypothesis, otherwise=_EPSILON)
            recall = divided(matches, in_reference, otherwise=_EPSILON)
            f = divided((1 + weight) * precision * recall, weight * precision + recall, otherwise=_EPSILON)
            smoothed: FloatArray = 100 * _summed(f) / f.shape[-1]
            return smoothed
        present = (in_hypothesis > 0) & (in_reference > 0)
        orders = present.sum(axis=-1).astype(np.float64)
        precision = divided(_summed(np.where(present, divided(matches, in_hypothesis), 0.0)), orders)
        recall = divided(_summed(np.where(present, divided(matches, in_reference), 0.0)), orders)
        return 100 * divided((1 + weight) * precision * recall, weight * precision + recall)

    def parts(self, sums: FloatArray, segments: FloatArray) -> dict[str, Any]:
        counts = sums.reshape(-1, 3)
        return {
            "precisions": (100 * divided(counts[:, 2], counts[:, 0])).tolist(),
            "recalls": (100 * divided(counts[:, 2], counts[:, 1])).tolist(),
            "mean_of_segments": float(segments.mean()) if segments.size else None,
        }

    def signature(self, n_references: int | None) -> str:
        return (
            f"{counted_references(n_references)}|case:{'lc' if self.lowercase else 'mixed'}"
            f"|eff:{'no' if self.eps_smoothing else 'yes'}|nc:{self.char_order}|nw:{self.word_order}"
            f"|space:{'yes' if self.whitespace else 'no'}|version:{sacrebleu_version}"
            + ("" if self.beta == 2 else f"|beta:{self.beta}")
        )


@dataclass(frozen=True)
class ChrfPlusPlus(Chrf):
    """chrF with words and pairs of words. Source: Popović 2017, "chrF++: words helping character n-grams", WMT."""

    word_order: int = 2

    name: ClassVar[str] = "chrf++"
    title: ClassVar[str] = "chrF++"


def _compared(hypothesis: Counts, reference: Counts) -> list[int]:
    row = []
    for ours, theirs in zip(hypothesis, reference, strict=True):
        matches = sum(min(count, theirs[ngram]) for ngram, count in ours.items() if ngram in theirs)
        # an order that the reference does not have is not counted as missing
        row += [ours.total() if theirs else 0, theirs.total(), matches]
    return row


def _shared(texts: Flat, references: Flat, orders: int) -> FloatArray:
    """Of pairs of texts the rows that `_compared` has. Shape: (n_texts, 3 * orders)."""
    from metrics.automatic.compiled.ngrams import shared_ngrams  # noqa: PLC0415 - loads the compiler

    matches = shared_ngrams(texts, references, np.arange(texts.starts.size), orders)
    shorter = np.arange(orders)
    ours, theirs = (np.maximum(np.diff(side.starts)[:, None] - shorter, 0) for side in (texts, references))
    rows = np.stack([np.where(theirs > 0, ours, 0), theirs, matches], axis=2)
    return rows.reshape(len(rows), 3 * orders).astype(np.float64)


def _words(text: str) -> list[str]:
    """Words with a punctuation mark at their end, or else at their beginning, split off."""
    words = []
    for word in text.split():
        if len(word) > 1 and word[-1] in _PUNCTUATION:
            words += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in _PUNCTUATION:
            words += [word[0], word[1:]]
        else:
            words.append(word)
    return words


def _summed(parts: FloatArray) -> FloatArray:
    """Order after order, as one adds by hand: the last digit depends on it."""
    total = np.zeros(parts.shape[:-1])
    for order in range(parts.shape[-1]):
        total = total + parts[..., order]
    return total
