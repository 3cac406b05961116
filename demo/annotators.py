"""Simulated annotators: their scores follow from a system's quality, a segment's difficulty and their own manner."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

QUALITY = {"source": 95.0, "Human": 90.0, "Heron": 86.0, "Kestrel": 74.0, "Rook": 52.0, "Sparrow": 27.0}
DAMAGE = 34.0
SEGMENT_DEVIATION = 7.0


@dataclass(frozen=True)
class Manner:
    """How somebody scores: `bias` shifts, `scale` stretches around 65, `noise` is the deviation between two looks.

    A careless one answers without reading, and so fails the control items.
    """

    name: str
    bias: float
    scale: float
    noise: float
    seconds: float
    is_careless: bool = False


def make_manners(names: Sequence[str], rng: random.Random, *, careless: int) -> list[Manner]:
    """One manner for each name; the last `careless` ones answer without reading."""
    attentive = len(names) - careless
    return [
        Manner(
            name=name,
            bias=rng.gauss(0, 7),
            scale=rng.uniform(0.75, 1.15),
            noise=rng.uniform(4, 9),
            seconds=rng.uniform(18, 45) if index < attentive else 4.0,
            is_careless=index >= attentive,
        )
        for index, name in enumerate(names)
    ]


def score_of(manner: Manner, quality: float, rng: random.Random, *, damaged: bool) -> int:
    """A whole number from 0 to 100, as somebody of this manner would give it."""
    if manner.is_careless:
        return round(min(max(rng.gauss(62 + manner.bias, 16), 0), 100))
    seen = quality - (DAMAGE if damaged else 0.0)
    value = 65 + manner.bias + manner.scale * (seen - 65) + rng.gauss(0, manner.noise)
    return round(min(max(value, 0), 100))


def seconds_for(manner: Manner, words: int, rng: random.Random) -> float:
    """How long a look takes: longer for longer texts, never the same twice."""
    return max(1.5, manner.seconds * (0.5 + words / 24) * rng.lognormvariate(0, 0.3))
