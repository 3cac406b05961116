"""A campaign and its plan, from spec to rows."""

import random
import secrets
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from annotation.actions.checked_spec import CheckedSpec, check_spec
from annotation.actions.copying import copy_settings
from annotation.actions.eliminating import begin_race
from annotation.actions.making_checks import planned_checks, store_checks
from annotation.actions.plan_rows import store_plan
from annotation.campaign_spec import CampaignSpec
from annotation.guidelines import with_guidelines
from annotation.item_choice import ALL, SELECTION_SIGNATURE, ItemChoice, item_chooser
from annotation.models import Assignment, AssignmentStatus, ChosenSegment
from annotation.planning.options import PlanningError
from annotation.planning.planned import PlannedAssignment
from annotation.planning.planner import plan
from annotation.queries.plan_documents import plan_documents
from campaigns.actions.audit import record
from campaigns.actions.enrolment import PeopleError, enrol_people
from campaigns.invalid_input import InvalidInput
from campaigns.models import (
    Account,
    AuditEntry,
    Campaign,
    CampaignStatus,
    Membership,
    Role,
    StandsFor,
    System,
    TestSet,
)
from campaigns.new_people import Person, check_people
from jobs.models import Run
from jobs.run_kinds import OnProgress, RunFailed

BEGUN = "campaign_begun"
CREATED = "campaign_created"


def create_campaign(
    *,
    spec: CampaignSpec,
    test_set: TestSet,
    created_by: Account | None = None,
    open: bool = False,
    request: str = "",
    planned: Sequence[PlannedAssignment] | None = None,
) -> Campaign:
    """Checks everything, plans (unless it is `planned`), stores. Without a seed one is drawn and stored.

    A plan of small assignments is a shared pool when they are only reserved while they are handed out (`planning`).

    The rows are stored in short transactions, so that judging elsewhere goes on. Until the last of them nothing can be
    handed out, and the campaign can be made anew under its name. `request` names the occasion, such as a run that is
    performed again after a crash: two requests on the same one give the same campaign.
    """
    if request and (made := made_on(request)):
        return made
    _forget_interrupted(slugify(spec.name))
    spec = with_guidelines(spec if spec.seed is not None else replace(spec, seed=secrets.randbits(32)))
    checked = check_spec(spec, test_set)
    texts = (*checked.systems, *(_stand_in(test_set, StandsFor(kind)) for kind in checked.protocol.stand_ins))
    choice = _chosen(checked) if planned is None and spec.selection != ALL else None
    planned = _planned(checked, texts, choice) if planned is None else planned
    checks = planned_checks(checked, texts, planned)
    campaign = _store_campaign(checked, texts, created_by, choice)
    try:
        store_plan(campaign, planned)
        store_checks(campaign, checks)
        begin_race(campaign, planned)
        _store_choice(campaign, choice)
        _finish(campaign, by=created_by, open=open, request=request)
    except IntegrityError as error:
        Campaign.objects.filter(pk=campaign.pk).delete()
        raise _made_elsewhere() from error
    except BaseException:
        campaign.delete()
        raise
    return campaign


def _chosen(checked: CheckedSpec) -> ItemChoice:
    choice = item_chooser().choose(checked.item_request)
    if not choice.probabilities:
        message = _("The budget is too small: no document fits into it.")
        if checked.spec.selection_of == "segments":
            message = _("The budget is too small: no segment fits into it.")
        raise InvalidInput.of("selection_budget", message)
    return choice


def _store_choice(campaign: Campaign, choice: ItemChoice | None) -> None:
    if choice is not None:
        rows = (
            ChosenSegment(campaign=campaign, segment_id=key, utility=choice.utilities.get(key), probability=probability)
            for key, probability in choice.probabilities.items()
        )
        ChosenSegment.objects.bulk_create(rows, batch_size=1_000)


