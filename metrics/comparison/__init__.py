"""Two campaigns on one test set, compared when somebody asks: nothing of one campaign is stored with the other."""

from collections.abc import Mapping

from annotation.protocols.base import Measure
from campaigns.models import Campaign, System
from metrics.analyses.judged_outputs import ScoredBy, compared_outputs, is_large
from metrics.analyses.ranking import RankedMeasures, Ranking
from metrics.analysis_runs import USUAL, AnalysisRuns
from metrics.comparison.results import ComparedCampaign, Comparison, Side, compared


def compare_campaigns(first: Campaign, second: Campaign) -> Comparison:
    """Systems as the newest results of both have them, by the usual recipes; outputs from the judgments of now.

    Of a campaign with more judgments than a page can read, outputs are those of its results, too.
    """
    humans = System.objects.filter(test_set=first.test_set_id, is_human=True).values_list("name", flat=True)
    return compared(_side(first), _side(second), frozenset(humans))


def _side(campaign: Campaign) -> Side:
    runs = AnalysisRuns(campaign, USUAL)
    ranking = runs.result_of(Ranking, "ranking")
    missing = "no_run" if ranking is None else "too_early" if ranking.too_early else None
    ranked = ranking.main if ranking and not missing else None
    outputs = compared_outputs(campaign, runs.done)
    about = ComparedCampaign(
        campaign=campaign.slug,
        name=campaign.name,
        protocol=campaign.protocol,
        systems_by=_ordered_by(ranked, runs.measures) if ranked else None,
        outputs_by=outputs.scored if outputs else None,
        annotators=0 if outputs is None else outputs.annotators.size,
        run=runs.done.pk if runs.done else None,
        signature=runs.signature,
        is_stale=runs.is_stale,
        missing=missing,
    )
    return Side(about, ranked, outputs, needs_results=outputs is None and is_large(campaign))


def _ordered_by(ranked: RankedMeasures, measures: Mapping[str, Measure]) -> ScoredBy:
    name = ranked.main_measure
    by = ranked.ordered_by.get(name, "mean")
    return ScoredBy(name, by, by != "mean" or name not in measures or measures[name].higher_is_better)
