"""TER, translation edit rate: insertions, deletions, substitutions and shifts of words (Snover et al. 2006).

The search for shifts, its limits and its order of preference are tercom's as sacreBLEU has them, so that every count is
the same. It is our own for speed: all shifts that may be tried in a round are compared with the reference at once, row
by row of one table, and a round that would exceed the limit of shifts, whose outcome is thrown away, is not computed.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
from sacrebleu.version import __version__ as sacrebleu_version

from metrics.automatic.base import FloatArray, Metric, counted_references, divided
from metrics.automatic.compiled.flat import groups

_LONGEST_SHIFT = 10
_FARTHEST_SHIFT = 50
_BEAM = 25
_MOST_SHIFTS = 1_000
_BEYOND = 10_000_000  # more than any number of edits
_CELLS_AT_ONCE = 4_000_000
Codes = NDArray[np.int32]
Table = NDArray[np.int32]  # of one text: (n_words + 1, n_reference + 1)


@dataclass(frozen=True)
class Ter(Metric):
    """sacreBLEU's TER, in percent: edits to the nearest reference, by the mean length of the references.

    Options are tercom's: `normalized` splits off punctuation, `no_punct` removes it, `asian_support` extends both to
    Chinese and Japanese. Source: Snover, Dorr, Schwartz, Micciulla & Makhoul 2006, "A study of translation edit rate
    with targeted human annotation", AMTA.
    """

    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case_sensitive: bool = False

    name: ClassVar[str] = "ter"
    title: ClassVar[str] = "TER"
    higher_is_better: ClassVar[bool] = False
    has_kernel: ClassVar[bool] = True
    scale: ClassVar[float] = 100.0

    @property
    def columns(self) -> tuple[str, ...]:
        return ("edits", "reference_words")

    @cached_property
    def _tokenizer(self) -> TercomTokenizer:
        return TercomTokenizer(
            normalized=self.normalized,
            no_punct=self.no_punct,
            asian_support=self.asian_support,
            case_sensitive=self.case_sensitive,
        )

    def words(self, text: str) -> list[str]:
        """The words that are compared."""
        return self._tokenized(text).split()

    def _tokenized(self, text: str) -> str:
        return str(self._tokenizer(text.rstrip()))

    def segment_statistics(self, hypothesis: str, references: Sequence[str]) -> Sequence[float]:
        words = self.words(hypothesis)
        compared = [self.words(reference) for reference in references]
        edits = min(translation_edits(words, reference) for reference in compared)
        return edits, sum(map(len, compared)) / len(compared)

    def counted_by_kernel(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> FloatArray:
        from metrics.automatic.compiled.edits import edits_with_shifts  # noqa: PLC0415 - loads the compiler
        from metrics.automatic.compiled.splitting import words_at_blanks  # noqa: PLC0415

        starts = groups(references)
        texts, compared = words_at_blanks(
            [self._tokenized(text) for text in hypotheses],
            [self._tokenized(text) for some in references for text in some],
        ).sides
        edits = edits_with_shifts(
            texts,
            compared,
            starts,
            beam=_BEAM,
            farthest=_FARTHEST_SHIFT,
            longest=_LONGEST_SHIFT,
            most=_MOST_SHIFTS,
        )
        words = np.add.reduceat(np.diff(compared.starts), starts[:-1]) / np.diff(starts)
        return np.column_stack([np.minimum.reduceat(edits, starts[:-1]), words])

    def values(self, sums: FloatArray) -> FloatArray:
        edits, words = sums[..., 0], sums[..., 1]
        return self.scale * divided(edits, words, otherwise=np.where(edits > 0, 1.0, 0.0))

    def signature(self, n_references: int | None) -> str:
        return (
            f"{counted_references(n_references)}"
            f"|case:{'mixed' if self.case_sensitive else 'lc'}|tok:tercom"
            f"|norm:{_yes(self.normalized)}|punct:{_yes(not self.no_punct)}|asian:{_yes(self.asian_support)}"
            f"|version:{sacrebleu_version}"
        )


def _yes(answer: bool) -> str:
    return "yes" if answer else "no"


@dataclass(frozen=True)
class _Shift:
    """Words from `start` on, `length` of them, moved before the place `target`."""

    start: int
    length: int
    target: int

    @property
    def preference(self) -> tuple[int, int, int]:
        """Of shifts that save alike: the longest, then the first in the words, then the one moved to the earliest."""
        return (-self.length, self.start, self.target)


def translation_edits(words: Sequence[str], reference: Sequence[str]) -> int:
    """Edits of the words to the reference, each shift being one.

    >>> translation_edits("on the mat sat the cat".split(), "the cat sat on the mat".split())
    2
    """
    if not words or not reference or words == reference:
        return abs(len(words) - len(reference))
    codes: dict[str, int] = {}
    ours, theirs = (
        np.array([codes.setdefault(word, len(codes)) for word in text], dtype=np.int32) for text in (words, reference)
    )
    table = _tables(ours[None], theirs)[:, 0]
    tried = made = 0
    while table[-1, -1]:
        shifts = list(_shifts(ours, theirs, table, most=_MOST_SHIFTS - tried))
        tried += len(shifts)
        if tried >= _MOST_SHIFTS or not shifts:
            break
        shifted, table_then = _best(ours, theirs, shifts)
        if table_then[-1, -1] >= table[-1, -1]:
            break
        ours, table, made = shifted, table_then, made + 1
    return made + int(table[-1, -1])


def _best(words: Codes, reference: Codes, shifts: Sequence[_Shift]) -> tuple[Codes, Table]:
    """The words after the shift that leaves the fewest edits, and their table."""
    at_once = max(1, _CELLS_AT_ONCE // ((words.size + 1) * (reference.size + 1)))
    candidates: list[tuple[tuple[int, ...], Codes, Table]] = []
    for start in range(0, len(shifts), at_once):
        some = shifts[start : start + at_once]
        texts = np.stack([_shifted(words, shift) for shift in some])
        tables = _tables(texts, reference)
        left = tables[-1, :, -1].tolist()
        best = min(range(len(some)), key=lambda at: (left[at], *some[at].preference))
        candidates.append(((left[best], *some[best].preference), texts[best], tables[:, best].copy()))
    return min(candidates, key=lambda one: one[0])[1:]


def _tables(texts: NDArray[np.int32], reference: Codes) -> NDArray[np.int32]:
    """The edit distances of all beginnings of texts of one length. Shape: (n_words + 1, n_texts, n_reference + 1).

    Only cells near the diagonal are worked out, as tercom has it; the others count as beyond reach.
    """
    n_words, n_reference = texts.shape[1], reference.size
    steps = np.arange(n_reference + 1, dtype=np.int32)
    tables = np.full((n_words + 1, len(texts), n_reference + 1), _BEYOND, dtype=np.int32)
    tables[0] = steps
    differs = texts.T[:, :, None] != reference
    ratio = n_reference / n_words
    beam = math.ceil(ratio / 2 + _BEAM) if ratio / 2 > _BEAM else _BEAM
    for place in range(1, n_words + 1):
        diagonal = math.floor(place * ratio)
        low = max(0, diagonal - beam)
        high = n_reference + 1 if place == n_words else min(n_reference + 1, diagonal + beam)
        first, above = max(low, 1), tables[place - 1]
        cells = above[:, low:high] + 1  # this word deleted
        replaced = above[:, first - 1 : high - 1] + differs[place - 1, :, first - 1 : high - 1]
        np.minimum(cells[:, first - low :], replaced, out=cells[:, first - low :])
        cells -= steps[low:high]
        np.minimum.accumulate(cells, axis=1, out=cells)  # words inserted, each for one more
        np.add(cells, steps[low:high], out=tables[place, :, low:high])
    return tables


def _traced(words: Codes, reference: Codes, table: Table) -> Iterator[tuple[int, int]]:
    """The way through the table from its end, as steps in the words and in the reference.

    Of equally short paths, a word unchanged or replaced comes before one deleted, and that before one inserted.
    """
    distances, ours, theirs = table.tolist(), words.tolist(), reference.tolist()
    at, to = len(ours), len(theirs)
    while at or to:
        if not at:
            step = (0, 1)
        elif not to:
            step = (1, 0)
        else:
            here = distances[at][to]
            if distances[at - 1][to - 1] + (ours[at - 1] != theirs[to - 1]) == here:
                step = (1, 1)
            else:
                step = (1, 0) if distances[at - 1][to] + 1 == here else (0, 1)
        yield step
        at, to = at - step[0], to - step[1]


@dataclass(frozen=True)
class _Aligned:
    """`places[j]`: the word that the reference's word j is at or after, -1 before all; sums of wrong words so far."""

    places: list[int]
    wrong: list[int]
    missed: list[int]


