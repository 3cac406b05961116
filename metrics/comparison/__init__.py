"""Two campaigns on one test set, compared when somebody asks: nothing of one campaign is stored with the other."""

from collections.abc import Collection, Mapping

from annotation.models import Exclusion
from annotation.protocols.base import Measure
from campaigns.models import Campaign, System
from metrics.analyses.ranking import RankedMeasures, Ranking
from metrics.analysis_runs import USUAL, AnalysisRuns
from metrics.comparison.judged_outputs import ScoredBy, judged_outputs
from metrics.comparison.results import ComparedCampaign, Comparison, Side, compared


def compare_campaigns(first: Campaign, second: Campaign) -> Comparison:
    """Systems as the newest results of both have them, by the usual recipes; outputs from the judgments of now."""
    exclusions = Exclusion.objects.filter(campaign__in=[first, second], lifted_at=None)
    excluded = list(exclusions.values_list("campaign", "annotator"))
    humans = System.objects.filter(test_set=first.test_set_id, is_human=True).values_list("name", flat=True)
    one, other = (_side(each, {who for campaign, who in excluded if campaign == each.pk}) for each in (first, second))
    return compared(one, other, frozenset(humans))


def _side(campaign: Campaign, excluded: Collection[int]) -> Side:
    runs = AnalysisRuns(campaign, USUAL)
    ranking = runs.result_of(Ranking, "ranking")
    missing = "no_run" if ranking is None else "too_early" if ranking.too_early else None
    ranked = ranking.main if ranking and not missing else None
    outputs = judged_outputs(campaign, excluded)
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
    return Side(about, ranked, outputs)


def _ordered_by(ranked: RankedMeasures, measures: Mapping[str, Measure]) -> ScoredBy:
    name = ranked.main_measure
    by = ranked.ordered_by.get(name, "mean")
    return ScoredBy(name, by, by != "mean" or name not in measures or measures[name].higher_is_better)
