"""The run that looks at the judgments of a campaign that drops systems, and drops those that are out."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from annotation.actions.eliminating import recount, store_look
from annotation.models import Race
from jobs.models import Run
from jobs.run_kinds import InvalidRun, OnProgress, RunFailed, RunKind
from metrics.actions.deriving import derive_scores
from metrics.analyses import gather
from metrics.analyses.allocation import looked, stored_systems
from metrics.recipes import recipe_for


def _check_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    if arguments:
        raise InvalidRun("A look at a race has no arguments.")
    return {}


def _perform(run: Run, on_progress: OnProgress) -> dict[str, Any]:
    """Looks when enough documents are finished since the last look; otherwise says how many are."""
    campaign = run.campaign
    if campaign is None:
        raise RunFailed(_("The campaign no longer exists."))
    recipe = recipe_for(campaign.protocol)
    derive_scores(campaign, weights=recipe.stored_weights)
    on_progress(0.5)
    evidence = gather(campaign, recipe)
    race = evidence.race
    if race is None:
        raise RunFailed(_("This campaign does not drop systems."))
    look, again = looked(evidence, race)
    last = race.looks[-1].documents if race.looks else 0
    is_due = not look.reason and (look.documents >= last + race.rule.step or look.documents >= race.planned_documents)
    is_stored = is_due and store_look(
        campaign=campaign,
        documents=look.documents,
        systems=stored_systems(evidence, race, look, again),
        dropped=[each.name for place, each in enumerate(race.standings) if look.states[place] == "dropped"],
        is_over=look.is_over,
    )
    if not is_stored:
        recount(Race.objects.select_related("campaign").get(campaign=campaign))  # in case an earlier attempt died there
    return {"documents": look.documents, "looked": is_stored, "is_over": look.is_over, "reason": look.reason}


RACE_LOOK = RunKind(_check_arguments, _perform, needs_campaign=True)
