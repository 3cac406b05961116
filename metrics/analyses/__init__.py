"""The analyses by name: which statistics on which arrays. Adding one is a line in ANALYSES and a docs heading."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_type_hints

from django.utils.translation import gettext as _

from annotation.item_choice import SELECTION_SIGNATURE
from annotation.models import Exclusion
from annotation.protocols import protocol_for
from campaigns.late_additions import additions_of
from campaigns.models import Campaign, System, TestSet
from jobs.models import Run
from jobs.run_kinds import InvalidRun, OnProgress, RunFailed, RunKind
from metrics.action_times import read_actions
from metrics.actions.deriving import derive_scores
from metrics.analyses.adjudicated import with_adjudicated
from metrics.analyses.agreement import agreement
from metrics.analyses.allocation import allocation
from metrics.analyses.annotators import annotators
from metrics.analyses.assisted import assisted, metric_problems
from metrics.analyses.campaign_table import campaign_table
from metrics.analyses.ceiling import ceiling
from metrics.analyses.correlation import correlation
from metrics.analyses.deciding import decided, is_chosen
from metrics.analyses.drift import drift
from metrics.analyses.error_free import error_free, unknown_metrics
from metrics.analyses.errors import MEASURE as PENALTY
from metrics.analyses.errors import SegmentPenalty, errors
from metrics.analyses.evidence import Analysis, Evidence
from metrics.analyses.exclusion import exclusion
from metrics.analyses.gamma import gamma
from metrics.analyses.gisting import MEASURE as CORRECT
from metrics.analyses.gisting import gisting
from metrics.analyses.judged_outputs import store_outputs
from metrics.analyses.mixed import mixed
from metrics.analyses.placebo import placebo
from metrics.analyses.places import places
from metrics.analyses.post_editing import MEASURE as HTER
from metrics.analyses.post_editing import post_editing
from metrics.analyses.ranking import ranking
from metrics.analyses.ranking_tables import ReadWith
from metrics.analyses.scope import scope
from metrics.analyses.scorecard import TextScore, scorecard
from metrics.analyses.screens import screens
from metrics.analyses.selection import filter_problems, known_annotators, selected
from metrics.analyses.shared_ratings import SharedPairs
from metrics.analyses.shown_tables import TABLES
from metrics.analyses.slices import Slice, slices
from metrics.analyses.stability import stability
from metrics.answer_groups import answer_groups, by_problems
from metrics.derivations import derivations_of, measures_of
from metrics.error_table import read_errors, reweighed
from metrics.filters import canonical, is_answer
from metrics.matrices import read_scores, with_times
from metrics.queries import planned_judgments
from metrics.race import read_race
from metrics.recipes import MIXED, WHERE, AnalysisError, Recipe, own_recipe, recipe_for
from metrics.results.codec import from_json, read_part, to_json
from metrics.results.tables import Table
from metrics.scoring.reading import read_metric_scores
from metrics.scoring.stored_marks import MarkColumns, read_marks, severities_of, suggested_marks
from metrics.scoring.texts import has_scores, systems_that_are_references
from metrics.screen_places import read_output_texts, read_places
from metrics.weights import weights_named

ANALYSES: dict[str, Analysis] = {
    "scope": scope,
    "ranking": ranking,
    "agreement": agreement,
    "annotators": annotators,
    "drift": drift,
    "errors": errors,
    "scorecard": scorecard,
    "post_editing": post_editing,
    "gisting": gisting,
    "slices": slices,
    "campaign_table": campaign_table,
    "places": places,
    "screens": screens,
    "allocation": allocation,
    "correlation": correlation,
    "ceiling": ceiling,
    "assisted": assisted,
    "error_free": error_free,
    "mixed": mixed,
    "gamma": gamma,
    "exclusion": exclusion,
    "placebo": placebo,
    "stability": stability,
}
# By the name of the row it is stored in, the type of each part of a result.
PARTS: dict[str, Any] = {
    **{name: get_type_hints(analysis)["return"] for name, analysis in ANALYSES.items()},
    "agreement.pairs": Mapping[str, SharedPairs],
    "errors.segments": tuple[SegmentPenalty, ...] | None,
    "scorecard.documents": tuple[TextScore, ...],
    "slices.whole": Mapping[str, Slice],
}
# What no page shows in full is stored in a row of its own, of this name: `split` and `join` of the part's type.
LONG_PARTS: Mapping[str, str] = {
    "agreement": "agreement.pairs",
    "errors": "errors.segments",
    "scorecard": "scorecard.documents",
    "slices": "slices.whole",
}
# An analysis that needs one measure is possible only where the campaign has it.
NEEDS: dict[str, str] = {
    **dict.fromkeys(("errors", "scorecard", "error_free", "gamma"), PENALTY),
    "post_editing": HTER,
    "gisting": CORRECT,
}
ON_REQUEST = frozenset({"assisted", "ceiling", "exclusion", "placebo", "stability"})
# Results about annotators use their own answers, never the adjudicated values.
OF_ANNOTATORS = ("agreement", "annotators", "drift", "exclusion", "error_free", "gamma")
_DERIVED = 0.2
_READ = 0.3


@dataclass(frozen=True)
class AnalysisHead:
    """What the parts of a result were computed from, and how; `judgments` counts those that are not left out."""

    campaign: str
    name: str
    signature: str
    recipe: str
    judgments: int


def tables_of(parts: Mapping[str, object], read_with: ReadWith) -> list[Table]:
    """The tables of the analyses among these parts of a result."""
    results = ((make, read_part(PARTS[name], parts, name)) for name, make in TABLES.items())
    return [table for make, result in results if result is not None for table in make(result, read_with)]


def analyse(
    campaign: Campaign,
    *,
    recipe: str | None = None,
    analyses: Sequence[str] | None = None,
    options: Mapping[str, Any] | None = None,
    on_progress: OnProgress | None = None,
) -> dict[str, Any]:
    """The campaign's numbers: those of AnalysisHead and, by name, `analyses`, each a dataclass that `to_json` takes.

    Derived scores are brought up to date first. Without `analyses`: all that the campaign's measures allow, except
    those made only on request. Numbers that do not exist are None. Raises AnalysisError, with all problems of the
    request, before anything is read.
    """
    report = on_progress or _no_report
    chosen, names = check_request(campaign, recipe=recipe, analyses=analyses, options=options)
    if "correlation" in names and not has_scores(campaign.test_set):
        if analyses:
            raise AnalysisError(
                _("There are no metric scores to correlate. Score the test set or import scores first.")
            )
        names = tuple(name for name in names if name != "correlation")
    stored = chosen.stored_weights
    derive_scores(campaign, weights=stored, on_progress=lambda share, note="": report(_DERIVED * share, note))
    report(_DERIVED, _("Reading judgments"))
    evidence = gather(campaign, chosen, with_metrics=_needs_metrics(names, chosen))
    if evidence.race is None and not analyses:
        names = tuple(name for name in names if name != "allocation")
    adjudications = None
    if chosen.adjudicated == "yes":
        replaced, adjudications = with_adjudicated(evidence, campaign)
        evidence = replace(evidence, decided=replaced)
    evidence = decided(selected(evidence, campaign), is_chosen=is_chosen(recipe, options or {}))
    signature = _signature(campaign, evidence)
    if adjudications is not None:
        signature += f"|adjudications:{adjudications}"
    for derivation in derivations_of(campaign.protocol, chosen.weights):
        signature += f"|{derivation.measure.name}:{derivation.signature.replace('|', ',')}"
    head = AnalysisHead(campaign.slug, campaign.name, signature, evidence.recipe.name, evidence.judgments)
    return {**to_json(head), "analyses": analyse_evidence(evidence, names, report)}


def _signature(campaign: Campaign, evidence: Evidence) -> str:
    """Of the recipe that decides, and of the metrics."""
    signature = evidence.recipe.signature(protocol=campaign.protocol, excluded=len(evidence.excluded))
    if any(table.is_relative for table in evidence.tables):
        signature += "|pairs:different-texts"
    signature += f"|items:{evidence.chosen}" if evidence.chosen else ""
    for metric in evidence.metrics.metrics if evidence.metrics else ():
        for own in metric.all_signatures:
            signature += f"|metric:{metric.name},{own.replace('|', ',')}"
    return signature


def check_request(
    campaign: Campaign,
    *,
    recipe: str | None = None,
    analyses: Sequence[str] | None = None,
    options: Mapping[str, Any] | None = None,
) -> tuple[Recipe, tuple[str, ...]]:
    """The recipe and the analyses, without names all that the campaign's measures allow.

    Raises one AnalysisError with all problems that are known before anything is computed.
    """
    problems = []
    try:
        chosen = recipe_for(campaign.protocol, recipe, options)
        problems += _unknown_annotators(campaign, {*chosen.without, *chosen.readmitted})
        problems += unknown_metrics(campaign.test_set, chosen.threshold) if chosen.threshold else []
        problems += by_problems(campaign, chosen.by)
    except AnalysisError as error:
        problems.append(str(error))
    problems += filter_problems(campaign, str((options or {}).get(WHERE) or ""))
    measures = [measure for measure, _signature in measures_of(campaign)]
    is_relative = any(measure.is_relative for measure in measures)
    if not problems and is_relative and (chosen.reproducing or chosen.test == MIXED):
        problems.append(
            _("The recipe “%(name)s” compares scores; this campaign only ranks the translations of a screen.")
            % {"name": chosen.name}
        )
    known = {measure.name for measure in measures}
    possible = tuple(name for name in ANALYSES if NEEDS.get(name) in {None, *known})
    names = tuple(analyses or (name for name in possible if name not in ON_REQUEST))
    names += ("assisted",) if not problems and not analyses and chosen.metric else ()
    problems = problems or metric_problems(campaign, chosen.metric, names)
    if unknown := [name for name in names if name not in possible]:
        shown = {"name": "”, “".join(unknown), "known": ", ".join(possible)}
        problems.append(_("Unknown analysis “%(name)s”. Allowed here: %(known)s.") % shown)
    if problems:
        raise AnalysisError("\n".join(problems))
    return chosen, names


def _unknown_annotators(campaign: Campaign, names: set[str]) -> list[str]:
    unknown = sorted(names - known_annotators(campaign, names)) if names else []
    return [_("Not an annotator of this campaign: “%(name)s”.") % {"name": "”, “".join(unknown)}] if unknown else []


def analyse_evidence(evidence: Evidence, names: Sequence[str], report: OnProgress | None = None) -> dict[str, Any]:
    """The requested analyses of arrays that are already read, in the order of `names`."""
    report = report or _no_report
    results: dict[str, Any] = {}
    for place, name in enumerate(names):
        report(_READ + (1 - _READ) * place / len(names), name)
        seen = evidence if name in OF_ANNOTATORS else evidence.decided or evidence
        results[name] = ANALYSES[name](seen)
    report(1.0, "")
    return results


def gather(campaign: Campaign, recipe: Recipe, *, with_metrics: bool = False) -> Evidence:
    """The campaign's scores by measure, the number of planned judgments, and the excluded annotators."""
    metrics = read_metric_scores(campaign.test_set) if with_metrics else None
    compared = {name for metric in metrics.metrics for name in metric.references} if metrics else set()
    exclusions = Exclusion.objects.filter(campaign=campaign, lifted_at=None)
    decided = frozenset(exclusions.values_list("annotator__username", flat=True))
    measures = measures_of(campaign, recipe.stored_weights)
    needs_tags = recipe.by == "tag" or bool(recipe.filter.of("tag"))
    tables = {
        measure.name: read_scores(campaign, measure, derived_by=by, with_tags=needs_tags) for measure, by in measures
    }
    if recipe.units == "score":
        tables = {name: with_times(table, campaign) for name, table in tables.items()}
    marked = read_errors(campaign, tables[PENALTY]) if PENALTY in tables else None
    if marked is not None and recipe.weights != recipe.stored_weights:
        tables[PENALTY] = reweighed(tables[PENALTY], marked, weights_named(recipe.weights))
    return Evidence(
        tables=tuple(tables.values()),
        recipe=recipe,
        marked=marked,
        actions=read_actions(campaign),
        places=read_places(campaign),
        texts=read_output_texts(campaign),
        race=read_race(campaign),
        excluded=(decided | set(recipe.without)) - set(recipe.readmitted),
        excluded_by_decision=decided,
        additions=tuple(additions_of(campaign)),
        planned=planned_judgments(campaign),
        metrics=metrics,
        metric_marks=_metric_marks(campaign) if with_metrics and marked is not None else (),
        humans=_humans(campaign) if recipe.reproducing else frozenset(),
        own_recipe=own_recipe(campaign.protocol, recipe) if recipe.reproducing or recipe.test == MIXED else None,
        references=systems_that_are_references(campaign.test_set, compared) if compared else frozenset(),
        chosen=campaign.plan_options.get(SELECTION_SIGNATURE, ""),
        answered=answer_groups(campaign, recipe.by) if is_answer(recipe.by) else None,
    )


