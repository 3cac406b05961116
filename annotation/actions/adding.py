"""Systems and documents that come when a campaign runs already: the work on them, for those who know the rest."""

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.actions.claiming import claim_values
from annotation.actions.eliminating import refuse_if_racing
from annotation.actions.plan_rows import store_plan
from annotation.actions.serving_checks import draw_checks
from annotation.campaign_spec import CampaignSpec
from annotation.models import Assignment, AssignmentStatus, ChosenSegment
from annotation.planning.documents import PlanDocument, systems_in
from annotation.planning.late import (
    LateTask,
    given_to_least_busy,
    given_to_panel,
    load_of,
    of_systems,
    outputs_to_judge,
    panels,
    with_content,
)
from annotation.planning.options import PlanningError, PlanningOptions
from annotation.planning.planned import PlannedAssignment
from annotation.planning.planner import plan
from annotation.protocols import protocol_for
from annotation.queries.late_work import documents_of_contents, judges_of_documents, next_content
from annotation.queries.plan_documents import chosen_segments, plan_documents
from annotation.queries.suggestions import unfit_suggestions
from campaigns.actions.audit import record
from campaigns.invalid_input import InvalidInput
from campaigns.late_additions import LateAddition
from campaigns.models import Account, Campaign, CampaignStatus, Planning, Segment, System

WHOLE = 1 << 31  # as many documents in a content as there are


@dataclass(frozen=True)
class Added:
    """What was planned: `tasks`, of which `given` are for people who know the texts; the others wait for anybody."""

    addition: LateAddition
    tasks: int
    given: int
    annotators: int
    judgments: int


def refuse_if_closed(campaign: Campaign) -> None:
    """New work needs a campaign that can hand it out."""
    if campaign.status == CampaignStatus.CLOSED:
        raise InvalidInput.of("campaign", _("The campaign is closed. Open it again first."))


def add_late_work(
    *, campaign: Campaign, systems: Collection[str], documents: Collection[str], by: Account | None
) -> Added:
    """Plans the judgments of systems and documents that the test set has and the campaign has not, as many of each
    output as of all others.

    A further system is judged on each document by those who judged it, as far as they still take part; further
    documents by people who judged others. They get tasks of their own; what is left waits for the next annotator, and
    so does everything in a shared pool. Outputs that equal earlier ones are judged: the earlier judgments were made
    without knowing of them. Where documents are read once, others read them. Nothing is stored if anything fails.
    """
    with transaction.atomic():
        campaign = Campaign.objects.select_for_update(no_key=True).select_related("test_set").get(pk=campaign.pk)
        refuse_if_closed(campaign)
        refuse_if_racing(campaign, "campaign")
        planning = _Planning(campaign, set(systems), set(documents))
        first = next_content(campaign)
        tasks = planning.tasks(first)
        if not tasks:
            raise InvalidInput.of("plan", _("There is nothing to judge in these texts."))
        addition = LateAddition(timezone.now(), tuple(sorted(systems)), tuple(documents), first)
        _store(campaign, tasks)
        campaign.additions = [*campaign.additions, addition.as_json()]
        campaign.save(update_fields=["additions"])
        given = [task for task in tasks if task.annotator is not None]
        added = Added(
            addition,
            tasks=len(tasks),
            given=len(given),
            annotators=len({task.annotator for task in given}),
            judgments=sum(task.planned.total for task in tasks),
        )
        counts = {"tasks": added.tasks, "given": added.given}
        about = {"systems": list(addition.systems), "documents": list(addition.documents)}
        record(action="late_texts_added", by=by, campaign=campaign, **about, **counts)
    return added


def _choose_whole(campaign: Campaign, documents: Collection[str]) -> None:
    """Where segments were chosen, documents that come late are judged whole, also by what is added after them."""
    chosen = chosen_segments(campaign)
    if chosen is None:
        return
    late = Segment.objects.filter(document__test_set=campaign.test_set_id, document__name__in=documents)
    rows = (
        ChosenSegment(campaign=campaign, segment_id=key)
        for key in late.exclude(pk__in=chosen).values_list("pk", flat=True)
    )
    ChosenSegment.objects.bulk_create(rows, batch_size=1_000)


def _store(campaign: Campaign, tasks: Sequence[LateTask]) -> None:
    rows = store_plan(campaign, [task.planned for task in tasks])
    by_annotator: dict[int | None, list[int]] = {}
    for row, task in zip(rows, tasks, strict=True):
        by_annotator.setdefault(task.annotator, []).append(row.pk)
    people = Account.objects.in_bulk([annotator for annotator in by_annotator if annotator is not None])
    for annotator, keys in by_annotator.items():
        values: dict[str, Any] = {"status": AssignmentStatus.PLANNED}
        if annotator is not None:
            values = claim_values(people[annotator], campaign)
        Assignment.objects.filter(pk__in=keys).update(**values)
        if annotator is not None:
            for row in Assignment.objects.filter(pk__in=keys).order_by("position"):
                draw_checks(row, people[annotator])


