"""The analysis `scorecard`: penalty points and words of each system's documents, and whether they pass."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

import numpy as np

from metrics.analyses.errors import MEASURE
from metrics.analyses.evidence import Evidence
from metrics.matrices import ScoreTable
from metrics.results.tables import Column, Form, MadeCells, Note, Table, rows_of
from metrics.results.values import Missing, Number, number
from metrics.statistics.arrays import FloatArray, IntArray, group_means, group_sums, joint_codes
from metrics.statistics.mqm import DEFAULT_WEIGHTS, per_word, quality_score
from metrics.statistics.tolerance import FEWEST_WORDS, within_limits
from metrics.tolerances import Tolerance, tolerance_named

MOST_SHOWN = 30
_VERDICTS: Mapping[bool, Note] = {
    True: Note(pgettext_lazy("a text within its tolerance", "pass"), "ok"),
    False: Note(pgettext_lazy("a text above its tolerance", "fail"), "bad"),
}


@dataclass(frozen=True)
class TextScore:
    """A system's judged segments of a `document`: the sum of their mean penalties, and their source's words.

    Of all its documents where `document` is None. `per_thousand` is points for a thousand words, `quality_score`
    MQM-Core's raw one, `limit` the points that are tolerated in so many words. Without words they are missing.
    """

    system: str
    document: str | None
    segments: int
    words: Number
    points: Number
    per_thousand: Number
    quality_score: Number
    limit: Number
    passed: bool | Missing


@dataclass(frozen=True)
class SystemScore:
    """All judged documents of a system together, and how many of them pass, fail and are too short for a verdict."""

    whole: TextScore
    documents: int
    passing: int
    failing: int
    too_short: int


@dataclass(frozen=True)
class Scorecard:
    """Systems in the order of their names, documents in the test set's; `tolerance` and `model` may be None.

    `systems` are all documents, of a stored result only those that a page shows, the furthest above their limit first.
    """

    weights: str | None
    tolerance: str | None
    model: str | None
    totals: tuple[SystemScore, ...]
    systems: tuple[TextScore, ...]

    def split(self) -> tuple["Scorecard", tuple[TextScore, ...]]:
        failed = [each for each in self.systems if each.passed is False]
        worst = sorted(failed, key=lambda each: -_excess(each))[:MOST_SHOWN]
        return replace(self, systems=tuple(worst)), self.systems

    def join(self, systems: tuple[TextScore, ...]) -> "Scorecard":
        return replace(self, systems=systems)


NO_SCORECARD = Scorecard(None, None, None, (), ())


def scorecard(evidence: Evidence) -> Scorecard:
    """From the judgments that rank the systems; a segment's penalty is the mean over its annotators."""
    table = next((each for each in evidence.tables if each.measure == MEASURE), None)
    if table is None:
        return NO_SCORECARD
    recipe = evidence.recipe
    tolerance = tolerance_named(recipe.tolerance) if recipe.tolerance else None
    rows = table.where(evidence.of_systems(table) & ~table.is_document_level & ~np.isnan(table.values))
    by_system: dict[str, list[tuple[str, FloatArray, FloatArray]]] = {}
    for system, document, points, words in _documents(rows):
        by_system.setdefault(system, []).append((document, points, words))
    systems, totals = list[TextScore](), list[SystemScore]()
    for system, documents in sorted(by_system.items()):
        own = [_text(system, name, points, words, tolerance) for name, points, words in documents]
        points = np.concatenate([each for _name, each, _words in documents])
        words = np.concatenate([each for _name, _points, each in documents])
        systems += own
        totals.append(_system(_text(system, None, points, words, tolerance), own))
    return Scorecard(
        weights=recipe.weights or DEFAULT_WEIGHTS,
        tolerance=tolerance.name if tolerance else None,
        model=tolerance.model if tolerance else None,
        totals=tuple(totals),
        systems=tuple(systems),
    )


