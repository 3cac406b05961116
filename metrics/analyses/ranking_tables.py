"""The tables of a ranking: systems by each measure."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.protocols.base import Measure
from metrics.analyses.pair_tables import EXPECTED_WINS, pairs_table, population_of
from metrics.analyses.preferences import ModelFits
from metrics.analyses.ranked_systems import RankedSystem
from metrics.analyses.ranking import RankedMeasures, Ranking
from metrics.analyses.rater_filter import fits_table
from metrics.recipes import Recipe
from metrics.results.tables import Cell, Column, Form, Table, Text, rows_of
from metrics.results.values import Missing

BY_MODEL = "model"
MODELS: Mapping[str, Text] = {
    EXPECTED_WINS: gettext_lazy("Expected wins"),
    "bradley_terry": gettext_lazy("Bradley–Terry"),
    "plackett_luce": gettext_lazy("Plackett–Luce"),
    "davidson": gettext_lazy("Davidson"),
    "rao_kupper": gettext_lazy("Rao–Kupper"),
    "trueskill": gettext_lazy("TrueSkill"),
}
TESTS: Mapping[str, Text] = {
    "permutation": gettext_lazy("a permutation test over whole documents"),
    "bootstrap": gettext_lazy("the paired bootstrap of documents, one-sided"),
    "rank-sum": gettext_lazy("a rank-sum test"),
    "signed-rank": gettext_lazy("a signed-rank test"),
    "signed-rank-greater": gettext_lazy("a one-sided signed-rank test"),
    "mixed": gettext_lazy("a t-test of their difference in the mixed model"),
}

NOTES: Mapping[str, Text] = {
    "chosen_items": gettext_lazy(
        "The judged segments were chosen by what they promise, not at random. Every mean is that of the chosen "
        "segments: the mean of the whole test set differs from it, and so may differences between systems."
    ),
    "no_shared_segments": gettext_lazy("Some systems have no segments in common, so this test cannot compare them."),
    "few_documents": gettext_lazy(
        "At least %(needed)d documents are needed: the test permutes whole documents, and with fewer "
        "no difference between this many systems can be significant."
    ),
    "not_connected": gettext_lazy(
        "No chain of annotators connects these groups of systems, so they are not compared: %(groups)s."
    ),
    "annotators_apart": gettext_lazy(
        "No chain of annotators connects these groups of systems, so that their means may differ only because some "
        "annotators are more severe: %(groups)s."
    ),
}


@dataclass(frozen=True)
class ReadWith:
    """What a table says besides the result: the campaign's measures, the recipe (for its notes), which systems are
    people, the run's signature.
    """

    measures: Mapping[str, Measure]
    recipe: Recipe | None = None
    humans: frozenset[str] = frozenset()
    signature: str = ""

    def title(self, measure: str) -> Text:
        return self.measures[measure].title if measure in self.measures else measure


@dataclass(frozen=True)
class AddedColumn:
    """A value of each system by its name, from another analysis, shown with one measure's means."""

    measure: str
    column: Column
    values: Mapping[str, Cell]


@dataclass(frozen=True)
class SystemTables:
    """One a measure: of what systems are compared by, and of whole documents that were scored besides."""

    main: tuple[Table, ...]
    documents: tuple[Table, ...]

    @property
    def all(self) -> tuple[Table, ...]:
        """All that goes into one file, `systems`."""
        return self.main + self.documents


def system_tables(
    ranking: Ranking, read_with: ReadWith, added: Sequence[AddedColumn] = (), *, draws_z: bool = False
) -> SystemTables:
    """A page draws raw means or, with `draws_z`, z means where there are any."""
    of_level = partial(_of_level, read_with=read_with, added=added, draws_z=draws_z)
    if ranking.main is not ranking:
        return SystemTables(of_level(ranking.main, _("Systems"), "documents", is_main=True), ())
    scored = ranking.documents
    documents = of_level(scored, _("Document scores"), "documents", is_main=False) if scored else ()
    return SystemTables(of_level(ranking, _("Systems"), "systems", is_main=True), documents)


