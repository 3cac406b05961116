"""How far annotators mark the same errors: characters in common, and errors matched with partial credit."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import numpy as np

from annotation.taxonomies.typology import category_words
from metrics.analyses.errors import SEVERITY_WORDS
from metrics.analyses.evidence import Evidence
from metrics.analyses.shared_ratings import items_of
from metrics.error_table import ErrorTable
from metrics.matrices import ScoreTable
from metrics.results.tables import Cell, Column, Form, Table, Text
from metrics.results.values import Missing, Number, number
from metrics.statistics.arrays import BoolArray, IntArray
from metrics.statistics.span_matching import SIGNATURE, SpanMatches, match_spans
from metrics.statistics.spans import SEVERITIES, SpanRows, character_agreement

PENALTY = "penalty"
COUNTED_SEVERITIES = ("minor", "major", "critical")
MATCHED_TABLE = "matched-spans"
_WHY: Mapping[str, Text] = {
    "nothing_marked": gettext_lazy("n/a: nothing was marked"),
    "nothing_in_reference": gettext_lazy("n/a: the others marked nothing"),
    "neither_marked": gettext_lazy("n/a: neither marked anything"),
}
_COLUMNS = (
    Column("kind", "", Form.TEXT),
    Column("name", "", Form.TEXT),
    Column("title", gettext_lazy("Errors"), Form.NAME, under="of", is_in_files=False),
    Column("of", "", Form.TEXT, is_in_files=False),
    Column("precision", gettext_lazy("Precision"), decimals=3, missing=_WHY),
    Column("recall", gettext_lazy("Recall"), decimals=3, missing=_WHY),
    Column("f", gettext_lazy("F"), decimals=3, missing=_WHY),
    Column("predicted", gettext_lazy("Marked"), Form.COUNT),
    Column("gold", gettext_lazy("By the others"), Form.COUNT),
    Column("signature", "", Form.TEXT),
)


@dataclass(frozen=True, kw_only=True)
class SpanShares:
    """Errors of one side (`predicted`) matched with those of another (`gold`): credit in sum, and its shares."""

    precision: Number
    recall: Number
    f: Number
    predicted: int
    gold: int
    credit_precision: float
    credit_recall: float


@dataclass(frozen=True, kw_only=True)
class AnnotatorSpans(SpanShares):
    """One annotator's errors against those of everybody else who judged the same outputs, in `comparisons`."""

    annotator: str
    comparisons: int


@dataclass(frozen=True, kw_only=True)
class MatchedSpans(SpanShares):
    """Of every two annotators of an output the first by name is the prediction, so that only F has no direction.

    `severities` and main `categories` match errors that have it on both sides.
    """

    signature: str
    comparisons: int
    severities: Mapping[str, SpanShares]
    categories: Mapping[str, SpanShares]
    annotators: tuple[AnnotatorSpans, ...]


@dataclass(frozen=True)
class MarkedSpans:
    """Shares of characters (0 to 1) that every two annotators of an output marked alike, over `comparisons`.

    In `both_empty` of them nobody marked anything, in `identical` both marked the same. `mpp` is None of runs from
    before errors were matched.
    """

    f1_micro: Number
    f1_macro: Number
    iou_micro: Number
    iou_macro: Number
    f1_macro_severity: Number
    comparisons: int
    both_empty: int
    identical: int
    mpp: MatchedSpans | None = None


class Marks(NamedTuple):
    """Errors with characters in translations, minor and worse: `spans` by the row of their judgment, `category` codes.

    `categories` are the main ones.
    """

    spans: SpanRows
    category: IntArray
    categories: tuple[str, ...]


def span_agreement(evidence: Evidence) -> MarkedSpans | Missing:
    """Every two annotators who judged the same output, on the translation's side, minor and worse."""
    marked = evidence.marked
    if marked is None:
        return Missing("no_spans_asked")
    table = penalties_of(evidence)
    pairs = np.zeros((0, 2), dtype=np.int64) if table is None else pairs_of_rows(evidence, table)
    if table is None or not len(pairs):
        return Missing("no_overlap")
    marks = marks_of(marked)
    return replace(_characters(marks, pairs), mpp=_matched(marks, table, pairs))


