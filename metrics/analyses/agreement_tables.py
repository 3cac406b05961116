"""The tables of agreement: coefficients of each measure, of preferences, and of marked errors."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from metrics.analyses.agreement import AnnotatorAgreement, MeasureAgreement
from metrics.analyses.marked_spans import MarkedSpans
from metrics.analyses.preferences import PreferenceKappa
from metrics.analyses.ranking_tables import ReadWith
from metrics.results.tables import Cell, Column, Form, Table, Text
from metrics.results.values import Ends, Missing, Number
from metrics.statistics.agreement.krippendorff import LEVELS

TENTATIVE = 2 / 3  # Krippendorff's minimum of alpha for tentative conclusions
MARKS_TABLE = "spans"
ALPHAS: Mapping[str, Text] = {
    "ordinal": gettext_lazy("Krippendorff’s alpha (ordinal)"),
    "interval": gettext_lazy("Krippendorff’s alpha (interval)"),
    "interval_z": gettext_lazy("Krippendorff’s alpha (interval, on z-scores)"),
    "nominal": gettext_lazy("Krippendorff’s alpha (nominal)"),
    "ratio": gettext_lazy("Krippendorff’s alpha (ratio)"),
}
ALL_ALPHAS = (*LEVELS, "interval_z")
MARKS: Mapping[str, Text] = {
    "f1_micro": gettext_lazy("Character F1 (micro-averaged)"),
    "f1_macro": gettext_lazy("Character F1 (mean over comparisons)"),
    "f1_macro_severity": gettext_lazy("Character F1 (mean), half credit for another severity"),
    "iou_micro": gettext_lazy("Intersection over union (micro-averaged)"),
    "iou_macro": gettext_lazy("Intersection over union (mean over comparisons)"),
}
REASONS: Mapping[str, Text] = {
    "no_overlap": gettext_lazy("nothing was judged by two annotators"),
    "no_variation": gettext_lazy("all answers are the same, so that chance agrees as well"),
    "negative_ratings": gettext_lazy("there are numbers below zero"),
    "not_normalised": gettext_lazy("this recipe makes no z-scores"),
    "no_categories": gettext_lazy("the scale has no upper end, so that there are no categories"),
}
PAIR_COEFFICIENTS = ("kappa", "kappa_linear", "kappa_quadratic", "pearson", "kendall_b")
KAPPAS: Mapping[str, Text] = {
    "inter": gettext_lazy("Kappa between annotators"),
    "intra": gettext_lazy("Intra-annotator kappa (repeated comparisons)"),
}


@dataclass(frozen=True)
class _Coefficient:
    """A row: `key` names it in files, `of` says on how much it rests, `n` how many items that is."""

    key: str
    name: Text
    value: Number
    interval: Ends | None
    n: int | None
    of: str
    missing: str = ""


def fitting_alphas(entry: MeasureAgreement) -> tuple[str, ...]:
    """What fits the scale first. Points have an order and names, a slider has distances, the rest has a zero."""
    if entry.level == "ordinal":
        return ("ordinal", "interval", "nominal")
    return (entry.level, "interval_z", "ordinal") if entry.is_cut else (entry.level, "ordinal", "ratio")


def all_alphas(entry: MeasureAgreement) -> tuple[str, ...]:
    return tuple(sorted(ALL_ALPHAS, key=lambda level: level != entry.level))


def agreement_tables(
    result: AnnotatorAgreement,
    read_with: ReadWith,
    alphas: Callable[[MeasureAgreement], Sequence[str]] = fitting_alphas,
) -> list[Table]:
    """One a measure in the protocol's order, then that of preferences and that of marked errors."""
    tables = [
        _table(one.measure, read_with.title(one.measure), _of_measure(one, alphas(one)), read_with, _cut_note(one))
        for one in result.measures
    ]
    if not isinstance(result.preference, Missing):
        kappas = [_kappa(mode, kappa) for mode, kappa in result.preference.modes.items()]
        tables.append(_table(relative_measure(read_with), _("Preferences"), kappas, read_with))
    if not isinstance(result.spans, Missing):
        tables.append(_marks_table(result.spans, read_with))
    return tables