def _of_level(
    ranked: RankedMeasures,
    title: str,
    level: str,
    *,
    is_main: bool,
    read_with: ReadWith,
    added: Sequence[AddedColumn],
    draws_z: bool,
) -> tuple[Table, ...]:
    measures = list(dict.fromkeys(system.measure for system in ranked.systems))
    is_alone = len(measures) == 1
    tables = []
    for measure in measures:
        own = [system for system in ranked.systems if system.measure == measure]
        extras = [each for each in added if each.measure == measure]
        ordered_by = ranked.ordered_by.get(measure)
        name = MODELS[EXPECTED_WINS] if ordered_by == EXPECTED_WINS else read_with.title(measure)
        table = _of_measure(own, ordered_by, name, read_with, extras, draws_z=draws_z)
        named = (title, title, level) if is_alone else (name, f"{title}: {name}", f"{level}-{measure}")
        page_title, caption, paper_name = named
        part = "systems" if is_alone and is_main else measure
        tables.append(replace(table, title=page_title, about=name, caption=caption, paper_name=paper_name, part=part))
    return tuple(tables)


def _of_measure(
    systems: Sequence[RankedSystem],
    ordered_by: str | None,
    name: Text,
    read_with: ReadWith,
    extras: Sequence[AddedColumn],
    *,
    draws_z: bool,
) -> Table:
    measure = systems[0].measure
    known = read_with.measures.get(measure)
    has_z = any(not isinstance(system.z_mean, Missing) for system in systems)
    drawn = "z_interval" if draws_z and has_z else "interval"
    is_share = ordered_by == EXPECTED_WINS
    is_falling = known is not None and not known.higher_is_better and not is_share
    columns = (*_columns(name, has_z=has_z, is_share=is_share), *(each.column for each in extras))
    others: dict[str, Callable[[RankedSystem], Cell]] = {
        "is_human": lambda one: one.system in read_with.humans,
        "interval_for": lambda _one: population_of(ordered_by),
        "signature": lambda _one: read_with.signature,
        **{each.column.name: partial(_added_value, each.values) for each in extras},
    }
    of_z = ("z_mean",) if has_z else ()
    return Table(
        "systems",
        "",
        columns=columns,
        rows=rows_of(columns, systems, others),
        page=(
            "rank", "system", f"chart:{drawn}", "mean", f"half:{drawn}", *of_z,
            *(each.column.name for each in extras), "judgments",
        ),
        paper=("rank", "system", "mean", "interval", *of_z, "judgments"),
        terminal=("rank", "system", "measure", "mean", "interval", "z_mean", "z_interval", "segments", "judgments"),
        main="z_mean" if drawn == "z_interval" else "mean",
        cuts=frozenset(at for at, (one, below) in enumerate(pairwise(systems)) if one.cluster != below.cluster),
        lead=_("Lower is better.") if is_falling and drawn == "interval" else "",
        cuts_lead=_("A heavy line separates groups that differ significantly."),
        notes=tuple(_notes(known, read_with.recipe, ordered_by)) if read_with.recipe else (),
        tagged=read_with.humans,
    )  # fmt: skip


def _added_value(values: Mapping[str, Cell], one: RankedSystem) -> Cell:
    return values.get(one.system)


def _columns(title: Text, *, has_z: bool, is_share: bool) -> list[Column]:
    mean = gettext_lazy("Expected wins, 95% interval") if is_share else gettext_lazy("Mean, 95% interval")
    return [
        Column("system", gettext_lazy("System"), Form.NAME),
        Column("is_human", gettext_lazy("Human"), Form.YES_NO),
        Column("measure", gettext_lazy("Measure"), Form.TEXT),
        Column("rank", gettext_lazy("Rank"), Form.RANKS, keys=("rank_first", "rank_last")),
        Column("cluster", gettext_lazy("Cluster"), Form.COUNT),
        Column(
            "mean", gettext_lazy("Raw") if has_z else title, Form.SHARE if is_share else Form.NUMBER, decimals=None,
            paper_title=gettext_lazy("Mean"),
        ),
        Column("interval", mean, Form.ENDS, decimals=None, keys=("low", "high"), of="mean"),
        Column("interval_for", form=Form.TEXT),
        Column("z_mean", gettext_lazy("z-score"), Form.SIGNED, highest_first=True),
        Column(
            "z_interval", gettext_lazy("Mean z-score, 95% interval"), Form.ENDS, decimals=None,
            keys=("z_low", "z_high"), of="z_mean",
        ),
        Column("wins", gettext_lazy("Wins"), Form.COUNT),
        Column("losses", gettext_lazy("Losses"), Form.COUNT),
        Column("judgments", "n", Form.COUNT, highest_first=True),
        Column("segments", gettext_lazy("Segments"), Form.COUNT),
        Column("signature", gettext_lazy("Signature"), Form.TEXT),
    ]  # fmt: skip


