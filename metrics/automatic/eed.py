"""EED, extended edit distance: an edit distance of characters that may jump at blanks (Stanchev et al. 2019)."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from metrics.automatic.base import FloatArray, SegmentMean, language_of, own_signature
from metrics.automatic.compiled.flat import characters, groups

_MARKS = {".": " .", "!": " !", "?": " ?", ",": " ,"}
_PATTERNS = (
    (re.compile(r"\s+"), " "),
    (re.compile(r"(\d) ([.,]) (\d)"), r"\1\2\3"),
    (re.compile(r"(Dr|Jr|Prof|Rev|Gen|Mr|Mt|Mrs|Ms) ."), r"\1."),  # as the reference has it: any character goes
)
_ABBREVIATIONS = {"e . g .": "e.g.", "i . e .": "i.e.", "U . S .": "U.S."}


@dataclass(frozen=True)
class Eed(SegmentMean):
    """A distance from 0 to 1: the cheapest way through both texts, and how unevenly characters were visited.

    `alpha` is the cost of a jump, `rho` the weight of coverage. `preparation` is "en" (marks and abbreviations set
    apart; for languages with spaced words) or "ja" (normalised alone). The corpus value is the mean of segments, of
    several references the nearest. Identical texts do not get 0, because each visit after the first costs.
    Source: Stanchev, Wang & Ney 2019, "EED: extended edit distance measure for machine translation", WMT; in the form
    of the authors' Python program, which counts the position before the first character where their library does not.
    """

    alpha: float = 2.0
    rho: float = 0.3
    deletion: float = 0.2
    insertion: float = 1.0
    preparation: str = "en"

    name: ClassVar[str] = "eed"
    title: ClassVar[str] = "EED"
    higher_is_better: ClassVar[bool] = False
    has_kernel: ClassVar[bool] = True

    @classmethod
    def for_language(cls, target_language: str) -> Self:
        """As the authors prepare texts: Japanese and Chinese apart from all others."""
        return cls(preparation="ja" if language_of(target_language) in ("ja", "zh") else "en")

    def __post_init__(self) -> None:
        if self.preparation not in ("en", "ja"):
            raise ValueError(f"preparation is en or ja, not {self.preparation!r}")

    def prepared(self, text: str) -> str:
        text = text.rstrip()
        if self.preparation == "ja":
            return unicodedata.normalize("NFKC", text)
        for mark, spaced in _MARKS.items():
            text = text.replace(mark, spaced)
        for pattern, replacement in _PATTERNS:
            text = pattern.sub(replacement, text)
        for spaced, abbreviation in _ABBREVIATIONS.items():
            text = text.replace(spaced, abbreviation)
        return f" {text} "

    def compare(self, hypothesis: str, reference: str) -> Sequence[float]:
        return (self._distance(self.prepared(hypothesis), self.prepared(reference)),)

    def counted_by_kernel(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> FloatArray:
        from metrics.automatic.compiled.extended import extended_distances  # noqa: PLC0415 - loads the compiler

        starts = groups(references)
        distances = extended_distances(
            characters([self.prepared(text) for text in hypotheses]),
            characters([self.prepared(text) for texts in references for text in texts]),
            starts,
            alpha=self.alpha,
            rho=self.rho,
            deletion=self.deletion,
            insertion=self.insertion,
        )
        return self.best_of(distances[:, None], starts)

    def _distance(self, hypothesis: str, reference: str) -> float:
        """Row by row of the reference; the cheapest cell of each row is visited, and at a blank all may jump there."""
        visits = [-1] * (len(hypothesis) + 1)
        row = [0.0] + [1.0] * len(hypothesis)
        for character in reference:
            left = row[0] + 1.0
            following = [left]
            for place, ours in enumerate(hypothesis):
                diagonal, above = row[place] + (ours != character), row[place + 1] + self.insertion
                left += self.deletion
                left = min(left, diagonal)
                left = min(left, above)
                following.append(left)
            cheapest = min(following)
            visits[following.index(cheapest)] += 1
            if character == " ":
                jump = self.alpha + cheapest
                following = [cost if cost < jump else jump for cost in following]
            row = following
        coverage = self.rho * sum(count if count >= 0 else 1 for count in visits)
        length = len(reference) + coverage
        return min(1.0, (row[-1] + coverage) / length) if length else 0.0

    def signature(self, n_references: int | None) -> str:
        costs = f"alpha:{self.alpha}|rho:{self.rho}|del:{self.deletion}|ins:{self.insertion}"
        return own_signature(n_references, "case:mixed", f"prep:{self.preparation}", costs, "form:authors-python")
