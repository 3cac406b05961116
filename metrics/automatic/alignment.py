"""Words of two texts aligned one to one: as many as possible, in as few unbroken pieces as possible."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

_BEAM = 64
Stage = Callable[[str, str], bool]
Pairs = dict[int, int]


@dataclass(frozen=True)
class Alignment:
    """`matches` of each stage; `chunks`: runs of pairs that neighbour each other, in the same order, in both texts.

    `pairs` are the places in both texts and the number of the stage.
    """

    matches: tuple[int, ...]
    chunks: int
    pairs: tuple[tuple[int, int, int], ...] = field(default=(), repr=False)


class _Way(NamedTuple):
    """Choices for the words so far; `last` is where the word before went, -2 if nowhere. Ways sort best first."""

    left_out: int
    cost: tuple[int, int]
    taken: int
    last: int
    pairs: tuple[tuple[int, int], ...]


def align(
    words: Sequence[str], others: Sequence[str], stages: Sequence[Stage], *, avoid: str = "crossings"
) -> Alignment:
    """Each stage aligns what those before have left: as many pairs as can be, then with the fewest `crossings`
    (or `chunks`).

    Up to every word the best ways are kept (a beam); for texts with few repeated words that is all of them.

    >>> same = lambda word, other: word == other
    >>> align("on the mat sat the cat".split(), "the cat sat on the mat".split(), [same], avoid="chunks")
    Alignment(matches=(6,), chunks=3)
    """
    fixed: Pairs = {}
    stage_of: Pairs = {}
    for number, stage in enumerate(stages):
        used = set(fixed.values())
        choices = {
            at: [to for to, other in enumerate(others) if to not in used and stage(word, other)]
            for at, word in enumerate(words)
            if at not in fixed
        }
        if any(choices.values()):
            fixed = _best(len(words), fixed, choices, avoid)
        stage_of |= dict.fromkeys(fixed.keys() - stage_of.keys(), number)
    counts = tuple(list(stage_of.values()).count(number) for number in range(len(stages)))
    pairs = tuple((at, to, stage_of[at]) for at, to in sorted(fixed.items()))
    return Alignment(counts, _chunks(fixed), pairs)


def _best(n_words: int, fixed: Pairs, choices: dict[int, list[int]], avoid: str) -> Pairs:
    ways = [_Way(0, (0, 0), 0, -2, ())]
    for at in range(n_words):
        options: list[int | None] = [fixed[at]] if at in fixed else [*choices[at], None]
        best: dict[tuple[int, int], _Way] = {}
        for way in ways:
            for to in options:
                if to is None or not way.taken >> to & 1:
                    longer = _longer(way, at, to, avoid, could=bool(choices.get(at)))
                    state = (longer.taken, longer.last)
                    if state not in best or longer < best[state]:
                        best[state] = longer
        ways = sorted(best.values())[:_BEAM]
    return dict(ways[0].pairs)


def _longer(way: _Way, at: int, to: int | None, avoid: str, *, could: bool) -> _Way:
    if to is None:
        return _Way(way.left_out + could, way.cost, way.taken, -2, way.pairs)
    crossings, chunks = (way.taken >> to + 1).bit_count(), int(to != way.last + 1)
    added = (crossings, chunks) if avoid == "crossings" else (chunks, crossings)
    cost = (way.cost[0] + added[0], way.cost[1] + added[1])
    return _Way(way.left_out, cost, way.taken | 1 << to, to, (*way.pairs, (at, to)))


def _chunks(pairs: Pairs) -> int:
    return sum(1 for at, to in pairs.items() if pairs.get(at - 1, -2) != to - 1)
