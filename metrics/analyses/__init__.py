"""The analyses by name: which statistics on which arrays. Adding one is a line in ANALYSES and a docs heading."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Q, Sum
from django.utils.translation import gettext as _

from annotation.models import Assignment, AssignmentStatus, Exclusion
from annotation.protocols import protocol_for
from campaigns.models import Campaign, CampaignStatus
from metrics.analyses.annotators import annotators
from metrics.analyses.evidence import Analysis, Evidence
from metrics.analyses.ranking import ranking
from metrics.kinds import OnProgress
from metrics.matrices import read_scores
from metrics.recipes import AnalysisError, Recipe, recipe_for

__all__ = ["ANALYSES", "AnalysisError", "Evidence", "analyse", "analyse_evidence", "gather"]

ANALYSES: dict[str, Analysis] = {
    "ranking": ranking,
    "annotators": annotators,
}
DEFAULT_ANALYSES = ("ranking", "annotators")
_READ = 0.3


def analyse(
    campaign: Campaign,
    *,
    recipe: str | None = None,
    analyses: Sequence[str] | None = DEFAULT_ANALYSES,
    options: Mapping[str, Any] | None = None,
    on_progress: OnProgress | None = None,
) -> dict[str, Any]:
    """The campaign's numbers, as one JSON object: `campaign`, `name`, `signature`, `recipe`, `judgments`, `analyses`.

    Numbers that do not exist are None. Raises AnalysisError, with every fault of the request, before anything is read.
    """
    tell = on_progress or _silence
    names = tuple(analyses or DEFAULT_ANALYSES)
    unknown = [name for name in names if name not in ANALYSES]
    if unknown:
        raise AnalysisError(
            _("There is no analysis “%(name)s”. Known: %(known)s.")
            % {"name": "”, “".join(unknown), "known": ", ".join(ANALYSES)}
        )
    chosen = recipe_for(campaign.protocol, recipe, options)
    tell(0.0, _("Reading judgments"))
    evidence = gather(campaign, chosen)
    signature = chosen.signature(protocol=campaign.protocol, excluded=len(evidence.excluded))
    return {
        "campaign": campaign.slug,
        "name": campaign.name,
        "signature": signature,
        "recipe": chosen.name,
        "judgments": evidence.judgments,
        "analyses": analyse_evidence(evidence, names, tell),
    }


def analyse_evidence(evidence: Evidence, names: Sequence[str], tell: OnProgress | None = None) -> dict[str, Any]:
    """The analyses of arrays already at hand, in the order asked."""
    told = tell or _silence
    results: dict[str, Any] = {}
    for place, name in enumerate(names):
        told(_READ + (1 - _READ) * place / len(names), name)
        results[name] = ANALYSES[name](evidence)
    told(1.0, "")
    return results


def gather(campaign: Campaign, recipe: Recipe) -> Evidence:
    """The campaign's scores, by measure, with what is planned and who is left out by decision."""
    measures = protocol_for(campaign.protocol, campaign.options).measures
    excluded = Exclusion.objects.filter(campaign=campaign, lifted_at=None)
    return Evidence(
        tables=tuple(read_scores(campaign, measure) for measure in measures),
        recipe=recipe,
        excluded=frozenset(excluded.values_list("annotator__username", flat=True)),
        planned=_planned(campaign),
    )


def _planned(campaign: Campaign) -> int | None:
    """How many judgments the assignments ask for; None when nothing more is to come."""
    if campaign.status == CampaignStatus.CLOSED:
        return None
    ended = Q(status=AssignmentStatus.CLOSED)
    sums = Assignment.objects.filter(campaign=campaign).aggregate(
        asked=Sum("total", filter=~ended & ~Q(status=AssignmentStatus.ARCHIVED)), given=Sum("done", filter=ended)
    )
    return (sums["asked"] or 0) + (sums["given"] or 0)


def _silence(share: float, note: str = "", /) -> None:
    """Nobody listens."""
