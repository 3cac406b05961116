"""The tables of a comparison: systems in both campaigns, pairs of systems, agreement, and outputs by their scores."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from metrics.analyses.segment_scores import ACROSS, UP, ScoredSegments, ends_of_square
from metrics.coefficient_names import CORRELATIONS
from metrics.comparison.results import (
    OUTPUT,
    SEGMENT,
    SYSTEM,
    ComparedCampaign,
    Comparison,
    PairInBoth,
    StandingOfSystem,
)
from metrics.results.tables import Cell, Column, Form, Marked, Table, Text, rows_of

LEVELS: Mapping[str, Text] = {
    SYSTEM: gettext_lazy("Systems"),
    OUTPUT: gettext_lazy("Outputs judged in both"),
    SEGMENT: gettext_lazy("Systems within a segment, mean over segments"),
}
WHY_MISSING: Mapping[str, Text] = {
    "no_results": gettext_lazy("no results of both"),
    "no_shared_segments": gettext_lazy("no output judged in both"),
    "too_few_systems": gettext_lazy("fewer than two systems in both"),
    "too_few": gettext_lazy("fewer than two outputs in both"),
    "constant": gettext_lazy("all scores of one campaign are equal"),
    "not_at_this_level": "–",
}
WITHOUT_RANKING: Mapping[str, Text] = {
    "no_run": gettext_lazy("no results yet, so systems are not compared; compute them with analyse"),
    "too_early": gettext_lazy("too early for a ranking, so systems are not compared"),
}
FILE_NAMES = ("systems", "orders", "agreement", "annotators", "outputs")
_STANDING = ("place", "rank", "cluster", "value", "interval", "segments")


def comparison_tables(comparison: Comparison) -> dict[str, Table]:
    """By the name of the file."""
    tables = (
        systems_table(comparison),
        orders_table(comparison),
        agreement_table(comparison),
        annotators_table(comparison),
        outputs_table(comparison),
    )
    return {table.name: table for table in tables}


def systems_table(comparison: Comparison) -> Table:
    sides = {"first": comparison.first, "second": comparison.second}
    columns = (
        Column("system", gettext_lazy("System"), Form.NAME),
        *(column for side, campaign in sides.items() for column in _standing_columns(side, campaign)),
    )
    return Table(
        "systems",
        _("Systems in both campaigns"),
        columns=columns,
        rows=tuple((one.system, *_standing(one.first), *_standing(one.second)) for one in comparison.systems),
        part="compared-systems",
        page=tuple(column.name for column in columns if not column.name.endswith("segments")),
        terminal=tuple(column.name for column in columns),
        tagged=frozenset(one.system for one in comparison.systems if one.is_human),
        is_sortable=False,
        notes=(
            _(
                "Place: among the systems of both campaigns. Rank: the ranks that are possible in the results, where "
                "systems of one cluster do not differ significantly."
            ),
        ),
    )


def _standing_columns(side: str, campaign: ComparedCampaign) -> Iterator[Column]:
    group = campaign.name
    decimals = 2 if campaign.systems_by is not None and campaign.systems_by.by == "z" else None  # as in the results
    yield Column(f"{side}_place", gettext_lazy("Place"), Form.COUNT, group=group)
    yield Column(
        f"{side}_rank", gettext_lazy("Rank"), Form.RANKS, keys=_ends(side, "rank", "first", "last"), group=group
    )
    yield Column(f"{side}_cluster", gettext_lazy("Cluster"), Form.COUNT, group=group)
    yield Column(f"{side}_value", gettext_lazy("Score"), decimals=decimals, group=group)
    yield Column(
        f"{side}_interval",
        gettext_lazy("95% interval"),
        Form.ENDS,
        decimals=decimals,
        keys=_ends(side, "interval", "low", "high"),
        of=f"{side}_value",
        group=group,
    )
    yield Column(f"{side}_segments", gettext_lazy("Segments"), Form.COUNT, group=group)


def _ends(side: str, name: str, low: str, high: str) -> tuple[str, str]:
    return f"{side}_{name}_{low}", f"{side}_{name}_{high}"


def _standing(one: StandingOfSystem | None) -> tuple[Cell, ...]:
    return tuple(None if one is None else getattr(one, name) for name in _STANDING)


def orders_table(comparison: Comparison) -> Table:
    """All pairs, for files."""
    return replace(_pairs_table(comparison, comparison.pairs, _("Pairs of systems")), terminal=())


def changed_table(comparison: Comparison) -> Table:
    """Pairs whose order changes, first those that are significant in both."""

    def clarity(pair: PairInBoth) -> int:
        return -(pair.is_significant_first + pair.is_significant_second)

    changed = sorted(comparison.changed, key=clarity)
    return _pairs_table(comparison, changed, _("Pairs of systems in another order"))


def changed_on_page(comparison: Comparison) -> Table:
    table = changed_table(comparison)
    names = [column.name for column in table.columns]
    rows = (tuple(map(_marked, names, row)) for row in table.rows)
    return replace(table, rows=tuple(rows))


def _pairs_table(comparison: Comparison, pairs: Iterable[PairInBoth], title: str) -> Table:
    sides = (("first", comparison.first.name), ("second", comparison.second.name))
    of_sides = (
        (
            Column(f"p_{side}", "p", Form.P, 4, group=name),
            Column(f"is_significant_{side}", gettext_lazy("Significant"), Form.YES_NO, group=name),
        )
        for side, name in sides
    )
    columns = (
        Column("better", gettext_lazy("Better in the first"), Form.NAME),
        Column("other", gettext_lazy("Better in the second"), Form.TEXT),
        Column("is_changed", "", Form.YES_NO),
        *chain.from_iterable(of_sides),
    )
    shown = tuple(column.name for column in columns if column.name != "is_changed")
    return Table(
        "orders",
        title,
        columns=columns,
        rows=rows_of(columns, pairs),
        part="compared-orders",
        page=shown,
        terminal=shown,
        is_sortable=False,
        notes=(_("p: corrected for all pairs, as in the results of each campaign."),),
    )


def _marked(name: str, value: Cell) -> Cell:
    if not name.startswith("is_significant"):
        return value
    text = _("yes") if value else _("no")
    return Marked(text, is_bold=bool(value), bold_means=_("significant") if value else "")


def agreement_table(comparison: Comparison) -> Table:
    columns = (
        Column("level", gettext_lazy("Level"), Form.NAME, is_in_files=False),
        Column("key", "", Form.TEXT, keys=("level",)),
        Column("pearson", CORRELATIONS["pearson"], decimals=3, missing=WHY_MISSING),
        Column("kendall_b", CORRELATIONS["kendall_b"], decimals=3, missing=WHY_MISSING),
        Column("pairwise_accuracy", gettext_lazy("Pairwise accuracy"), decimals=3, missing=WHY_MISSING),
        Column("systems", gettext_lazy("Systems"), Form.COUNT),
        Column("segments", gettext_lazy("Segments"), Form.COUNT),
        Column("outputs", gettext_lazy("Outputs"), Form.COUNT),
    )
    shown = tuple(column.name for column in columns if column.name != "key")
    return Table(
        "agreement",
        _("Agreement of the two campaigns"),
        columns=columns,
        rows=tuple(
            (
                str(LEVELS[one.level]),
                one.level,
                one.pearson,
                one.kendall_b,
                one.pairwise_accuracy,
                one.systems,
                one.segments if one.level != SYSTEM else None,
                one.outputs if one.level != SYSTEM else None,
            )
            for one in comparison.agreement
        ),
        part="compared-agreement",
        page=shown,
        terminal=("key", *shown[1:]),
        is_sortable=False,
        notes=(_("Higher scores are better in all three, also where the campaign counts penalties."),),
    )


def annotators_table(comparison: Comparison) -> Table:
    names = ("first", "second", "both", "either", "share")
    annotators = comparison.annotators
    return Table(
        "annotators",
        _("Annotators"),
        columns=(
            Column("first", comparison.first.name, Form.COUNT),
            Column("second", comparison.second.name, Form.COUNT),
            Column("both", gettext_lazy("In both"), Form.COUNT),
            Column("either", gettext_lazy("In either"), Form.COUNT),
            Column("share", gettext_lazy("Share in both"), Form.SHARE, 0),
        ),
        rows=(
            (
                comparison.first.annotators,
                comparison.second.annotators,
                annotators.both,
                annotators.either,
                annotators.share,
            ),
        ),
        part="compared-annotators",
        terminal=names,
        is_sortable=False,
    )


def outputs_table(comparison: Comparison) -> Table:
    """A row for each square of the picture with outputs in it."""
    first, second, scored = comparison.first.name, comparison.second.name, comparison.outputs
    columns = (
        Column("square", first, Form.NAME, is_in_files=False),
        Column("first_from", "", decimals=2),
        Column("first_to", "", decimals=2),
        Column("second_from", gettext_lazy("From"), decimals=2, group=second),
        Column("second_to", pgettext_lazy("from one number to another", "to"), decimals=2, group=second),
        Column("outputs", gettext_lazy("Outputs"), Form.COUNT),
    )
    return Table(
        "outputs",
        _("Outputs by their scores in both"),
        columns=columns,
        rows=tuple(_squares(scored)) if scored else (),
        part="compared-outputs",
        page=("square", "second_from", "second_to", "outputs"),
        is_sortable=False,
    )


def _squares(scored: ScoredSegments) -> Iterator[tuple[Cell, ...]]:
    for column, row, count in scored.grid:
        across = ends_of_square(scored.score_range, column, ACROSS)
        up = ends_of_square(scored.human_range, row, UP)
        yield (f"{across[0]:.2f} – {across[1]:.2f}", *across, *up, count)
