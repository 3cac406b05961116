"""More judgments of everything in a campaign that runs: the rounds that a larger plan would have had."""

import random
from collections.abc import Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.actions.eliminating import refuse_if_racing
from annotation.actions.plan_rows import store_plan
from annotation.campaign_spec import PARAMETERS, CampaignSpec
from annotation.models import Assignment, AssignmentStatus, ItemKind, ItemLevel, Slot
from annotation.planning.planned import PlannedAssignment
from annotation.planning.planner import plan
from annotation.protocols import protocol_for
from annotation.queries.plan_documents import chosen_segments, plan_documents
from campaigns.actions.audit import record
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Campaign, CampaignStatus
from jobs.models import Run
from jobs.run_kinds import InvalidRun, OnProgress, RunFailed, RunKind

Requested = frozenset[tuple[int | None, int | None, int | None]]


def extend_campaign(*, campaign: Campaign, redundancy: int, by: Account | None) -> Campaign:
    """Plans the rounds missing to `redundancy` judgments of each segment; a second call changes nothing.

    A plan is made round after round of one seed, so a longer plan begins with the stored one. Items that
    belong together stay together, so nobody can be handed the same items again. The new rounds are handed out only when
    all are stored.
    """
    _refuse(campaign, redundancy)
    before = campaign.redundancy
    if redundancy == before:
        return campaign
    stored, larger = _planned(campaign, before, redundancy)
    if larger[: len(stored)] != stored or not _is_as_stored(campaign, stored):
        raise _refusal(
            _(
                "This campaign cannot be extended: its plan was imported, or made by another version of Assay. "
                "Create a new campaign instead."
            )
        )
    more = larger[len(stored) :]
    _forget_interrupted(campaign, more[0].round)
    store_plan(campaign, more)
    with transaction.atomic():
        new = Assignment.objects.filter(campaign=campaign, round__gte=more[0].round, status=AssignmentStatus.ARCHIVED)
        raised = Campaign.objects.filter(pk=campaign.pk, redundancy=before).update(redundancy=redundancy)
        if not raised or new.update(status=AssignmentStatus.PLANNED) != len(more):
            raise _refusal(_("This campaign is already being extended. Try again shortly."))
        record(action="campaign_extended", by=by, campaign=campaign, before=before, after=redundancy)
    campaign.redundancy = redundancy
    return campaign


def _refuse(campaign: Campaign, redundancy: int) -> None:
    most = PARAMETERS["redundancy"].high
    if not campaign.redundancy <= redundancy <= most:
        message = _("Write a whole number from %(low)d to %(high)d.")
        raise _refusal(message % {"low": campaign.redundancy, "high": most})
    if campaign.status == CampaignStatus.CLOSED:
        raise _refusal(_("The campaign is closed. Open it again first."))
    refuse_if_racing(campaign, "redundancy")
    if campaign.additions and redundancy > campaign.redundancy:
        message = _(
            "This campaign cannot be extended: systems or documents were added while it ran. "
            "Create a new campaign for further judgments."
        )
        raise _refusal(message)


def _planned(campaign: Campaign, *redundancies: int) -> list[list[PlannedAssignment]]:
    """A plan for each, of texts that are read once."""
    protocol = protocol_for(campaign.protocol, campaign.options)
    texts = list(campaign.systems.order_by("stands_for", "name"))
    documents = plan_documents(
        campaign.test_set,
        texts,
        only_with_questions=protocol.asks_questions,
        is_trimmed=protocol.shows_whole_documents,
        chosen=chosen_segments(campaign),
    )
    systems = sum(not text.stands_for for text in texts)
    spec = CampaignSpec.of(campaign)
    specs = [replace(spec, redundancy=redundancy) for redundancy in redundancies]
    options = [each.planning_options(protocol, systems=systems) for each in specs]
    # a plan must be repeatable, not secret
    return [plan(documents, each, random.Random(spec.seed)) for each in options]  # noqa: S311


def _is_as_stored(campaign: Campaign, planned: list[PlannedAssignment]) -> bool:
    """Whether the first round asks, for each content, what the plan says; the annotators may have changed."""
    first = [each for each in planned if each.round == 0]
    return {each.content: _contents_of(each) for each in first} == _stored(campaign)


def _contents_of(planned: PlannedAssignment) -> Requested:
    regular = (item for item in planned.items if item.needs_judgment and item.kind == "regular")
    return frozenset((item.document, item.segment, slot.system) for item in regular for slot in item.slots)


def _stored(campaign: Campaign) -> dict[int, Requested]:
    rows: Any = (
        Slot.objects.filter(item__assignment__campaign=campaign, item__assignment__round=0, item__kind=ItemKind.REGULAR)
        .exclude(item__level=ItemLevel.CONTEXT)
        .order_by("item__assignment__content")
        .values_list("item__assignment__content", "item__document", "item__segment", "system")
    )
    by_content = groupby(rows.iterator(chunk_size=2000), key=lambda row: row[0])
    return {content: frozenset(row[1:] for row in rows) for content, rows in by_content}


def _forget_interrupted(campaign: Campaign, first_round: int) -> None:
    """Deletes what a killed process stored of the new rounds; nobody can have been handed any of it."""
    unused = Assignment.objects.filter(campaign=campaign, round__gte=first_round, annotator=None)
    unused.filter(status=AssignmentStatus.ARCHIVED).delete()


def _refusal(message: str) -> InvalidInput:
    return InvalidInput.of("redundancy", message)


def _check_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    redundancy = arguments.get("redundancy")
    if set(arguments) != {"redundancy"} or not isinstance(redundancy, int) or redundancy < 1:
        raise InvalidRun("An extension has one argument: redundancy, the judgments of each segment from then on.")
    return {"redundancy": redundancy}


def _perform(run: Run, on_progress: OnProgress) -> dict[str, Any]:
    on_progress(0.0)
    if run.campaign is None:
        raise RunFailed(_("The campaign no longer exists."))
    try:
        campaign = extend_campaign(campaign=run.campaign, redundancy=run.arguments["redundancy"], by=run.created_by)
    except InvalidInput as error:
        raise RunFailed(str(error)) from error
    return {"campaign": campaign.slug, "redundancy": campaign.redundancy}


EXTENSION = RunKind(_check_arguments, _perform, needs_campaign=True)