def _metric_marks(campaign: Campaign) -> tuple[MarkColumns, ...]:
    severities = severities_of(protocol_for(campaign.protocol, campaign.options))
    suggested = suggested_marks(campaign.test_set)
    marks = [*read_marks(campaign.test_set), *([suggested] if suggested else [])]
    return tuple(each.columns(severities) for each in marks)


def _humans(campaign: Campaign) -> frozenset[str]:
    systems = System.objects.filter(test_set=campaign.test_set_id, is_human=True)
    return frozenset(systems.values_list("name", flat=True))


def _needs_metrics(names: Collection[str], recipe: Recipe) -> bool:
    by_all = not {"assisted", "ceiling", "correlation"}.isdisjoint(names)
    return by_all or ("error_free" in names and recipe.threshold is not None)


def _no_report(share: float, note: str = "", /) -> None:
    """Nobody wants to know the progress."""


def _check_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    unknown = sorted(set(arguments) - {"recipe", "analyses", "options"})
    if unknown:
        raise InvalidRun(f"An analysis has no argument {', '.join(unknown)}; it takes recipe, analyses and options.")
    recipe, analyses, options = (arguments.get(name) for name in ("recipe", "analyses", "options"))
    if recipe is not None and not isinstance(recipe, str):
        raise InvalidRun("The recipe of an analysis is a name.")
    if analyses is not None and not (isinstance(analyses, list) and all(isinstance(name, str) for name in analyses)):
        raise InvalidRun("The analyses to perform are a list of names.")
    if options is not None and not isinstance(options, dict):
        raise InvalidRun("The options of an analysis are values by name.")
    options = dict(sorted((options or {}).items()))
    if isinstance(where := options.pop(WHERE, None), str):
        options |= {WHERE: canonical(where)} if where.strip() else {}  # one form, by which pages find its runs
    elif where is not None:
        options[WHERE] = where
    return {"recipe": recipe, "analyses": analyses, "options": dict(sorted(options.items()))}


