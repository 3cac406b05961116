"""The plan of a new campaign as it is entered: its sums, what is missing or doubtful, and which protocols fit."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.planning.options import PlanningError, PlanningOptions
from annotation.planning.sums import PlanCounts, PlanSums
from annotation.protocols import PROTOCOLS
from annotation.protocols.base import Protocol
from campaigns.languages import language_name
from campaigns.models import Planning, Question, TestSet
from frontend.organiser.new_campaign_form import NewCampaignForm
from frontend.templatetags.words import count, duration
from frontend.uploads import inspection_result
from metrics.plan_estimate import PlanEstimate, plan_estimate

SumRow = tuple[str, str] | tuple[str, str, bool]  # title and number, and whether it is important


@dataclass(frozen=True)
class Check:
    """A line of "Check and start": only what is missing prevents the campaign. `place` is the id to go to."""

    state: Literal["missing", "doubt", "done"]
    words: str
    place: str


@dataclass(frozen=True)
class EnteredPlan:
    """The form as far as it is filled; `problem` is why it cannot be planned, `unfit` why a protocol does not fit."""

    form: NewCampaignForm
    inspection: Mapping[str, Any] | None
    estimate: PlanEstimate | None
    problem: str
    unfit: Mapping[str, str]

    @property
    def brings_its_plan(self) -> bool:
        """A campaign of another program, or judgments."""
        return bool(self.inspection and self.inspection.get("campaign"))

    @property
    def annotators(self) -> int:
        return self.form.cleaned_data.get("annotators") or 0

    @property
    def too_few_people(self) -> str:
        """Nobody judges the same twice, so a plan takes as many people as it has judgments of a segment."""
        needed = self.estimate.sums.fewest_annotators if self.estimate else 0
        if not 0 < self.annotators < needed:
            return ""
        words = _("This plan takes at least %(needed)d annotators, because nobody judges the same text twice.")
        return words % {"needed": needed}

    def context(self) -> dict[str, Any]:
        """For the template of the sums."""
        rows = _rows(self.estimate, self.annotators) if self.estimate else []
        return {
            "brings_its_plan": self.brings_its_plan,
            "problem": self.problem,
            "rows": rows,
            "note": _note(self.estimate.protocol, self.estimate.sums) if self.estimate else "",
            "enough": self.estimate.enough if self.estimate else [],
            "checks": list(self._checks()),
            "unfit": {name: self.unfit.get(name, "") for name in PROTOCOLS},
            "defaults": self._defaults(),
            "name": self._name(),
            "items_page": self.form.items_page,
        }

    def _checks(self) -> Iterator[Check]:
        order = {"missing": 0, "doubt": 1, "done": 2}
        yield from sorted(self._found(), key=lambda check: order[check.state])

    def _found(self) -> Iterator[Check]:
        cleaned = self.form.cleaned_data
        texts = cleaned.get("test_set") or self.inspection
        if self.brings_its_plan:
            yield Check("done", _("Protocol, plan and people: from the file."), "step-texts")
        elif not texts:
            yield Check("missing", _("Texts: drop files, or take a test set you have."), "step-texts")
        elif self.problem or self.unfit.get(cleaned.get("protocol", "")):
            yield Check("missing", self.problem or self.unfit[cleaned["protocol"]], "step-protocol")
        elif self.estimate:
            yield from self._of_plan(self.estimate)
        if self.inspection and not cleaned.get("test_set"):
            yield from self._of_files(self.inspection)
        if not cleaned.get("name"):
            yield Check("missing", _("The name."), "step-name")
        if not cleaned.get("guidelines"):
            yield Check("done", _("The default guidelines of the protocol; you can edit them later."), "id_guidelines")

    def _of_files(self, inspection: Mapping[str, Any]) -> Iterator[Check]:
        cleaned = self.form.cleaned_data
        genmt = inspection.get("genmt") or {}
        if genmt.get("is_undecided") or (inspection.get("pairs") and inspection["problem_count"]):
            yield Check("missing", _("The language pair of the files."), "step-texts")
        elif self.form.unconfirmed:
            words = _("Documents with other paragraphs than the source, to be confirmed: %(count)d.")
            yield Check("missing", words % {"count": len(self.form.unconfirmed)}, "step-texts")
        elif inspection["problem_count"] and not (inspection["can_skip"] and cleaned.get("skip_bad_rows")):
            yield Check("missing", _("Rows that cannot be used: correct them, or skip them."), "step-texts")
        entered = [cleaned.get("source_language"), cleaned.get("target_language")]
        guessed = inspection.get("guessed_languages") or {}
        if not all(entered):
            yield Check("missing", _("The languages."), "id_source_language")
        elif entered == [guessed.get("source"), guessed.get("target")]:
            words = _("Are the texts in %(source)s and %(target)s? The languages are guessed.")
            source, target = (language_name(str(tag)) for tag in entered)
            yield Check("doubt", words % {"source": source, "target": target}, "id_source_language")

    def _of_plan(self, estimate: PlanEstimate) -> Iterator[Check]:
        if self.too_few_people:
            yield Check("missing", self.too_few_people, "step-people")
        elif not self.annotators:
            yield Check("doubt", _("No annotators yet: invite them once the campaign is created."), "step-people")
        else:
            words = ngettext("%(count)d annotator", "%(count)d annotators", self.annotators)
            yield Check("done", words % {"count": self.annotators}, "step-people")
        if estimate.detectable and estimate.counts.documents < estimate.documents_needed:
            yield Check("doubt", _few_documents(estimate.counts.documents, estimate.documents_needed), "step-texts")
        tasks = estimate.sums.assignments
        if self.form.spec().planning == Planning.STATIC and 0 < tasks < self.annotators:
            yield Check("doubt", _idle_people(tasks, self.annotators), "id_items_per_assignment")
        words = ngettext(
            "%(judgments)s judgments in %(tasks)s task", "%(judgments)s judgments in %(tasks)s tasks", tasks
        )
        yield Check("done", words % {"judgments": count(estimate.sums.total), "tasks": count(tasks)}, "step-people")

    def _defaults(self) -> dict[str, int]:
        """Of fields that are filled by what else is entered: tasks so small that everybody gets one."""
        if not self.estimate:
            return {}
        spec = self.form.spec()
        size = replace(spec, items_per_assignment=None).size_for(self.estimate.protocol)
        if spec.planning == Planning.STATIC and self.annotators and not self.estimate.protocol.reads_once:
            regular = self.estimate.sums.judgments + self.estimate.sums.document_scores
            size = min(size, max(1, regular // self.annotators))
        return {"items_per_assignment": size}

    def _name(self) -> str:
        test_set = self.form.cleaned_data.get("test_set")
        return test_set.name if test_set else ""


def _few_documents(documents: int, needed: int) -> str:
    words = ngettext(
        "%(count)d document is too little to tell systems apart: at least %(needed)d are needed. You can still start.",
        "%(count)d documents are too few to tell systems apart: at least %(needed)d are needed. You can still start.",
        documents,
    )
    return words % {"count": documents, "needed": needed}


def _idle_people(tasks: int, annotators: int) -> str:
    words = ngettext(
        "%(tasks)d task for %(annotators)d annotators: some would have nothing to do. Choose smaller tasks.",
        "%(tasks)d tasks for %(annotators)d annotators: some would have nothing to do. Choose smaller tasks.",
        tasks,
    )
    return words % {"tasks": tasks, "annotators": annotators}


def plan_as_entered(form: NewCampaignForm) -> EnteredPlan:
    """Of a form that was validated."""
    cleaned, account = form.cleaned_data, form.account
    test_set = cleaned.get("test_set")
    inspection = None if test_set else inspection_result(account, cleaned.get("upload"))
    problem, estimate = "", None
    try:
        estimate = plan_estimate(form.spec(), account, test_set=test_set, inspection=inspection)
    except PlanningError as error:
        problem = str(error)
    return EnteredPlan(form, inspection, estimate, problem, _unfit(test_set, inspection))


def _unfit(test_set: TestSet | None, inspection: Mapping[str, Any] | None) -> dict[str, str]:
    """By protocol why it does not fit the texts."""
    if test_set:
        has_questions = Question.objects.filter(document__test_set=test_set).exists()
    elif inspection and inspection["segments"]:
        has_questions = bool(inspection["questions"])
    else:
        return {}
    why = _("Your files have no questions. Add a file questions.csv.")
    return {name: why for name, protocol in PROTOCOLS.items() if protocol.asks_questions and not has_questions}


def _rows(estimate: PlanEstimate, annotators: int) -> list[SumRow]:
    counted = _readings if estimate.protocol.reads_once else _segments
    rest = _rest(estimate.sums, estimate.protocol.seconds_per_item, annotators)
    return [*counted(estimate.sums, estimate.counts, estimate.options), *rest]


def _note(protocol: type[Protocol[Any]], total: PlanSums) -> str:
    if not protocol.reads_once:
        return _("Estimate. Identical outputs are judged once; documents are not split.")
    note = _("At least %(count)d annotators are needed, because nobody reads a document twice.")
    return note % {"count": total.fewest_annotators}


def _readings(total: PlanSums, counts: PlanCounts, options: PlanningOptions) -> list[SumRow]:
    shown = {"documents": count(counts.documents), "texts": count(options.systems_of(counts.systems))}
    readings = total.document_scores // options.redundancy
    return [
        (_("Documents with questions × texts: %(documents)s × %(texts)s") % shown, count(readings)),
        (_("× readings of each: %(count)d") % {"count": options.redundancy}, count(total.document_scores)),
    ]


def _segments(total: PlanSums, counts: PlanCounts, options: PlanningOptions) -> list[SumRow]:
    shown = {"segments": count(counts.segments), "systems": count(options.systems_of(counts.systems))}
    rows: list[SumRow] = [
        (_("Segments × systems: %(segments)s × %(systems)s") % shown, count(total.outputs)),
        (_("× judgments of each: %(count)d") % {"count": options.redundancy}, count(total.judgments)),
        (_("+ repeated and degraded items"), count(total.repeats + total.degraded)),
    ]
    if total.document_scores:
        rows.append((_("+ document scores"), count(total.document_scores)))
    if total.pairs is not None:
        fewest, most = total.pairs
        times = count(most) if fewest == most else f"{count(fewest)}–{count(most)}"
        rows.append((_("Screens that two systems share"), times))
    return rows


def _rest(total: PlanSums, seconds_per_item: int, annotators: int) -> list[SumRow]:
    seconds = total.total * seconds_per_item
    rows: list[SumRow] = [
        (_("Judgments"), count(total.total), True),
        (_("Tasks"), count(total.assignments)),
        (_("Judging time (%(count)d s per item)") % {"count": seconds_per_item}, duration(seconds), True),
    ]
    if annotators:
        rows.append((_("Time per annotator (of %(count)d)") % {"count": annotators}, duration(seconds / annotators)))
    return rows