def _documents(table: ScoreTable) -> list[tuple[str, str, FloatArray, FloatArray]]:
    """Of each system and document, in the order of their codes, the points and words of each segment."""
    cells, first, code = _distinct(table.system, table.document, table.segment)
    points, words = -group_means(table.values, code, cells), table.source_words[first]
    n_texts, text_first, text = _distinct(table.system[first], table.document[first])
    order = np.argsort(text, kind="stable")
    ends = np.cumsum(group_sums(np.ones(cells), text, n_texts)).astype(np.int64)[:-1]
    at = first[text_first]
    names = [(table.systems[table.system[row]], table.documents[table.document[row]]) for row in at.tolist()]
    parts = zip(names, np.split(points[order], ends), np.split(words[order], ends), strict=True)
    return [(*name, own_points + 0.0, own_words) for name, own_points, own_words in parts] if cells else []


def _distinct(*codes: IntArray) -> tuple[int, IntArray, IntArray]:
    """How many combinations of codes there are, the first row of each, and which one each row is."""
    distinct, first, of_rows = np.unique(joint_codes(*codes), return_index=True, return_inverse=True)
    return distinct.size, first, of_rows


def _text(
    system: str, document: str | None, points: FloatArray, words: FloatArray, tolerance: Tolerance | None
) -> TextScore:
    """A part of the words would make errors look dense: unless all are known, none are."""
    is_known = bool(np.isfinite(words).all())
    total, count = float(points.sum()), float(words.sum())
    allowed = tolerance.limits(np.array([count])) if tolerance else None
    limit: Number = Missing("no_tolerance") if allowed is None else number(float(allowed[0]), "words_unknown")
    return TextScore(
        system=system,
        document=document,
        segments=points.size,
        words=number(count, "words_unknown"),
        points=number(total),
        per_thousand=number(1000 * per_word(points, words) if is_known else np.nan, "words_unknown"),
        quality_score=number(quality_score(points, words) if is_known else np.nan, "words_unknown"),
        limit=limit,
        passed=_verdict(total, count, limit),
    )


def _verdict(points: float, words: float, limit: Number) -> bool | Missing:
    if isinstance(limit, Missing):
        return limit
    if words < FEWEST_WORDS:
        return Missing("too_short")
    return bool(within_limits([points], [limit])[0])


def _system(whole: TextScore, documents: list[TextScore]) -> SystemScore:
    return SystemScore(
        whole=whole,
        documents=len(documents),
        passing=sum(each.passed is True for each in documents),
        failing=sum(each.passed is False for each in documents),
        too_short=sum(each.passed == Missing("too_short") for each in documents),
    )


def _excess(text: TextScore) -> float:
    """How many times as many points as are tolerated."""
    if isinstance(text.points, Missing) or isinstance(text.limit, Missing):
        return 0.0
    return text.points / text.limit if text.limit else text.points


def _shown(passed: bool | Missing) -> Note | None:
    if isinstance(passed, Missing):
        return Note(_("too short"), "tag") if passed.reason == "too_short" else None
    return _VERDICTS[passed]


def _verdict_in_files(text: TextScore) -> str:
    if isinstance(text.passed, Missing):
        return text.passed.reason
    return "pass" if text.passed else "fail"


_NUMBERS = (
    Column("words", gettext_lazy("Words"), decimals=0, highest_first=True),
    Column("points", gettext_lazy("Points"), decimals=1, highest_first=True),
    Column("limit", gettext_lazy("Points tolerated"), decimals=1, highest_first=True),
    Column("per_thousand", gettext_lazy("Points in 1000 words"), decimals=1, highest_first=True),
)


