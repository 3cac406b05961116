"""The paragraphs of a translation, brought to the number of its source's segments.

More paragraphs are merged with their neighbours, fewer are split at sentence ends, so that the sum over the segments of
|target length × ratio − source length| is least; the ratio is that of the two whole texts. Nothing is lost: the parts
joined are the translation.
"""

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

MOST_CELLS = 1_000_000  # segments × pieces that are compared: some seconds, and eight megabytes
AS_IS, MERGED, SPLIT, MENDED = "", "merged", "split", "mended"
_MARKUP = re.compile(r"</?p>")
# Only the first blank after a sentence matches, so that a long run of dots or blanks is passed once.
_SENTENCE_END = re.compile(
    r"(?:(?<=[.!?…؟۔।])|(?<=[.!?…؟۔।][\"'“”’»›)\]]))\s+|(?<=[。！？])(?![。！？」』”’）])\s*|(?<=[」』）])(?<=[。！？].)\s*|\n\s*"
)


class TooManyParagraphsError(Exception):
    """The text has too many paragraphs to compare them all."""


@dataclass(frozen=True)
class Alignment:
    """As many parts as the source has segments; `how` is MERGED or SPLIT, or AS_IS if the numbers were equal."""

    parts: tuple[str, ...]
    how: str


def align(blocks: Sequence[str], sources: Sequence[str], *, has_sentences: bool = True) -> Alignment:
    """Without `has_sentences` a block is never split. If the pieces are too few, the segments left over are empty."""
    if len(blocks) == len(sources):
        return Alignment(tuple(blocks), AS_IS)
    pieces, cuts = list(blocks), set[int]()
    if len(blocks) < len(sources):
        divided = [sentences(block) if has_sentences else [block] for block in blocks]
        pieces = [piece for several in divided for piece in several]
        cuts = set(accumulate(len(several) for several in divided))
    if len(pieces) * len(sources) > MOST_CELLS:
        raise TooManyParagraphsError
    ends = cheapest_ends([visible_length(piece) for piece in pieces], [visible_length(each) for each in sources], cuts)
    parts = ("".join(pieces[start:end]) for start, end in zip([0, *ends], ends, strict=False))
    return Alignment(tuple(parts), MERGED if len(blocks) > len(sources) else SPLIT)


def sentences(text: str) -> list[str]:
    """Pieces that end with a sentence and the blanks behind it; what has no letter or digit joins its neighbour."""
    ends: list[int] = []
    start, has_any = 0, False
    for end in [*(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]:
        is_word = has_words(text[start:end])
        if ends and not (is_word and has_any):
            ends[-1], has_any = end, has_any or is_word
        else:
            ends.append(end)
            has_any = is_word
        start = end
    return [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def has_words(text: str) -> bool:
    return any(sign.isalnum() for sign in _MARKUP.sub("", text))


def visible_length(text: str) -> int:
    """Characters without paragraph marks and outer blanks."""
    return len(_MARKUP.sub("", text).strip())


def cheapest_ends(lengths: Sequence[int], targets: Sequence[int], cuts: set[int]) -> list[int]:
    """For each target the end of its run of pieces. No run goes over one of the `cuts`.

    With enough pieces every run has one or more; with fewer than targets each has one, or none.
    """
    sums = [0, *accumulate(lengths)]
    whole, wanted = sums[-1], sum(targets)
    longest, shortest = (len(lengths), 1) if len(lengths) >= len(targets) else (1, 0)
    costs: list[int | None] = [0, *[None] * len(lengths)]
    starts: list[list[int]] = []
    for target in targets:
        costs, row = _next_row(costs, sums, (wanted, target * whole), range(shortest, longest + 1), cuts)
        starts.append(row)
    ends, end = [], len(lengths)
    for row in reversed(starts):
        ends.append(end)
        end = row[end]
    return ends[::-1]


def _next_row(
    costs: Sequence[int | None], sums: Sequence[int], scale: tuple[int, int], sizes: range, cuts: set[int]
) -> tuple[list[int | None], list[int]]:
    """The least cost up to each piece after one more target, in whole numbers, and where its run starts.

    A run from `start` to `end` costs |sums[end] × wanted − aim − sums[start] × wanted|. With `end`, the starts that are
    allowed and those whose run is long enough only move forward, so two sliding windows see each start once.
    """
    wanted, aim = scale
    long_enough, too_short = _Window(), _Window()
    row: list[int | None] = [None] * len(costs)
    starts = [0] * len(costs)
    first = seen = split = 0
    for end in range(len(costs)):
        point, last = sums[end] * wanted - aim, end - sizes.start
        first = max(first, end - sizes.stop + 1, end - 1 if end - 1 in cuts else 0)
        for start in range(seen, last + 1):
            too_short.add(start, costs[start], sums[start] * wanted)
            seen = start + 1
        while split <= last and sums[split] * wanted <= point:
            long_enough.add(split, costs[split], -sums[split] * wanted)
            split += 1
        for window, begin, rest in ((long_enough, first, point), (too_short, max(first, split), -point)):
            least = window.least_from(begin)
            if least is not None and (row[end] is None or least[0] + rest < row[end]):  # type: ignore[operator]
                row[end], starts[end] = least[0] + rest, least[1]
    return row, starts


class _Window:
    """The least value of those added last; the window's begin never moves back."""

    def __init__(self) -> None:
        self._values: deque[tuple[int, int]] = deque()

    def add(self, place: int, cost: int | None, height: int) -> None:
        if cost is None:
            return
        while self._values and self._values[-1][0] >= cost + height:
            self._values.pop()
        self._values.append((cost + height, place))

    def least_from(self, begin: int) -> tuple[int, int] | None:
        while self._values and self._values[0][1] < begin:
            self._values.popleft()
        return self._values[0] if self._values else None