def _aligned(words: Codes, reference: Codes, table: Table) -> _Aligned:
    places: list[int] = []
    wrong, missed = [0], [0]
    at = to = 0
    for in_words, in_reference in reversed(list(_traced(words, reference, table))):
        both = in_words and in_reference
        differs = int(not both or words[at] != reference[to])
        at, to = at + in_words, to + in_reference
        if in_words:
            wrong.append(wrong[-1] + differs)
        if in_reference:
            missed.append(missed[-1] + differs)
            places.append(at - 1)
    return _Aligned(places, wrong, missed)


def _shifts(words: Codes, reference: Codes, table: Table, *, most: int) -> Iterator[_Shift]:
    """Every shift worth a trial, in tercom's order; no more than a few beyond `most`, for then none is made."""
    aligned = _aligned(words, reference, table)
    count = 0
    for start, target, length in _runs(words.tolist(), reference.tolist()):
        if aligned.wrong[start] == aligned.wrong[start + length]:
            continue  # all of it is in its right place
        if aligned.missed[target] == aligned.missed[target + length]:
            continue  # and this place has the right word
        if start <= aligned.places[target] < start + length:
            continue
        before = -1
        for offset in range(-1, length):
            to = target + offset
            if to >= len(aligned.places):
                break
            place = aligned.places[to] + 1 if to >= 0 else 0
            if place != before:
                before = place
                count += 1
                yield _Shift(start, length, place)
        if count >= most:
            return


def _runs(words: list[int], reference: list[int]) -> Iterator[tuple[int, int, int]]:
    """Runs of equal words, each with all its beginnings: where they start in either text, and how long they are."""
    starts: dict[int, list[int]] = {}
    for target, word in enumerate(reference):
        starts.setdefault(word, []).append(target)
    for start, word in enumerate(words):
        for target in starts.get(word, ()):
            if abs(target - start) > _FARTHEST_SHIFT:
                continue
            farthest = min(_LONGEST_SHIFT, len(words) - start, len(reference) - target)
            for length in range(1, farthest + 1):
                if words[start + length - 1] != reference[target + length - 1]:
                    break
                yield start, target, length


def _shifted(words: Codes, shift: _Shift) -> Codes:
    start, end, target = shift.start, shift.start + shift.length, shift.target
    moved = words[start:end]
    if target < start:
        return np.concatenate([words[:target], moved, words[target:start], words[end:]])
    if target > end:
        return np.concatenate([words[:start], words[end:target], moved, words[target:]])
    inside = shift.length + target  # within the run itself: what follows it goes before
    return np.concatenate([words[:start], words[end:inside], moved, words[inside:]])