def penalties_of(evidence: Evidence) -> ScoreTable | None:
    return next((each for each in evidence.tables if each.measure == PENALTY), None)


def judged_rows(evidence: Evidence, table: ScoreTable) -> IntArray:
    """The last row of each annotator and output, as agreement counts them."""
    rows = np.flatnonzero(evidence.counted(table) & table.of_kinds(["regular"]) & table.is_own)
    keys = items_of(table)[rows] * max(len(table.annotators), 1) + table.annotator[rows]
    last = np.unique(keys[::-1], return_index=True)[1]
    return np.sort(rows[::-1][last])


def pairs_of_rows(evidence: Evidence, table: ScoreTable) -> IntArray:
    """Shape: (n_comparisons, 2). Rows of every two annotators who judged one output, the first by name first."""
    rows = judged_rows(evidence, table)
    by_name = np.argsort(np.argsort(table.annotators))[table.annotator[rows]] if rows.size else rows
    items = items_of(table)[rows]
    order = np.lexsort((by_name, items))
    rows, items = rows[order], items[order]
    after = np.searchsorted(items, items, side="right") - np.arange(items.size) - 1
    one = np.repeat(np.arange(items.size), after)
    other = one + 1 + np.arange(one.size) - np.repeat(np.cumsum(after) - after, after)
    return np.stack([rows[one], rows[other]], axis=1)


def marks_of(marked: ErrorTable) -> Marks:
    ranks = np.array([SEVERITIES.index(each) if each in COUNTED_SEVERITIES else 0 for each in marked.severities])
    mains = [category.partition("/")[0] for category in marked.categories]
    categories = tuple(sorted(set(mains)))
    codes = np.array([categories.index(main) for main in mains], dtype=np.int64)
    severity = ranks[marked.label] if ranks.size else np.zeros(0, dtype=np.int64)
    stays = marked.is_target & (severity > 0) & (marked.end > marked.start)
    spans = SpanRows(marked.row, marked.start, marked.end, severity)
    category = codes[marked.label[stays]] if codes.size else np.zeros(0, dtype=np.int64)
    return Marks(where_spans(spans, stays), category, categories)


def where_spans(spans: SpanRows, stays: BoolArray | IntArray) -> SpanRows:
    return SpanRows(spans.comparison[stays], spans.start[stays], spans.end[stays], spans.severity[stays])


def spans_at(spans: SpanRows, rows: IntArray) -> tuple[SpanRows, IntArray]:
    """The spans of each of the `rows`, which may repeat: `comparison` is the place among them. And which spans."""
    order = np.argsort(spans.comparison, kind="stable")
    first = np.searchsorted(spans.comparison[order], rows, side="left")
    count = np.searchsorted(spans.comparison[order], rows, side="right") - first
    within = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    chosen = order[np.repeat(first, count) + within]
    comparison = np.repeat(np.arange(rows.size), count)
    return SpanRows(comparison, spans.start[chosen], spans.end[chosen], spans.severity[chosen]), chosen


def shares(matches: SpanMatches, reason: str = "") -> SpanShares:
    """`reason`: why nothing exists, if that is not that somebody marked nothing."""
    return SpanShares(
        precision=number(matches.precision, reason or "nothing_marked"),
        recall=number(matches.recall, reason or "nothing_in_reference"),
        f=number(matches.f, reason or "neither_marked"),
        predicted=matches.predicted,
        gold=matches.gold,
        credit_precision=float(matches.credit_predicted.sum()),
        credit_recall=float(matches.credit_gold.sum()),
    )