def main_interval(result: AnnotatorAgreement) -> Ends:
    """Of the first coefficient of the first measure, or of preferences."""
    for one in result.measures:
        return one.alpha_interval[one.level]
    return result.preference if isinstance(result.preference, Missing) else result.preference.inter.interval


def relative_measure(read_with: ReadWith) -> str:
    """The measure that preferences are made of."""
    return next((name for name, measure in read_with.measures.items() if measure.is_relative), "rank")


COLUMNS = (
    Column("measure", gettext_lazy("Measure"), Form.TEXT),
    Column("coefficient", gettext_lazy("Coefficient"), Form.TEXT),
    Column("value", gettext_lazy("Value"), under="interval"),
    Column(
        "interval", gettext_lazy("95% interval"), Form.ENDS, keys=("low", "high"), of="value",
        span=(0, 1), mark=TENTATIVE,
    ),
    Column("n", "n", Form.COUNT),
    Column("missing", "", Form.TEXT),
    Column("signature", gettext_lazy("Signature"), Form.TEXT),
    Column("name", gettext_lazy("Coefficient"), Form.NAME, under="of", is_in_files=False),
    Column("of", "", Form.TEXT, is_in_files=False),
)  # fmt: skip


COEFFICIENT_FILE_COLUMNS = tuple(key for column in COLUMNS for key in column.file_keys)


def _table(
    measure: str,
    title: Text,
    coefficients: Sequence[_Coefficient],
    read_with: ReadWith,
    notes: tuple[str, ...] = (),
    page: tuple[str, ...] = ("name", "chart:interval", "value"),
) -> Table:
    return Table(
        "agreement",
        title,
        columns=COLUMNS,
        rows=tuple(
            (
                measure, one.key, one.value, one.interval, one.n, _missing(one), read_with.signature,
                str(one.name), _missing(one) or one.of,
            )
            for one in coefficients
        ),
        part=f"coefficients-{measure}",
        page=page,
        terminal=("measure", "coefficient", "value", "interval", "n", "missing"),
        main="value",
        main_row=str(coefficients[0].name),
        is_sortable=False,
        notes=notes,
    )  # fmt: skip


def _missing(one: _Coefficient) -> str:
    """ "n/a: " and why."""
    if not isinstance(one.value, Missing):
        return ""
    reason = one.missing or REASONS.get(one.value.reason, one.value.reason)
    return _("n/a: %(reason)s") % {"reason": reason}


def _of_measure(entry: MeasureAgreement, alphas: Sequence[str]) -> list[_Coefficient]:
    """Alphas, the first of everybody too where some do not count, kappas, and each annotator's own repeats."""
    items = ngettext("%(count)d item", "%(count)d items", entry.items) % {"count": entry.items}
    coefficients = [
        _Coefficient(level, ALPHAS[level], entry.alpha[level], entry.alpha_interval[level], entry.items, items)
        for level in alphas
    ]
    if entry.everybody:
        coefficients.insert(
            1,
            _Coefficient(
                f"{entry.level}-everybody",
                _("%(alpha)s, all annotators") % {"alpha": ALPHAS[entry.level]},
                entry.everybody.alpha,
                entry.everybody.interval,
                None,
                _annotators(entry.everybody.annotators),
            ),
        )
    coefficients[0] = replace(coefficients[0], of=f"{_annotators(entry.annotators)}, {items}")
    if entry.fleiss != Missing("no_categories"):  # a scale without ends has no such value: not missing
        n = entry.fleiss_items
        of = ngettext("%(count)d item", "%(count)d items", n) % {"count": n}
        coefficients += [
            _Coefficient("fleiss", _("Fleiss’ kappa"), entry.fleiss, entry.fleiss_interval, n, of),
            _Coefficient("gwet_ac1", _("Gwet’s AC1"), entry.gwet_ac1, entry.gwet_ac1_interval, entry.items, items),
        ]
    repeats = entry.repeats
    if not isinstance(repeats, Missing):
        of = ngettext("%(count)d repeat", "%(count)d repeats", repeats.n) % {"count": repeats.n}
        name = _("Intra-annotator alpha (repeated items)")
        coefficients.append(_Coefficient("repeats", name, repeats.alpha, repeats.interval, repeats.n, of))
    return coefficients


