"""How often each rule saw a difference where there is none: the table, and what it comes to in sentences."""

from collections.abc import Iterator, Mapping
from decimal import Decimal

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from metrics.analyses.placebo import HOLDS, TOO_OFTEN, TOO_RARELY, Placebo, PlaceboMeasure, PlaceboRule
from metrics.results.tables import Cell, Column, Form, MadeCells, Marked, Note, Table, Text, rows_of
from metrics.results.values import Missing
from metrics.statistics.calibration import FEWEST_DOCUMENTS

RULES: Mapping[str, Text] = {
    "assay-z": gettext_lazy("Assay, z-scores"),
    "assay-raw": gettext_lazy("Assay, raw scores"),
    "mqm": gettext_lazy("MQM"),
    "incomplete": gettext_lazy("Incomplete designs"),
    "wmt-crowd": gettext_lazy("WMT crowd"),
    "wmt-appraise": gettext_lazy("WMT Appraise"),
    "wmt24": gettext_lazy("WMT 2024"),
    "wmt25": gettext_lazy("WMT 2025"),
    "wmt26": gettext_lazy("WMT 2026"),
}
VERDICTS: Mapping[str, Note] = {
    HOLDS: Note(gettext_lazy("holds"), "ok"),
    TOO_OFTEN: Note(gettext_lazy("too often"), "bad"),
    TOO_RARELY: Note(gettext_lazy("too rarely"), "tag"),
}
REASONS: Mapping[str, Text] = {
    "few_documents": gettext_lazy(
        "At least %(needed)d documents that two systems share are needed: with fewer, nearly all exchanges are alike."
    ),
    "too_few_systems": gettext_lazy("There are no two systems to compare."),
    "no_variation": gettext_lazy("All scores are equal, so that no rule can find a difference."),
    "compared_within_screens": gettext_lazy("This is about scores; here, translations of a screen were ranked."),
}


def placebo_table(result: Placebo, signature: str = "") -> Table:
    """The rules of each measure."""
    columns = (
        Column("rule", gettext_lazy("Recipe"), Form.NAME),
        Column("measure", form=Form.TEXT),
        Column("nominal", gettext_lazy("Promised"), Form.SHARE, 0),
        Column("rate", gettext_lazy("Called different"), Form.SHARE, 1),
        Column(
            "interval", gettext_lazy("Pairs called different, 95% interval"), Form.ENDS, 1, keys=("low", "high"),
            of="rate",
        ),
        Column("campaign_rate", gettext_lazy("Campaigns with any"), Form.SHARE, 1),
        Column(
            "campaign_interval", gettext_lazy("95% interval"), Form.ENDS, 1, keys=("campaign_low", "campaign_high"),
            of="campaign_rate",
        ),
        Column("verdict", form=Form.TEXT),
        Column("judged", gettext_lazy("Verdict"), Form.TEXT, is_in_files=False),
        Column("decides", form=Form.YES_NO),
        Column("trials", form=Form.COUNT),
        Column("signature", form=Form.TEXT),
    )  # fmt: skip
    return Table(
        "placebo",
        _("Would this test cry wolf?"),
        columns=columns,
        rows=tuple(row for measure in result.measures for row in _rows(columns, measure, signature)),
        part="placebo",
        page=("rule", "chart:interval", "rate", "nominal", "campaign_rate", "judged"),
        terminal=("rule", "measure", "nominal", "rate", "interval", "campaign_rate", "verdict"),
        is_sortable=False,
        main="rate",
    )


def _rows(columns: tuple[Column, ...], measure: PlaceboMeasure, signature: str) -> tuple[tuple[Cell, ...], ...]:
    others: MadeCells = {
        "rule": lambda one: Marked(str(RULES[one.rule]), small_text=_("decides here") if one.decides else ""),
        "measure": lambda _one: measure.measure,
        "judged": lambda one: None if isinstance(one.verdict, Missing) else VERDICTS[one.verdict],
        "trials": lambda _one: measure.trials,
        "signature": lambda _one: signature,
    }
    return rows_of(columns, measure.rules, others)


def placebo_sentences(result: Placebo) -> list[str]:
    """By what systems are compared by: how often the deciding rule was wrong, and what that comes to."""
    measure = result.main
    rule = measure.deciding if measure else None
    if measure is None or rule is None:
        reason = REASONS.get(measure.reason or "", "") if measure else ""
        return [str(reason) % {"needed": FEWEST_DOCUMENTS}] if reason else []
    if isinstance(rule.rate, Missing) or isinstance(rule.interval, Missing) or isinstance(rule.verdict, Missing):
        return [str(REASONS["few_documents"]) % {"needed": FEWEST_DOCUMENTS}]
    counted = ngettext(
        "Of %(trials)s comparison where nothing can differ, this recipe (%(rule)s) called %(rate)s%% different "
        "(95%% interval: %(low)s%% to %(high)s%%); it promises %(nominal)s%%.",
        "Of %(trials)s comparisons where nothing can differ, this recipe (%(rule)s) called %(rate)s%% different "
        "(95%% interval: %(low)s%% to %(high)s%%); it promises %(nominal)s%%.",
        measure.trials,
    ) % {
        "trials": number_format(measure.trials, force_grouping=True),
        "rule": RULES[rule.rule],
        "rate": _percent(rule.rate, 1),
        "low": _percent(rule.interval[0], 1),
        "high": _percent(rule.interval[1], 1),
        "nominal": _percent(rule.nominal, 0),
    }
    return [counted, *_advice(measure, rule)]


def _advice(measure: PlaceboMeasure, rule: PlaceboRule) -> Iterator[str]:
    if rule.verdict == HOLDS:
        yield _("It keeps its promise on these judgments.")
        return
    if rule.verdict == TOO_OFTEN:
        yield _("It finds differences that do not exist too often: do not decide by it here.")
    else:
        yield _("It is too cautious here: some differences that exist are not found.")
    if better := instead(measure):
        yield _("Use %(recipe)s instead: it keeps its promise on these judgments.") % {"recipe": RULES[better]}


def instead(measure: PlaceboMeasure) -> str | None:
    """The first rule that holds, of those that may decide; None if none does."""
    holding = [rule.rule for rule in measure.rules if rule.verdict == HOLDS and not rule.rule.startswith("wmt")]
    return next((name for name in holding if name != "incomplete"), holding[0] if holding else None)


def _percent(share: float, places: int) -> str:
    return number_format(Decimal(f"{100 * share:.{places}f}"), decimal_pos=places)
