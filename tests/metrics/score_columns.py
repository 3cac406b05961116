"""Real scores as columns, one row a score, as the reference programs for models of scores read them."""

import csv
import gzip
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from tests.metrics.real_campaigns import crowd_rows, real_case

_WEIGHTS = {"major": 5.0, "minor": 1.0}
_PUNCTUATION, _NON_TRANSLATION = 0.1, 25.0


@dataclass(frozen=True)
class ScoreColumns:
    """Columns of one length; no documents where the campaign has none."""

    scores: tuple[float, ...]
    systems: tuple[str, ...]
    annotators: tuple[str, ...]
    segments: tuple[str, ...]
    documents: tuple[str, ...] | None


@cache
def columns_of(name: str) -> ScoreColumns:
    """By the name of an entry of statistics2/expected.json."""
    name = name.partition("+")[0]
    if name.startswith("da-"):
        return _crowd(f"{name[3:5]}-{name[5:]}")
    if name.startswith("calibration-"):
        return _calibration(name.removeprefix("calibration-"))
    return {"esa-ende": _spans, "mqm-ted": _talks, "mqm-three": _three_raters}[name]()


def _columns(rows: Iterable[tuple[tuple[str, ...], float]]) -> ScoreColumns:
    """Of rows ((annotator, document, segment, system), score)."""
    keys, scores = zip(*sorted(rows), strict=True)
    annotators, documents, segments, systems = zip(*keys, strict=True)
    return ScoreColumns(scores, systems, annotators, segments, documents)


def _spans() -> ScoreColumns:
    """WMT23 again with spans: of an account's rows of one item the latest; accounts are numbered in hexadecimal."""
    folder = real_case("esa-wmt23-ende")
    with (folder / "batches_items.tsv").open(encoding="utf-8", newline="") as lines:
        line_of = {(int(row["batch"]), row["item_id"]): row["line"] for row in csv.DictReader(lines, delimiter="\t")}
    latest: dict[tuple[str, ...], tuple[float, float]] = {}
    with gzip.open(folder / "240315rc5ESA.scores.csv.gz", "rt", encoding="utf-8", newline="") as text:
        for user, system, item, kind, _, _, score, document, _, _, _, ended in csv.reader(text):
            if kind != "TGT" or "tutorial" in document or "#duplicate" in document:
                continue
            key = (user, document.rpartition("#")[0], line_of[int(user[-2:], 16), item], system)
            if key not in latest or float(ended) >= latest[key][1]:
                latest[key] = (float(score), float(ended))
    return _columns((key, score) for key, (score, _) in latest.items())


def _talks() -> ScoreColumns:
    path = real_case("mqm-ted-ende") / "mqm_ted_ende.tsv.gz"
    return _penalties(path, ("rater", "doc", "seg_id", "system"))


def _three_raters() -> ScoreColumns:
    path = next(real_case("mqm-wmt23-ende-three-raters").glob("sxs_*.gz"))
    return _penalties(path, ("rater", "doc", "globalSegId", "system"))


def _penalties(path: object, key: tuple[str, ...]) -> ScoreColumns:
    """Penalties of errors summed by rater and translation, by the weights of WMT21."""
    sums: dict[tuple[str, ...], float] = {}
    with gzip.open(str(path), "rt", encoding="utf-8", newline="\n") as lines:
        header = next(lines).rstrip("\n").split("\t")
        for line in lines:
            row = dict(zip(header, line.rstrip("\n").split("\t"), strict=False))
            if row["severity"] == "HOTW-test":
                continue
            cell = tuple(row[name] for name in key)
            sums[cell] = sums.get(cell, 0.0) + _penalty(row["category"].lower(), row["severity"].lower())
    return _columns((cell, round(value, 6)) for cell, value in sums.items())


def _penalty(category: str, severity: str) -> float:
    if category.startswith("non-translation") and severity == "major":
        return _NON_TRANSLATION
    if category == "fluency/punctuation" and severity == "minor":
        return _PUNCTUATION
    return _WEIGHTS.get(severity, 0.0)


def _crowd(pair: str) -> ScoreColumns:
    rows = [row for row in crowd_rows(pair) if row.kind == "regular"]
    return ScoreColumns(
        tuple(float(row.score) for row in rows),
        tuple(row.system for row in rows),
        tuple(row.annotator for row in rows),
        tuple(row.segment for row in rows),
        None,
    )


def _calibration(pair: str) -> ScoreColumns:
    source, target = pair.split("-")
    rows: list[tuple[tuple[str, ...], float]] = []
    with gzip.open(next(real_case("da-wmt22-calibration").glob("WMT22*.gz")), "rt", encoding="utf-8") as lines:
        for user, system, item, kind, row_source, row_target, score, document, is_document, *_ in csv.reader(lines):
            if (row_source, row_target, kind, is_document) == (source, target, "TGT", "False"):
                rows.append(((user, re.sub(r"#.*", "", document), item, system), float(score)))
    return _columns(rows)
