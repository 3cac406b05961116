"""A campaign and its plan, from wish to rows."""

import random
import secrets
from collections.abc import Collection, Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.actions.plan_rows import store_plan
from annotation.actions.proposal import Proposal, Wish, check_wish
from annotation.actions.stand_ins import stand_ins_in
from annotation.models import Assignment, AssignmentStatus
from annotation.planning import PlannedAssignment, PlanningError, plan
from annotation.queries.plan_documents import plan_documents
from campaigns.actions import record
from campaigns.invalid_input import InvalidInput
from campaigns.models import (
    Account,
    AuditEntry,
    Campaign,
    CampaignStatus,
    Membership,
    Planning,
    Role,
    System,
    TestSet,
    Withdrawal,
)

BEGUN = "campaign_begun"
CREATED = "campaign_created"


def create_campaign(
    *,
    name: str,
    test_set: TestSet,
    protocol: str,
    options: Mapping[str, Any] | None = None,
    systems: Collection[System] | None = None,
    redundancy: int = 1,
    planning: str = Planning.STATIC,
    items_per_assignment: int | None = None,
    reservation_minutes: int = 60,
    systems_per_segment: int | None = None,
    repeats_share: float = 0.0,
    degraded_share: float = 0.0,
    seed: int | None = None,
    guidelines: str = "",
    consent: str = "",
    on_withdrawal: str = Withdrawal.PSEUDONYMISED,
    created_by: Account | None = None,
    open: bool = False,
    request: str = "",
) -> Campaign:
    """Checks everything, plans, stores. Without `systems` all are judged; without a seed one is drawn and kept.

    A plan of small assignments is a shared pool when they are only reserved while they are handed out (`planning`).

    The rows are stored in short transactions, so that judging elsewhere goes on. Until the last of them nothing can be
    handed out, and the campaign can be made anew under its name. `request` names the occasion, such as a run that is
    performed again after a crash: asked for twice on the same one, it is the same campaign.
    """
    if request and (made := _made_on(request)):
        return made
    proposal = check_wish(
        Wish(
            name=name.strip(),
            test_set=test_set,
            protocol=protocol,
            options={} if options is None else options,
            systems=systems,
            redundancy=redundancy,
            planning=planning,
            items_per_assignment=items_per_assignment,
            reservation_minutes=reservation_minutes,
            systems_per_segment=systems_per_segment,
            repeats_share=repeats_share,
            degraded_share=degraded_share,
            seed=secrets.randbits(32) if seed is None else seed,
            guidelines=guidelines,
            consent=consent,
            on_withdrawal=on_withdrawal,
        )
    )
    _forget_interrupted(proposal.slug)
    _refuse_taken(proposal)
    texts = (*proposal.systems, *stand_ins_in(test_set, proposal.protocol.stand_ins))
    planned = _planned(proposal, texts)
    campaign = _store_campaign(proposal, texts, created_by)
    try:
        store_plan(campaign, planned)
        _finish(campaign, by=created_by, open=open, request=request)
    except IntegrityError as error:
        Campaign.objects.filter(pk=campaign.pk).delete()
        raise _made_elsewhere() from error
    except BaseException:
        campaign.delete()
        raise
    return campaign


def _planned(proposal: Proposal, texts: Collection[System]) -> list[PlannedAssignment]:
    asks_questions = proposal.protocol.asks_questions
    documents = plan_documents(proposal.wish.test_set, texts, only_with_questions=asks_questions)
    rng = random.Random(proposal.wish.seed)  # noqa: S311 - a plan must be repeatable, not secret
    try:
        return plan(documents, proposal.planning_options, rng)
    except PlanningError as error:
        raise InvalidInput({"plan": [str(error)]}) from error


def _store_campaign(proposal: Proposal, texts: Collection[System], created_by: Account | None) -> Campaign:
    campaign = proposal.as_row()
    campaign.created_by = created_by
    try:
        with transaction.atomic():
            campaign.save(force_insert=True)
            campaign.systems.set(texts)
            if created_by is not None:
                Membership.objects.create(campaign=campaign, account=created_by, role=Role.ORGANISER)
            record(action=BEGUN, by=created_by, campaign=campaign)
    except IntegrityError as error:
        raise _made_elsewhere() from error
    return campaign


def _finish(campaign: Campaign, *, by: Account | None, open: bool, request: str) -> None:
    """From here on assignments can be handed out, and the campaign is known to be whole."""
    with transaction.atomic():
        assignments = Assignment.objects.filter(campaign=campaign).update(status=AssignmentStatus.PLANNED)
        if open:
            campaign.status = CampaignStatus.OPEN
            campaign.opened_at = timezone.now()
            campaign.save(update_fields=["status", "opened_at"])
        detail = {"assignments": assignments, "seed": campaign.seed, "open": open, "request": request}
        record(action=CREATED, by=by, campaign=campaign, **detail)


def _made_on(request: str) -> Campaign | None:
    return Campaign.objects.filter(audit_entries__action=CREATED, audit_entries__detail__request=request).first()


def _forget_interrupted(slug: str) -> None:
    """Removes what a process left that was killed while it stored the plan; nobody can have judged in it."""
    begun = AuditEntry.objects.filter(campaign=OuterRef("pk"), action=BEGUN)
    whole = AuditEntry.objects.filter(campaign=OuterRef("pk"), action=CREATED)
    interrupted = Campaign.objects.filter(Exists(begun), ~Exists(whole), slug=slug)
    try:
        interrupted.delete()
    except IntegrityError as error:
        raise _made_elsewhere() from error


def _refuse_taken(proposal: Proposal) -> None:
    name = proposal.wish.name
    taken = Campaign.objects.filter(Q(slug=proposal.slug) | Q(name=name)).values_list("name", flat=True).first()
    if taken == name:
        raise InvalidInput({"name": [_("A campaign of this name exists. Choose another.")]})
    if taken is not None:
        message = _("The campaign “%(name)s” would have the same address. Choose another name.")
        raise InvalidInput({"name": [message % {"name": taken}]})


def _made_elsewhere() -> InvalidInput:
    message = _("A campaign of this name is being made at this moment. Wait a little, or choose another name.")
    return InvalidInput({"name": [message]})