SYSTEM_FILE_COLUMNS = tuple(key for column in _columns("", has_z=True, is_share=False) for key in column.file_keys)


def ranking_notes(ranked: RankedMeasures) -> list[str]:
    """What means are of, and why a difference could not be detected."""
    shown = {"needed": ranked.documents_needed, "groups": in_groups(ranked.components or ())}
    return [NOTES[note] % shown for note in ranked.notes]


def in_groups(components: Sequence[Sequence[str]]) -> str:
    return "; ".join(", ".join(group) for group in components)


def _notes(measure: Measure | None, recipe: Recipe, ordered_by: str | None) -> Iterator[str]:
    """What the numbers mean: what was measured, and how it was computed."""
    resamples = {"count": recipe.interval_resamples}
    if ordered_by == EXPECTED_WINS:
        yield _("Expected wins: the share of comparisons won, averaged over opponents; ties are not counted.")
        yield _("Intervals and rank ranges: 95%% of %(count)d resamples of segments.") % resamples
        yield _("A heavy line: the rank ranges above and below it do not overlap.")
    else:
        if ordered_by == BY_MODEL:
            yield _("Means are those of a mixed model: as if every annotator had judged every system on every text.")
            yield _("Intervals hold for other texts and other annotators of the same kind.")
        else:
            yield _mean(measure, recipe)
            yield _("Intervals: percentile bootstrap over documents, %(count)d resamples.") % resamples
            yield _("Intervals hold for other documents judged by these annotators, not for other annotators.")
        if ordered_by == "z":
            yield _("Systems are ordered and tested by z-scores.")
        yield _tests(recipe)
        if recipe.clusters == "ranges":
            yield _("A heavy line: the rank ranges above and below it do not overlap.")
        else:
            yield _("A heavy line: every system above it is significantly better than every system below it.")
        if recipe.ranks == "neighbours":
            yield _("Rank range: up and down the order as far as no system is significantly better than the next.")
        else:
            yield _("Rank range: from 1 + significant losses to the number of systems − significant wins.")


def _mean(measure: Measure | None, recipe: Recipe) -> str:
    if measure is not None and measure.level == "document":
        return _("Scores are averaged per document, then over documents.")
    if recipe.units == "score":
        return _("All scores of a system are averaged; each of several scores of a segment counts by itself.")
    if recipe.average == "domain":
        return _("Scores are averaged per segment, then per domain, then over domains.")
    return _("Scores are averaged per segment, then over segments.")


def _tests(recipe: Recipe) -> str:
    if recipe.test == "bca":
        return _(
            "A system is better than another if the one-sided 95%% bound of their paired or of their unpaired "
            "difference is above 0 (BCa, %(count)d resamples of segments), not corrected for multiple tests."
        ) % {"count": recipe.resamples}
    test = {"test": TESTS[recipe.test], "alpha": recipe.alpha}
    if recipe.correction == "holm":
        return (
            _("Each pair of systems is compared by %(test)s; significant: p < %(alpha)s after Holm correction.") % test
        )
    return (
        _("Each pair of systems is compared by %(test)s; significant: p < %(alpha)s, not corrected for multiple tests.")
        % test
    )


