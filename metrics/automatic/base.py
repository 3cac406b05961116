"""What a metric is: a signature, counts for each segment, and a score that follows from sums of counts.

Because everything follows from sums, one counting serves the corpus, each segment, any part of the corpus and every
resample. A metric that is a mean of segments counts its value and 1.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from metrics import VERSION
from metrics.automatic.compiled.flat import WORTH_COMPILED_CODE

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
References = Sequence[str | Sequence[str]]
NOT_AN_OPTION = {"is_option": False}


@dataclass(frozen=True)
class CorpusScore:
    """A corpus scored: `segments` in the order of the input, `parts` what the metric shows beside its value.

    `signature` names everything that can change `value`; `segment_signature` the same of `segments`, where a metric
    treats a single segment otherwise.
    """

    value: float
    segments: FloatArray
    signature: str
    segment_signature: str
    parts: Mapping[str, Any]


class Metric(ABC):
    """A metric with its options: subclasses are frozen dataclasses whose fields are the options.

    Class data: `name` (as in METRICS), `title` (as people write it), `columns` or a property of that name (what is
    counted, by name), `higher_is_better`, `compares_with_source` (it needs no reference: in place of references it is
    given the source text), `uses_model` (it reads weights: it is counted in one process, not in one per core),
    `runs_apart` (an operator's model computes it, in the environment of the neural libraries), `has_kernel` (many
    segments are counted at once by compiled code, equal to `segment_statistics` to the last count).
    A field that is no option, such as a folder of this installation, has `NOT_AN_OPTION` for its metadata.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    higher_is_better: ClassVar[bool] = True
    compares_with_source: ClassVar[bool] = False
    uses_model: ClassVar[bool] = False
    runs_apart: ClassVar[bool] = False
    has_kernel: ClassVar[bool] = False

    @property
    def needs_reference(self) -> bool:
        """Otherwise it is given the source text in place of references."""
        return not self.compares_with_source

    @property
    def reads_source(self) -> bool:
        """Whether it reads the source beside references."""
        return False

    @property
    def learns_from_corpus(self) -> bool:
        """Whether counts of a segment depend on the others, through their references.

        Of a metric that compares with the source: through their sources and translations.
        """
        return False

    def demand(self) -> None:  # noqa: B027 - most metrics need nothing
        """ValueError with the reason where what counting needs is not on this installation."""

    @classmethod
    def for_language(cls, target_language: str) -> Self:  # noqa: ARG003 - most metrics take every language alike
        """The metric with its settings for a target language (a BCP 47 tag)."""
        return cls()

    def equipped(self, resources: Mapping[str, str]) -> Self:  # noqa: ARG002 - most metrics need nothing
        """The metric with resources of this installation by name, such as a `wordnet` directory.

        ValueError where it cannot be used.
        """
        return self

    def as_signed(self, signature: str) -> Self:  # noqa: ARG002 - most metrics have one form
        """The metric with the choices that the signature of a stored score names: it reads that score's counts."""
        return self

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """The names of the counts, in the order of the columns of `statistics`."""

    @abstractmethod
    def segment_statistics(self, hypothesis: str, references: Sequence[str]) -> Sequence[float]:
        """The counts of one segment against one reference or the best of several."""

    @abstractmethod
    def values(self, sums: FloatArray) -> FloatArray:
        """Scores of summed counts. Shape: (..., n_columns) to (...,)."""

    @abstractmethod
    def signature(self, n_references: int | None) -> str:
        """Everything that can change the score; None means that the number of references varies."""

    def statistics(self, hypotheses: Sequence[str], references: References) -> FloatArray:
        """The counts of each segment, in order. Shape: (n_segments, n_columns).

        `references` hold, for each segment, one text or several. ValueError where the numbers do not fit.
        """
        return self.counted(hypotheses, reference_lists(hypotheses, references))

    def counted(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> FloatArray:
        """As `statistics`, of references in lists. A metric that learns from the whole corpus does so here."""
        if self.has_kernel and sum(map(len, hypotheses)) >= WORTH_COMPILED_CODE:
            return self.counted_by_kernel(hypotheses, references)
        return self.counted_plainly(hypotheses, references)

    def counted_plainly(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> FloatArray:
        """As `counted`, by `segment_statistics` alone: the definition of what a kernel counts."""
        rows = [
            self.segment_statistics(hypothesis, texts) for hypothesis, texts in zip(hypotheses, references, strict=True)
        ]
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(self.columns))

    def counted_by_kernel(
        self,
        hypotheses: Sequence[str],  # noqa: ARG002 - metrics with a kernel read them
        references: Sequence[Sequence[str]],  # noqa: ARG002
    ) -> FloatArray:
        """As `counted`, by compiled code; only of a metric that has a kernel."""
        raise TypeError(f"{self.name} has no kernel.")

    def best_of(self, compared: FloatArray, groups: IntArray) -> FloatArray:
        """The counts of each segment, from those with each of its references: of several the first of the best.

        Shape: (n_references, n_columns), those of segment i from `groups[i]` to `groups[i + 1]`, to (n_segments, …).
        """
        if len(compared) == len(groups) - 1:
            return compared
        choose, scores = np.argmax if self.higher_is_better else np.argmin, self.values(compared)
        return compared[[first + int(choose(scores[first:last])) for first, last in pairwise(groups.tolist())]]

    def value(self, sums: FloatArray) -> float:
        """The score of the whole: what `values` says of one row, to the last digit of the metric's own arithmetic."""
        return float(self.values(sums))

    def segment_values(self, statistics: FloatArray) -> FloatArray:
        """The score of each segment alone. Shape: (n_segments, n_columns) to (n_segments,)."""
        return self.values(statistics)

    def segment_signature(self, n_references: int | None) -> str:
        return self.signature(n_references)

    def parts(self, sums: FloatArray, segments: FloatArray) -> dict[str, Any]:  # noqa: ARG002 - some show means
        """The numbers shown beside the score: the counts by name, unless the metric overrides this."""
        return {name: as_number(value) for name, value in zip(self.columns, sums.tolist(), strict=True)}

    def score(self, hypotheses: Sequence[str], references: References) -> CorpusScore:
        """The corpus and each of its segments scored; `references` hold one text or several for each segment."""
        lists = reference_lists(hypotheses, references)
        return self.scored(self.counted(hypotheses, lists), n_references=count_of(lists))

    def scored(self, statistics: FloatArray, *, n_references: int | None) -> CorpusScore:
        """The score that follows from counts made before."""
        sums = statistics.sum(axis=0)
        segments = self.segment_values(statistics)
        return CorpusScore(
            value=self.value(sums),
            segments=segments,
            signature=self.signature(n_references),
            segment_signature=self.segment_signature(n_references),
            parts=self.parts(sums, segments),
        )


class SegmentMean(Metric):
    """A metric whose corpus score is the mean of its segments: each counts its values, and 1.

    `value_columns` names what is counted beside the segments, the score itself last.
    """

    value_columns: ClassVar[tuple[str, ...]] = ("score",)

    @property
    def columns(self) -> tuple[str, ...]:
        return (*self.value_columns, "segments")

    @abstractmethod
    def compare(self, hypothesis: str, reference: str) -> Sequence[float]:
        """The values of one translation and one reference, in the order of `value_columns`."""

    def segment_statistics(self, hypothesis: str, references: Sequence[str]) -> Sequence[float]:
        rows = [self.compare(hypothesis, reference) for reference in references]
        best = (max if self.higher_is_better else min)(rows, key=lambda row: row[-1])
        return [*best, 1.0]

    def best_of(self, compared: FloatArray, groups: IntArray) -> FloatArray:
        """As in `Metric`, of values in the order of `value_columns`."""
        return super().best_of(np.column_stack([compared, np.ones(len(compared))]), groups)

    def values(self, sums: FloatArray) -> FloatArray:
        return divided(sums[..., -2], sums[..., -1])

    def parts(self, sums: FloatArray, segments: FloatArray) -> dict[str, Any]:  # noqa: ARG002 - all is in the sums
        count = float(sums[-1])
        means = sums[:-1] / count if count else np.zeros(sums.size - 1)
        return dict(zip(self.value_columns, means.tolist(), strict=True)) | {"segments": int(count)}


def reference_lists(hypotheses: Sequence[str], references: References) -> list[list[str]]:
    """For each segment its references as a list; ValueError where there are more or fewer than segments, or none."""
    if isinstance(hypotheses, str) or isinstance(references, str):
        raise TypeError("Give a list of hypotheses and a list of references, one entry a segment, not one text.")
    if len(hypotheses) != len(references):
        raise ValueError(f"There are {len(hypotheses)} hypotheses, but references for {len(references)} segments.")
    lists = [[texts] if isinstance(texts, str) else list(texts) for texts in references]
    missing = [place for place, texts in enumerate(lists, start=1) if not texts]
    if missing:
        raise ValueError(f"Segment {missing[0]} has no reference.")
    return lists


def count_of(lists: Iterable[Sequence[str]]) -> int | None:
    """How many references each segment has, None where the number varies."""
    counts = {len(texts) for texts in lists}
    return counts.pop() if len(counts) == 1 else None


def cells_of(signature: str) -> dict[str, str]:
    """What a signature says, by name.

    >>> cells_of("nrefs:1|tok:13a")
    {'nrefs': '1', 'tok': '13a'}
    """
    return {name: value for name, _colon, value in (cell.partition(":") for cell in signature.split("|"))}


def language_of(tag: str) -> str:
    """The language of a tag (BCP 47), whatever its script and region.

    >>> language_of("pt-BR"), language_of("zh_Hans")
    ('pt', 'zh')
    """
    return tag.lower().replace("_", "-").partition("-")[0]


def counted_references(n_references: int | None) -> str:
    """The number of references as a signature has it."""
    return f"nrefs:{'var' if n_references is None else n_references}"


def own_signature(n_references: int | None, *cells: str) -> str:
    """The signature of a metric that is Assay's own: `cells` are its options, such as `case:lc`."""
    return "|".join([counted_references(n_references), *cells, f"version:assay-{VERSION}"])


def as_number(value: float) -> float | int:
    """A count as JSON has it: whole where it is whole."""
    return int(value) if value == int(value) else value


def divided(numerators: FloatArray, denominators: FloatArray, *, otherwise: float | FloatArray = 0.0) -> FloatArray:
    """Quotients, and `otherwise` where the divisor is 0."""
    quotients = np.empty(np.broadcast(numerators, denominators).shape)
    quotients[...] = otherwise
    np.divide(numerators, denominators, out=quotients, where=denominators > 0)
    return quotients