def _planned(checked: CheckedSpec, texts: Collection[System], choice: ItemChoice | None) -> list[PlannedAssignment]:
    documents = plan_documents(
        checked.test_set,
        texts,
        only_with_questions=checked.protocol.asks_questions,
        is_trimmed=checked.protocol.shows_whole_documents,
        chosen=choice.probabilities if choice else None,
    )
    rng = random.Random(checked.spec.seed)  # noqa: S311 - a plan must be repeatable, not secret
    try:
        return plan(documents, checked.planning_options, rng)
    except PlanningError as error:
        raise InvalidInput.of("plan", str(error)) from error


def _store_campaign(
    checked: CheckedSpec, texts: Collection[System], created_by: Account | None, choice: ItemChoice | None
) -> Campaign:
    campaign = checked.as_row()
    if choice is not None:
        campaign.plan_options[SELECTION_SIGNATURE] = choice.signature
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


def made_on(request: str) -> Campaign | None:
    return Campaign.objects.filter(audit_entries__action=CREATED, audit_entries__detail__request=request).first()


def _forget_interrupted(slug: str) -> None:
    """Removes the rows of a process that was killed while it stored the plan; nobody can have judged in it."""
    begun = AuditEntry.objects.filter(campaign=OuterRef("pk"), action=BEGUN)
    whole = AuditEntry.objects.filter(campaign=OuterRef("pk"), action=CREATED)
    interrupted = Campaign.objects.filter(Exists(begun), ~Exists(whole), slug=slug)
    try:
        interrupted.delete()
    except IntegrityError as error:
        raise _made_elsewhere() from error


def _made_elsewhere() -> InvalidInput:
    message = _("A campaign with this name is being created right now. Try again shortly, or choose another name.")
    return InvalidInput.of("name", message)


def _stand_in(test_set: TestSet, kind: StandsFor) -> System:
    """Source or reference, read like a system's texts: a row of each kind, shared by a test set's campaigns."""
    taken = set(test_set.systems.exclude(stands_for=kind).values_list("name", flat=True))
    free = next(name for name in (kind.value, f"{kind.value} text", f"the {kind.value} itself") if name not in taken)
    values = {"name": free, "is_human": kind == StandsFor.REFERENCE}
    return System.objects.get_or_create(test_set=test_set, stands_for=kind, defaults=values)[0]


def perform_creation(
    run: Run, on_progress: OnProgress, *, test_set_of: Callable[[Run, OnProgress], TestSet]
) -> dict[str, Any]:
    """Makes the campaign with its plan and its people, on a test set that is looked up or made of files first."""
    try:
        listed = [Person(**person) for person in run.arguments.get("people", ())]
        people = listed or [Person()] * run.arguments.get("annotators", 0)
        if problems := check_people(people, None):
            raise RunFailed("\n".join(str(problem) for problem in problems))
        test_set = test_set_of(run, on_progress)
        on_progress(0.6)
        campaign = _create_for(run, test_set)
    except RunFailed:
        _forget_people(run)
        raise
    return {"campaign": campaign.slug, "people_problems": _enrol(run, campaign, people)}


def _create_for(run: Run, test_set: TestSet) -> Campaign:
    spec, request = CampaignSpec.from_json(run.arguments), f"run {run.pk}"
    try:
        campaign = create_campaign(
            spec=spec, test_set=test_set, created_by=run.created_by, open=run.arguments["open"], request=request
        )
        copied = Campaign.objects.filter(pk=run.arguments.get("copied") or 0).first()
        if copied is not None:
            copy_settings(source=copied, target=campaign, by=run.created_by)
        return campaign
    except InvalidInput as error:
        raise RunFailed(str(error)) from error


def _enrol(run: Run, campaign: Campaign, people: list[Person]) -> list[str]:
    """Invites the people of the list, then deletes it from the run, so that a second attempt invites nobody twice."""
    if not people:
        return []
    try:
        with transaction.atomic():
            enrol_people(campaign=campaign, people=people, by=run.created_by)
            _forget_people(run, form={})
    except PeopleError as error:
        _forget_people(run, form={})
        return [str(problem) for problem in error.problems]
    return []


def _forget_people(run: Run, **also: Any) -> None:
    if run.arguments.get("people") or run.arguments.get("annotators"):
        Run.objects.filter(pk=run.pk).update(arguments={**run.arguments, "people": [], "annotators": 0, **also})