def _check_for(arguments: Mapping[str, Any], campaign: Campaign | None, _test_set: TestSet | None) -> None:
    if campaign is not None:
        try:
            check_request(campaign, **arguments)
        except AnalysisError as error:
            raise InvalidRun(str(error)) from error


def _perform(run: Run, on_progress: OnProgress) -> dict[str, Any]:
    if run.campaign is None:
        raise RunFailed("The campaign of this analysis is gone.")
    try:
        result = analyse(run.campaign, **run.arguments, on_progress=on_progress)
    except AnalysisError as error:
        raise RunFailed(str(error)) from error
    if run.arguments == _check_arguments({}):
        store_outputs(run, run.campaign)
    return result


def _split(results: Mapping[str, Any]) -> dict[str, Any]:
    rows = dict(results)
    for name, row in LONG_PARTS.items():
        if name in rows:
            rows[name], long = rows[name].split()
            rows |= {} if long is None else {row: long}
    return {name: to_json(row) for name, row in rows.items()}


def _join(rows: Mapping[str, Any]) -> dict[str, Any]:
    parts = dict(rows)
    for name, row in LONG_PARTS.items():
        if row in parts:
            short, long = from_json(PARTS[name], parts[name]), from_json(PARTS[row], parts.pop(row))
            parts[name] = to_json(short.join(long))
    return parts


ANALYSIS = RunKind(
    _check_arguments, _perform, check_for=_check_for, needs_campaign=True, parts="analyses", split=_split, join=_join
)