def own_ranks(ranking: Ranking, title: Text) -> list[AddedColumn]:
    """The ranks by the protocol's own recipe, beside those of a recipe that reproduces others."""
    if ranking.own is None:
        return []
    column = Column("own_rank", title, Form.RANKS, is_in_files=False)
    measures = dict.fromkeys(one.measure for one in ranking.own.systems)
    ranks = {name: {one.system: one.rank for one in ranking.own.systems if one.measure == name} for name in measures}
    return [AddedColumn(name, column, of_systems) for name, of_systems in ranks.items()]


def models_table(ranked: RankedMeasures) -> Table | None:
    """What each model of preferences makes of the systems, in rank order; None where nothing was compared."""
    models = ranked.models
    if models is None:
        return None
    names = [system.system for system in ranked.systems if system.system in models.expected_wins]
    made = {name: title for name, title in MODELS.items() if getattr(models, name) is not None}
    strengths = [
        Column(name, title, Form.SHARE, 1, has_places=True, highest_first=True)
        if name == EXPECTED_WINS
        else Column(name, title, Form.SIGNED, 2, has_places=True, highest_first=True)
        for name, title in made.items()
    ]
    return Table(
        "models",
        _("Preference models"),
        columns=(Column("system", gettext_lazy("System"), Form.NAME), *strengths),
        rows=tuple((name, *(getattr(models, model).get(name) for model in made)) for name in names),
        part="models",
        page=("system", *made),
        paper=("system", *made),
        terminal=("system", *made),
        main=EXPECTED_WINS,
        lead=_(
            "The same comparisons under several models. Where the models order systems differently, the "
            "order is uncertain."
        ),
        notes=(
            _(
                "Expected wins: percent of comparisons won, without ties. Bradley–Terry (without "
                "ties), Davidson and Rao–Kupper (with ties): log-strengths centred at 0. TrueSkill: "
                "mean skill over resampled runs. Small: place within the model. A dash: the model has "
                "no number because some system never lost or never won."
            ),
            *_whole_orders(ranked.fits),
        ),
    )


def _whole_orders(fits: ModelFits | None) -> Iterator[str]:
    orders = fits.plackett_luce if fits else None
    if orders is not None:
        yield _(
            "Plackett–Luce: log-strengths from the whole order of a screen. It leaves out screens with ties: "
            "%(screens)d of %(all)d screens remain. Where many have ties, Davidson is preferable."
        ) % {"screens": orders.screens, "all": orders.screens + orders.tied}


def histogram_ends(system: RankedSystem, measure: Measure) -> tuple[float, float]:
    """Of its bands: those of the scale, unless the scores have ends of their own."""
    return (measure.low, measure.high) if isinstance(system.histogram_range, Missing) else system.histogram_range


def lower_edges(low: float, high: float, bands: int) -> list[float]:
    """Of each band."""
    return [low + (high - low) * place / bands for place in range(bands)]


def spread_table(ranked: RankedMeasures, measures: Mapping[str, Measure]) -> Table:
    """For a file: a row for each band of each system's scores; the last of a scale without an end has none either."""
    columns = (
        Column("system", form=Form.NAME),
        Column("measure", form=Form.TEXT),
        Column("from"),
        Column("to"),
        Column("segments", form=Form.COUNT),
    )
    return Table("spread", "", columns=columns, rows=tuple(_bands(ranked.systems, measures)))


def _bands(systems: Sequence[RankedSystem], measures: Mapping[str, Measure]) -> Iterator[tuple[Cell, ...]]:
    for system in systems:
        measure = measures.get(system.measure)
        if isinstance(system.histogram, Missing) or measure is None:
            continue
        low, high = histogram_ends(system, measure)
        edges = [round(edge, 10) for edge in lower_edges(low, high, len(system.histogram))]
        ends: list[float | None] = [*edges[1:], high if high == measure.high else None]
        for start, end, count in zip(edges, ends, system.histogram, strict=True):
            yield system.system, system.measure, start, end, count


def ranking_tables(ranking: Ranking, read_with: ReadWith) -> list[Table]:
    """Every table of a ranking: systems by each measure, models of preference where there are any, pairs."""
    models = models_table(ranking.main)
    fits = [fits_table(ranking.filter)] if ranking.filter else []
    return [*system_tables(ranking, read_with).all, *([models] if models else []), *fits, pairs_table(ranking.main)]
