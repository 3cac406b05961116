"""Values of the reference implementations, read from beside the repository."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache

import numpy as np

from metrics.automatic.base import Metric
from tests.metrics.real_campaigns import real_case


@dataclass(frozen=True)
class Pair:
    id: str
    language: str
    hypothesis: str
    references: tuple[str, ...]

    @property
    def reference(self) -> str:
        return self.references[0]


@cache
def table(name: str) -> dict[str, dict[str, str]]:
    """A file of values by the id of the pair, then by column. Rows end at LF and cells at TAB, nowhere else."""
    text = (real_case("oracles") / f"{name}.tsv").read_text(encoding="utf-8")
    header, *rows = [line.split("\t") for line in text.removesuffix("\n").split("\n")]
    return {row[0]: dict(zip(header, row, strict=True)) for row in rows}


@cache
def pairs() -> dict[str, Pair]:
    return {
        row["id"]: Pair(row["id"], row["language"], row["hypothesis"], _references(row["reference"], row["reference2"]))
        for row in table("pairs").values()
    }


def _references(first: str, second: str) -> tuple[str, ...]:
    return (first, second) if second else (first,)


def corpus_values(implementation: str) -> dict[tuple[str, str], float]:
    """What an implementation says of a whole, by subset and setting."""
    text = (real_case("oracles") / "corpus.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.removesuffix("\n").split("\n")][1:]
    return {
        (subset, setting): float(value)
        for subset, named, setting, value in rows
        if named == implementation and not value.startswith("error")
    }


def subset(name: str) -> list[Pair]:
    """`de`, `en`, `other`, `all`, a language, or `en with two references`."""
    if name == "en with two references":
        return [pair for pair in pairs().values() if pair.language == "en" and len(pair.references) == 2]
    kinds = {"all": "dex", "de": "d", "en": "e", "other": "x"}.get(name)
    return [pair for pair in pairs().values() if (pair.id[0] in kinds if kinds is not None else pair.language == name)]


@cache
def signatures(file: str) -> dict[tuple[str, str], str]:
    """The signatures of a file of sacreBLEU's values, by level and column."""
    text = (real_case("oracles") / "sacrebleu-signatures.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.removesuffix("\n").split("\n")]
    return {(level, column): signature for named, level, column, signature in rows if named == file}


def values(name: str, column: str) -> dict[str, float]:
    """A column of values by pair, without those an implementation did not compute."""
    cells = {key: row[column] for key, row in table(name).items()}
    return {key: float(cell) for key, cell in cells.items() if cell and not cell.startswith("error")}


def statistics(name: str, column: str) -> dict[str, list[float]]:
    """A column of counts by pair."""
    cells = {key: row[f"{column}.stats"] for key, row in table(name).items()}
    return {key: [float(part) for part in cell.split(" ")] for key, cell in cells.items() if cell}


def difference(metric: Metric, file: str, column: str, *, without: Collection[str] = ()) -> float:
    """The largest difference of a segment's score from the oracle's; every pair of the file together is the corpus.

    A file of two references is scored with both. `without` are pairs where the two are known to differ.
    """
    expected = {key: value for key, value in values(file, column).items() if key not in without}
    of_both = file.endswith(".two-references")
    scored = metric.score(
        [pairs()[key].hypothesis for key in expected],
        [list(pairs()[key].references if of_both else pairs()[key].references[:1]) for key in expected],
    )
    return float(np.abs(scored.segments - np.array(list(expected.values()))).max())