def _matched(marks: Marks, table: ScoreTable, pairs: IntArray) -> MatchedSpans:
    (one, of_one), (other, of_other) = (spans_at(marks.spans, rows) for rows in pairs.T)
    whole = match_spans(one, other)

    def of_label(one_has: BoolArray, other_has: BoolArray) -> SpanShares:
        return shares(match_spans(where_spans(one, one_has), where_spans(other, other_has)))

    severities = np.unique(np.concatenate([one.severity, other.severity])).tolist()
    categories = np.unique(np.concatenate([marks.category[of_one], marks.category[of_other]])).tolist()
    return MatchedSpans(
        **vars(shares(whole)),
        signature=SIGNATURE,
        comparisons=len(pairs),
        severities={SEVERITIES[code]: of_label(one.severity == code, other.severity == code) for code in severities},
        categories={
            marks.categories[code]: of_label(marks.category[of_one] == code, marks.category[of_other] == code)
            for code in categories
            if marks.categories[code]
        },
        annotators=tuple(_of_annotators(whole, (one.comparison, other.comparison), table, pairs)),
    )


def _of_annotators(
    matches: SpanMatches, comparisons: tuple[IntArray, IntArray], table: ScoreTable, pairs: IntArray
) -> list[AnnotatorSpans]:
    """Each as the prediction, whichever of the two came first."""
    annotators = table.annotator[pairs]
    credits = np.concatenate([matches.credit_predicted, matches.credit_gold])
    owner, opposite = (
        np.concatenate([annotators[comparisons[side], side ^ other] for side in (0, 1)]) for other in (0, 1)
    )
    counts = np.bincount(annotators.ravel(), minlength=len(table.annotators))
    return [
        AnnotatorSpans(
            **vars(shares(SpanMatches(credits[owner == code], credits[opposite == code]))),
            annotator=table.annotators[code],
            comparisons=int(counts[code]),
        )
        for code in np.flatnonzero(counts).tolist()
    ]


def _characters(marks: Marks, pairs: IntArray) -> MarkedSpans:
    first, second = (spans_at(marks.spans, rows)[0] for rows in pairs.T)
    found = character_agreement(first, second, len(pairs))
    return MarkedSpans(
        f1_micro=found.f1_micro.value,
        f1_macro=found.f1_macro.value,
        iou_micro=found.iou_micro.value,
        iou_macro=found.iou_macro.value,
        f1_macro_severity=found.f1_macro_severity.value,
        comparisons=found.f1_macro.n,
        both_empty=found.f1_macro.both_empty,
        identical=found.f1_macro.perfect,
    )


def matched_spans_table(
    spans: MarkedSpans | Missing, people: Mapping[str, str] | None = None, signature: str = ""
) -> Table:
    """All errors, those of each severity and category, and each annotator's against the others'.

    `people` are names of annotators as a page shows them.
    """
    matched = None if isinstance(spans, Missing) else spans.mpp
    rows: list[tuple[Cell, ...]] = []
    if matched is not None:
        signed = f"{signature}|{matched.signature}" if signature else matched.signature
        parts: list[tuple[str, str, str, Text, SpanShares]] = [
            ("all", "", _("All errors"), "", matched),
            *(
                ("severity", name, str(SEVERITY_WORDS[name]), _("severity"), one)
                for name, one in matched.severities.items()
            ),
            *(
                ("category", name, category_words(name, {}), _("category"), one)
                for name, one in matched.categories.items()
            ),
            *(
                (
                    "annotator",
                    one.annotator,
                    (people or {}).get(one.annotator, one.annotator),
                    _("annotator"),
                    one,
                )
                for one in matched.annotators
            ),
        ]
        rows = [
            (kind, name, title, str(of), one.precision, one.recall, one.f, one.predicted, one.gold, signed)
            for kind, name, title, of, one in parts
        ]
    return Table(
        MATCHED_TABLE,
        _("Marked errors, matched with partial credit"),
        _COLUMNS,
        tuple(rows),
        part=MATCHED_TABLE,
        page=("title", "precision", "recall", "f", "predicted", "gold"),
        terminal=("kind", "name", "precision", "recall", "f", "predicted", "gold"),
        main="f",
        cuts=frozenset(at for at, (one, below) in enumerate(pairwise(rows)) if one[0] != below[0]),
        is_sortable=False,
        notes=(
            _("Each error is matched with at most one error of the other annotator; what both cover gives credit."),
            _(
                "Of two annotators the first by name is the prediction: F does not depend on it. Of an annotator, "
                "precision is how much of what they mark the others mark, and recall the reverse."
            ),
        ),
    )
