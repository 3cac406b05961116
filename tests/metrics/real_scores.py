"""Score tables of real campaigns with their documents, annotators and segments, read from beside the repository."""

import math
from collections import defaultdict
from functools import cache

from metrics.matrices import ScoreTable
from tests.metrics.real_campaigns import real_case
from tests.metrics.score_columns import columns_of
from tests.metrics.score_tables import score_table


@cache
def esa_table() -> ScoreTable:
    """WMT23 English to German judged again with ESA, without the human translation: 12 systems, 71 documents."""
    columns = columns_of("esa-ende")
    rows = [place for place, system in enumerate(columns.systems) if system != "wmt23.refA"]
    assert columns.documents is not None
    return score_table(
        "score",
        values=[columns.scores[row] for row in rows],
        annotators=[columns.annotators[row] for row in rows],
        systems=[columns.systems[row] for row in rows],
        segments=[columns.segments[row] for row in rows],
        documents=[columns.documents[row] for row in rows],
        low=0,
        high=100,
    )


@cache
def mqm_table() -> ScoreTable:
    """Means of raters per segment, as published: 12 systems, 190 documents, 460 segments; negative penalties."""
    home = real_case("metrics-wmt23-ende") / "wmt23"
    lines = (home / "documents" / "en-de.docs").read_text(encoding="utf-8").splitlines()
    documents = [line.split("\t")[1] for line in lines]
    scores: dict[str, list[float]] = defaultdict(list)
    for line in (home / "human-scores" / "en-de.mqm.seg.score").read_text().splitlines():
        system, score = line.split()
        scores[system].append(math.nan if score == "None" else float(score))
    rows = [
        (system, str(place), documents[place], score)
        for system, of_system in scores.items()
        for place, score in enumerate(of_system)
        if system != "refA" and not math.isnan(score)
    ]
    systems, segments, of_rows, values = zip(*rows, strict=True)
    raters = ["all"] * len(rows)
    return score_table("score", values=values, annotators=raters, systems=systems, segments=segments, documents=of_rows)


@cache
def three_raters_table() -> ScoreTable:
    """WMT23 English to German by three raters of each segment: 10 systems, 30 documents; penalties."""
    columns = columns_of("mqm-three")
    return score_table(
        "penalty",
        higher_is_better=False,
        values=columns.scores,
        annotators=columns.annotators,
        systems=columns.systems,
        segments=columns.segments,
        documents=columns.documents,
    )