def _annotators(count: int) -> str:
    return ngettext("%(count)d annotator", "%(count)d annotators", count) % {"count": count}


def _kappa(mode: str, kappa: PreferenceKappa) -> _Coefficient:
    of = ngettext(
        "same answer in %(agreed)d of %(all)d comparison",
        "same answer in %(agreed)d of %(all)d comparisons",
        kappa.comparable,
    ) % {"agreed": kappa.agreed, "all": kappa.comparable}
    is_unrepeated = mode == "intra" and kappa.kappa == Missing("no_overlap")
    missing = _("nothing was compared twice by the same annotator") if is_unrepeated else ""
    return _Coefficient(mode, KAPPAS[mode], kappa.kappa, kappa.interval, kappa.comparable, of, missing)


def _cut_note(entry: MeasureAgreement) -> tuple[str, ...]:
    if not entry.is_cut:
        return ()
    return (_("For Fleiss, AC1 and kappa the scale is cut into equal bands; another cut gives another number."),)


def _marks_table(spans: MarkedSpans, read_with: ReadWith) -> Table:
    coefficients = [
        _Coefficient(key, name, getattr(spans, key), None, spans.comparisons, "") for key, name in MARKS.items()
    ]
    of_empty = ngettext(
        "One comparison of two annotators on one translation; %(empty)d in which neither marked anything count as 1 in "
        "the means.",
        "%(count)d comparisons of two annotators on one translation; %(empty)d in which neither marked anything count "
        "as 1 in the means.",
        spans.comparisons,
    ) % {"count": spans.comparisons, "empty": spans.both_empty}
    return _table(
        MARKS_TABLE,
        _("Marked errors, in the translation"),
        coefficients,
        read_with,
        (of_empty, _("1: the same characters; 0: none in common. Minor errors and worse; not corrected for chance.")),
        page=("name", "value"),
    )


def pairs_table(result: AnnotatorAgreement, read_with: ReadWith) -> Table:
    """For a file: every two annotators who share enough for a coefficient, by each measure."""
    return Table(
        "pairs",
        _("Agreement of pairs"),
        columns=(
            *(Column(name, name, Form.TEXT) for name in ("measure", "first", "second")),
            Column("n", "n", Form.COUNT),
            *(Column(name, name) for name in PAIR_COEFFICIENTS),
            Column("signature", gettext_lazy("Signature"), Form.TEXT),
        ),
        rows=tuple(
            (
                measure or relative_measure(read_with), *pair.annotators, pair.n,
                *(getattr(pair, name) for name in PAIR_COEFFICIENTS), read_with.signature,
            )
            for measure, entry in result.pairs.items()
            for pair in entry.pairs
        ),
    )  # fmt: skip


def agreement_for_paper(result: AnnotatorAgreement, read_with: ReadWith) -> Table:
    """All measures in one table, alpha by level, and kappa of preferences."""
    rows: list[tuple[Cell, ...]] = [
        (str(read_with.title(one.measure)), str(ALPHAS[level]), one.alpha[level], one.alpha_interval[level], one.items)
        for one in result.measures
        for level in ("nominal", "ordinal", "interval")
    ]
    if not isinstance(result.preference, Missing):
        rows += [
            (_("Preferences"), str(KAPPAS[mode]), kappa.kappa, kappa.interval, kappa.comparable)
            for mode, kappa in result.preference.modes.items()
        ]
    columns = COLUMNS[:5]
    title = _("Agreement between annotators")
    shown = tuple(column.name for column in columns)
    return Table("agreement", title, columns, tuple(rows), paper=shown, paper_csv_has_all=False)