def scorecard_table(result: Scorecard) -> Table:
    """For files: a row for each system and document, after all documents of a system its sum without a document."""
    columns = (
        Column("system", gettext_lazy("System"), Form.NAME),
        Column("document", gettext_lazy("Document"), Form.TEXT),
        Column("segments", gettext_lazy("Segments"), Form.COUNT),
        *_NUMBERS,
        Column("quality_score", gettext_lazy("Quality score"), decimals=1),
        Column("verdict", gettext_lazy("Verdict"), Form.TEXT),
        Column("tolerance", form=Form.TEXT),
        Column("model", form=Form.TEXT),
        Column("weights", form=Form.TEXT),
    )
    texts = sorted(
        [*result.systems, *(each.whole for each in result.totals)],
        key=lambda each: (each.system, each.document is None),
    )
    others: MadeCells = {
        "verdict": _verdict_in_files,
        "tolerance": lambda _one: result.tolerance,
        "model": lambda _one: result.model,
        "weights": lambda _one: result.weights,
    }
    return Table("scorecard", _("Penalty of each document"), columns=columns, rows=rows_of(columns, texts, others))


def verdicts_table(result: Scorecard) -> Table:
    """For pages and a terminal: systems, and how many of their documents pass. Without a tolerance it has no rows."""
    columns = (
        Column("system", gettext_lazy("System"), Form.NAME),
        Column("verdict", gettext_lazy("All documents"), Form.TEXT),
        *_NUMBERS,
        Column("passing", gettext_lazy("Documents passed"), Form.COUNT, highest_first=True),
        Column("failing", gettext_lazy("Failed"), Form.COUNT, highest_first=True),
        Column("too_short", gettext_lazy("Too short"), Form.COUNT, highest_first=True),
    )
    names = [column.name for column in _NUMBERS]
    rows = tuple(
        (
            each.whole.system,
            _shown(each.whole.passed),
            *(getattr(each.whole, name) for name in names),
            each.passing,
            each.failing,
            each.too_short,
        )
        for each in result.totals
    )
    return Table(
        "scorecard",
        _("Scorecard"),
        columns=columns,
        rows=rows if result.tolerance else (),
        part="scorecard",
        page=tuple(column.name for column in columns),
        terminal=("system", *names, "passing", "failing", "too_short"),
        lead=_("tolerance: %(words)s") % {"words": tolerance_in_words(result)} if result.tolerance else "",
        notes=_notes_on(result),
    )


def _notes_on(result: Scorecard) -> tuple[str, ...]:
    how = _(
        "A text passes if its penalty points are at most those tolerated in as many words of its source. A document "
        "under %(fewest)d words is too short for a verdict."
    ) % {"fewest": FEWEST_WORDS}
    if not any(each.whole.passed == Missing("words_unknown") for each in result.totals):
        return (how,)
    return (
        how,
        _(
            "A text without a verdict has a source whose words cannot be counted: it has none, or its language writes "
            "without spaces."
        ),
    )


def failing_table(result: Scorecard) -> Table:
    """For a page: the documents furthest above their limit."""
    columns = (
        Column("document", gettext_lazy("Document"), Form.NAME),
        Column("system", gettext_lazy("System"), Form.TEXT),
        *_NUMBERS,
        Column("times", gettext_lazy("Times the limit"), decimals=1, highest_first=True),
    )
    failed = sorted((each for each in result.systems if each.passed is False), key=lambda each: -_excess(each))
    return Table(
        "scorecard",
        _("Documents that fail"),
        columns=columns,
        rows=rows_of(columns, failed[:MOST_SHOWN], {"times": _excess}),
        part="failing",
        page=tuple(column.name for column in columns),
        lead=_("the furthest above the limit first; all documents are in the file"),
    )


def tolerance_in_words(result: Scorecard) -> str:
    """Empty where none is agreed."""
    if result.tolerance is None:
        return ""
    tolerance = tolerance_named(result.tolerance)
    if tolerance.curve is None:
        return _("%(points)s points in 1,000 words") % {"points": tolerance.name}
    (x1, e1), (x2, e2) = tolerance.agreed
    return _("%(e1)g points in %(x1)g words and %(e2)g in %(x2)g, on a logarithmic curve") % {
        "x1": x1, "e1": e1, "x2": x2, "e2": e2,
    }  # fmt: skip