class _Planning:
    """The tasks of one addition: first the further systems on the documents there are, then the further documents."""

    def __init__(self, campaign: Campaign, systems: set[str], documents: set[str]) -> None:
        self.campaign = campaign
        self.protocol = protocol_for(campaign.protocol, campaign.options)
        self.rng = random.Random(f"{campaign.seed} late {len(campaign.additions)}")  # noqa: S311 - repeatable, not secret
        before = list(campaign.systems.order_by("stands_for", "name"))
        late = list(campaign.test_set.systems.filter(name__in=systems, stands_for="").order_by("name"))
        campaign.systems.add(*late)
        self.before, self.late = {each.pk for each in before}, {each.pk for each in late}
        self.options = self._options([*before, *late])
        self._check_suggestions()
        names = dict(campaign.test_set.documents.values_list("pk", "name"))
        _choose_whole(campaign, documents)
        texts = plan_documents(
            campaign.test_set,
            [*before, *late],
            only_with_questions=self.protocol.asks_questions,
            is_trimmed=self.protocol.shows_whole_documents,
            chosen=chosen_segments(campaign),
        )
        self.new = [each for each in texts if names[each.id] in documents]
        self.old = [each for each in texts if names[each.id] not in documents]
        self.judged = {} if campaign.planning == Planning.POOL else judges_of_documents(campaign)

    def _options(self, systems: Sequence[System]) -> PlanningOptions:
        count = sum(not each.stands_for for each in systems)
        return CampaignSpec.of(self.campaign).planning_options(self.protocol, systems=count)

    def _check_suggestions(self) -> None:
        if self.protocol.offers_suggestions and unfit_suggestions(self.campaign.test_set, self.protocol):
            message = _("The file suggests errors that the options of the campaign do not allow.")
            raise InvalidInput.of("suggestions", message)

    def tasks(self, first: int) -> list[LateTask]:
        tasks = self._of_systems(first) if self.late else []
        after = 1 + max((task.planned.content for task in tasks), default=first - 1)
        return [*tasks, *self._of_documents(max(first, after), load_of(tasks))]

    def _of_systems(self, first: int) -> list[LateTask]:
        documents = self._sampled()
        if self.options.reads_once:
            return self._read_by_others(documents)
        sizes = {each.id: size for each in documents if (size := outputs_to_judge(each))}
        by_id = {each.id: each for each in documents}
        options = replace(self.options, systems_per_segment=None)
        tasks: list[LateTask] = []
        for panel in panels(sizes, self.judged, options.redundancy, options.items_per_assignment):
            planned = self._plan([by_id[document] for document in panel.documents], options)
            content = first if not tasks else 1 + max(task.planned.content for task in tasks)
            tasks += with_content(given_to_panel(planned, panel), content)
        return tasks

    def _sampled(self) -> list[PlanDocument]:
        """With the further systems alone, or beside earlier ones where systems are compared.

        Where a document is judged with some of the systems, a further system is judged on as large a share of them.
        """
        some = self.options.systems_per_segment
        earlier = max(1, len(self.before))
        share = 1.0 if some is None else min(1.0, some / earlier)
        partners = self.before if self.options.slots_per_item > 1 else set[int]()
        chosen: dict[int, set[int]] = {each.id: set() for each in self.old}
        for system in sorted(self.late):
            having = [each.id for each in self.old if system in systems_in(each)]
            for document in self.rng.sample(having, round(share * len(having))):
                chosen[document].add(system)
        return [of_systems(each, chosen[each.id], partners) for each in self.old if chosen[each.id]]

    def _read_by_others(self, documents: Sequence[PlanDocument]) -> list[LateTask]:
        """Under the contents that the documents have, so that nobody gets one that they have read."""
        options = replace(self.options, systems_per_segment=None, items_per_assignment=WHOLE)
        tasks: list[LateTask] = []
        done: set[int] = set()
        for content, own in sorted(documents_of_contents(self.campaign).items()):
            group = [each for each in documents if each.id in own - done]
            done |= own
            tasks += [LateTask(replace(each, content=content)) for each in self._plan(group, options)]
        return tasks

    def _of_documents(self, first: int, load: Mapping[int, int]) -> list[LateTask]:
        if not self.new:
            return []
        people = sorted({annotator for judges in self.judged.values() for annotator in judges})
        return with_content(given_to_least_busy(self._plan(self.new, self.options), people, load), first)

    def _plan(self, documents: Sequence[PlanDocument], options: PlanningOptions) -> list[PlannedAssignment]:
        """Nothing where nothing is to judge: side by side, outputs that are all alike need no judgment."""
        present = len({system for each in documents for one in each.segments for system in one.outputs})
        some, slots = options.systems_per_segment, options.slots_per_item
        if not present or (present < min(2, slots) and not options.whole_documents):
            return []
        fitting = replace(
            options,
            systems_per_segment=None if some is None else min(some, present),
            slots_per_item=min(slots, present),
        )
        try:
            return plan(documents, fitting, self.rng)
        except PlanningError:
            return []
