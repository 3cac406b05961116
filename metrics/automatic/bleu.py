"""BLEU: how many word sequences of the translation are in a reference (Papineni et al. 2002)."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Self

import numpy as np
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.helpers import extract_all_word_ngrams
from sacrebleu.version import __version__ as sacrebleu_version

from metrics.automatic.base import FloatArray, Metric, as_number, cells_of, counted_references, divided
from metrics.automatic.compiled.flat import groups
from metrics.automatic.tokenizers import (
    Tokenizer,
    TokenizerMissing,
    is_plain,
    is_written,
    name_of,
    tokenizer,
    usual_tokenizer,
)

_CACHED_REFERENCES = 2_000
_LOG_OF_NOTHING = -9999999999.0  # so that the score is 0


@dataclass(frozen=True)
class Bleu(Metric):
    """sacreBLEU's BLEU. Without `tokenize` it is chosen by `target_language`, as sacreBLEU does, and 13a for most.

    `tokenize` is a name, or what a signature says (`ja-mecab-0.996-IPA`): then nothing else is counted with. `model` is
    the file of the tokenizers that need one.
    A segment alone is scored with effective order, as sacreBLEU advises, the corpus without: two signatures.
    Source: Papineni, Roukos, Ward & Zhu 2002, "Bleu: a method for automatic evaluation of machine translation", ACL;
    Post 2018, "A call for clarity in reporting BLEU scores", WMT.
    """

    tokenize: str | None = None
    target_language: str = ""
    lowercase: bool = False
    smooth_method: str = "exp"
    smooth_value: float | None = None
    max_ngram_order: int = 4
    effective_order: bool = False
    model: str = ""

    name: ClassVar[str] = "bleu"
    title: ClassVar[str] = "BLEU"
    has_kernel: ClassVar[bool] = True

    @classmethod
    def for_language(cls, target_language: str) -> Self:
        return cls(target_language=target_language)

    def __post_init__(self) -> None:
        if self.tokenize:
            name_of(self.tokenize)
        if self.smooth_method not in BLEU.SMOOTH_DEFAULTS:
            raise ValueError(f"There is no smoothing {self.smooth_method!r}. Known: {', '.join(BLEU.SMOOTH_DEFAULTS)}.")

    @property
    def tokenizer_name(self) -> str:
        return name_of(self.tokenize) if self.tokenize else usual_tokenizer(self.target_language)

    @property
    def tokenizer_signature(self) -> str:
        """With the version or the hash of what it needs."""
        if self.tokenize and not is_written(self.tokenize):
            return self.tokenize
        return self.tokenizer_name if is_plain(self.tokenizer_name) else self._split_and_signature[1]

    def equipped(self, resources: Mapping[str, str]) -> Self:
        """Takes a `tokenizer`, and the model it needs (such as `flores200_model`)."""
        chosen = replace(self, tokenize=resources.get("tokenizer") or self.tokenize)
        equipped = replace(chosen, model=resources.get(f"{chosen.tokenizer_name}_model", ""))
        equipped.signature(1)  # opens the named file
        return equipped

    def as_signed(self, signature: str) -> Self:
        try:
            return replace(self, tokenize=cells_of(signature).get("tok"))
        except ValueError:  # of a newer Assay
            return self

    @property
    def columns(self) -> tuple[str, ...]:
        orders = range(1, self.max_ngram_order + 1)
        return ("words", "reference_words", *(f"correct_{n}" for n in orders), *(f"total_{n}" for n in orders))

    @cached_property
    def _split_and_signature(self) -> tuple[Tokenizer, str]:
        split, signed = tokenizer(self.tokenizer_name, self.model)
        if self.tokenize and not is_written(self.tokenize) and signed != self.tokenize:
            raise TokenizerMissing(f"{self.tokenize} is not installed here, but {signed}.")
        return split, signed

    @cached_property
    def _counted_reference(self) -> Callable[[str], tuple[Counter[tuple[str, ...]], int]]:
        """Cached: systems follow one another on the same references."""
        return lru_cache(_CACHED_REFERENCES)(self._ngrams)

    def _ngrams(self, text: str) -> tuple[Counter[tuple[str, ...]], int]:
        return extract_all_word_ngrams(self._tokenized(text), 1, self.max_ngram_order)

    def _tokenized(self, text: str) -> str:
        split, _signature = self._split_and_signature
        return split((text.lower() if self.lowercase else text).rstrip())

    @cached_property
    def _tokenized_reference(self) -> Callable[[str], str]:
        """Cached: systems follow one another on the same references."""
        return lru_cache(_CACHED_REFERENCES)(self._tokenized)

    def segment_statistics(self, hypothesis: str, references: Sequence[str]) -> Sequence[float]:
        ngrams, words = self._ngrams(hypothesis)
        counted = [self._counted_reference(text) for text in references]
        closest = min((length for _counts, length in counted), key=lambda length: (abs(words - length), length))
        correct, total = [0] * self.max_ngram_order, [0] * self.max_ngram_order
        for ngram, count in ngrams.items():
            order = len(ngram) - 1
            total[order] += count
            most = max(counts.get(ngram, 0) for counts, _length in counted)
            correct[order] += min(count, most)
        return [words, closest, *correct, *total]

    def counted_by_kernel(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> FloatArray:
        from metrics.automatic.compiled.ngrams import shared_ngrams  # noqa: PLC0415 - loads the compiler
        from metrics.automatic.compiled.splitting import words_at_blanks  # noqa: PLC0415

        lists = groups(references)
        ours = [self._tokenized(text) for text in hypotheses]
        texts, compared = words_at_blanks(
            ours, [self._tokenized_reference(text) for some in references for text in some]
        ).sides
        correct = shared_ngrams(texts, compared, lists, self.max_ngram_order)
        words, lengths = np.diff(texts.starts), np.diff(compared.starts)
        # the reference of the closest length, the shorter of two equally close
        apart = np.abs(np.repeat(words, np.diff(lists)) - lengths)
        closest = lengths[np.lexsort((lengths, apart, np.repeat(np.arange(len(words)), np.diff(lists))))[lists[:-1]]]
        total = np.maximum(words[:, None] - np.arange(self.max_ngram_order), 0)
        return np.column_stack([words, closest, correct, total]).astype(np.float64)

    def values(self, sums: FloatArray) -> FloatArray:
        """Many at once, as `value` one by one; the last digit may differ."""
        orders = self.max_ngram_order
        words, reference_words = sums[..., 0], sums[..., 1]
        correct, total = sums[..., 2 : 2 + orders].copy(), sums[..., 2 + orders :].copy()
        matches = correct.any(axis=-1)
        smoothing = self.smooth_value or BLEU.SMOOTH_DEFAULTS[self.smooth_method] or 0.0
        if self.smooth_method == "add-k":
            correct[..., 1:] += smoothing
            total[..., 1:] += smoothing
        reached = np.cumprod(total > 0, axis=-1).astype(np.bool_)  # orders after one without any do not count
        missed = reached & (correct == 0)
        if self.smooth_method == "exp":
            correct = np.where(missed, 0.5 ** np.cumsum(missed, axis=-1), correct)
        elif self.smooth_method == "floor":
            correct = np.where(missed, smoothing, correct)
        precisions = np.where(reached, divided(correct, total), 0.0)
        logarithms = np.log(100 * precisions, out=np.full(precisions.shape, _LOG_OF_NOTHING), where=precisions > 0)
        if self.effective_order:
            effective = np.maximum(reached.sum(axis=-1), 1)
            mean = np.where(reached, logarithms, 0.0).sum(axis=-1) / effective
        else:
            mean = logarithms.sum(axis=-1) / orders
        brevity = np.where(words < reference_words, np.exp(np.minimum(1 - divided(reference_words, words), 0)), 1.0)
        return np.where(matches, np.where(words > 0, brevity, 0.0) * np.exp(mean), 0.0)

    def value(self, sums: FloatArray) -> float:
        return float(self._scored(sums, effective_order=self.effective_order).score)

    def segment_values(self, statistics: FloatArray) -> FloatArray:
        return np.array([self._scored(row, effective_order=True).score for row in statistics], dtype=np.float64)

    def _scored(self, sums: FloatArray, *, effective_order: bool) -> Any:
        counts = [int(count) for count in sums.tolist()]
        return BLEU.compute_bleu(
            correct=counts[2 : 2 + self.max_ngram_order],
            total=counts[2 + self.max_ngram_order :],
            sys_len=counts[0],
            ref_len=counts[1],
            smooth_method=self.smooth_method,
            smooth_value=self.smooth_value,
            effective_order=effective_order,
            max_ngram_order=self.max_ngram_order,
        )

    def parts(self, sums: FloatArray, segments: FloatArray) -> dict[str, Any]:  # noqa: ARG002 - all is in the sums
        scored = self._scored(sums, effective_order=self.effective_order)
        words, reference_words = (as_number(count) for count in sums[:2].tolist())
        return {
            "precisions": list(scored.precisions),
            "brevity_penalty": scored.bp,
            "words": words,
            "reference_words": reference_words,
            "ratio": words / reference_words if reference_words else 0.0,
        }

    def signature(self, n_references: int | None) -> str:
        return self._signature(n_references, effective_order=self.effective_order)

    def segment_signature(self, n_references: int | None) -> str:
        return self._signature(n_references, effective_order=True)

    def _signature(self, n_references: int | None, *, effective_order: bool) -> str:
        smoothing = self.smooth_method
        default = BLEU.SMOOTH_DEFAULTS[smoothing]
        if default is not None:
            smoothing += f"[{default if self.smooth_value is None else self.smooth_value:.2f}]"
        order = "" if self.max_ngram_order == 4 else f"|order:{self.max_ngram_order}"
        return (
            f"{counted_references(n_references)}|case:{'lc' if self.lowercase else 'mixed'}"
            f"|eff:{'yes' if effective_order else 'no'}|tok:{self.tokenizer_signature}|smooth:{smoothing}"
            f"|version:{sacrebleu_version}{order}"
        )
