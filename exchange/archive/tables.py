"""What an archive contains: the tables of one campaign and its test set, in the order in which they can be rebuilt."""

from dataclasses import dataclass, field
from typing import Any

from django.db.models import Field, ForeignKey, Model, Q, QuerySet

from annotation.models import (
    ActionLog,
    Adjudication,
    Assignment,
    AttentionCheck,
    CheckDraw,
    ChosenSegment,
    Credit,
    Draft,
    DrawnScreen,
    ErrorSpan,
    Exclusion,
    Item,
    Judgment,
    PracticeAnswer,
    PracticeItem,
    ProblemReport,
    Race,
    RaceLook,
    RaceSystem,
    Score,
    Slot,
    TimesheetNote,
)
from campaigns.models import (
    Campaign,
    Document,
    FormAnswer,
    FormQuestion,
    Medium,
    Membership,
    Question,
    Questionnaire,
    QuestionnaireReply,
    Reference,
    Role,
    Segment,
    SuggestedSpan,
    System,
    TestSet,
    TextGuidance,
    Translation,
)
from jobs.models import Run, RunPart, RunStatus
from metrics.models import ImportedScores, SegmentScore, SegmentStatistic, SystemCounts, SystemScore

ROWS = "rows"
ANNOTATORS = "annotator"


@dataclass(frozen=True)
class Table:
    """One model's rows. `of_test_set` or `of_campaign` lead from a row to what it belongs to.

    `left_out` are fields that are made anew or concern nobody else; every other field is archived, so that a
    field that is added later is not forgotten.
    """

    model: type[Model]
    what: str
    of_test_set: str = ""
    of_campaign: str = ""
    left_out: frozenset[str] = frozenset()
    only: Q = field(default_factory=Q)

    @property
    def name(self) -> str:
        return str(self.model._meta.model_name)  # noqa: SLF001 - documented, for all its underscore

    @property
    def path(self) -> str:
        return f"{ROWS}/{self.name}.jsonl"

    @property
    def fields(self) -> "list[Field[Any, Any]]":
        concrete = self.model._meta.concrete_fields  # noqa: SLF001 - as above
        return [each for each in concrete if not each.primary_key and each.name not in self.left_out]

    def rows_of(self, campaign: Campaign) -> "QuerySet[Model]":
        wanted = Q(**{self.of_campaign: campaign.pk}) if self.of_campaign else Q()
        if self.of_test_set:
            wanted |= Q(**{f"{self.of_test_set}__in": _test_sets_of(campaign)})
        everything = self.model._base_manager  # noqa: SLF001 - as above; with members who were removed
        return everything.filter(wanted, self.only).order_by("pk")


def _test_sets_of(campaign: Campaign) -> list[int]:
    """The campaign's own comes first; others have the texts of imported attention checks."""
    checks = AttentionCheck.objects.filter(campaign=campaign).exclude(document__test_set=campaign.test_set_id)
    others = checks.order_by("document__test_set").values_list("document__test_set", flat=True).distinct()
    return [campaign.test_set_id, *others]


TABLES: tuple[Table, ...] = (
    Table(TestSet, "the test set", of_test_set="pk", left_out=frozenset({"slug", "status", "created_by"})),
    Table(System, "systems", of_test_set="test_set"),
    Table(Document, "documents", of_test_set="test_set"),
    Table(Segment, "segments with their sources", of_test_set="document__test_set"),
    Table(Reference, "reference translations", of_test_set="segment__document__test_set"),
    Table(Translation, "translations by system", of_test_set="segment__document__test_set"),
    Table(TextGuidance, "instructions and glossaries of texts", of_test_set="test_set"),
    Table(
        Medium,
        "pictures, audio and video beside the texts; their files are in `media`",
        of_test_set="document__test_set",
    ),
    Table(Question, "comprehension questions with accepted answers", of_test_set="document__test_set"),
    Table(SuggestedSpan, "error spans that came with the test set", of_test_set="translation__system__test_set"),
    Table(
        ImportedScores,
        "scores of metrics that were computed elsewhere: of which metric, from which file",
        of_test_set="test_set",
        left_out=frozenset({"imported_by"}),
        only=Q(is_whole=True),
    ),
    Table(SegmentScore, "such scores of translations", of_test_set="scores__test_set", only=Q(scores__is_whole=True)),
    Table(SystemScore, "such scores of systems", of_test_set="scores__test_set", only=Q(scores__is_whole=True)),
    Table(
        SegmentStatistic,
        "models' scores of translations",
        of_test_set="translation__system__test_set",
        left_out=frozenset({"counted_here"}),
    ),
    Table(SystemCounts, "other automatic metrics' counts, of a system in one row", of_test_set="system__test_set"),
    Table(Campaign, "settings of the campaign", of_campaign="pk", left_out=frozenset({"slug", "created_by"})),
    Table(ChosenSegment, "the segments that are judged, where not all are", of_campaign="campaign"),
    Table(
        Membership,
        "who was invited to judge, agreed, and passed practice",
        of_campaign="campaign",
        left_out=frozenset({"role", "may_adjudicate", "consented_by", "withdrawn_at"}),
        only=Q(role=Role.ANNOTATOR, withdrawn_at=None),
    ),
    Table(PracticeItem, "practice items with right answers", of_campaign="campaign", left_out=frozenset({"public_id"})),
    Table(PracticeAnswer, "answers in practice", of_campaign="item__campaign"),
    Table(Questionnaire, "entry and exit questionnaires", of_campaign="campaign"),
    Table(FormQuestion, "their questions", of_campaign="questionnaire__campaign"),
    Table(QuestionnaireReply, "who agreed to them, and sent them", of_campaign="questionnaire__campaign"),
    Table(FormAnswer, "answers to their questions", of_campaign="question__questionnaire__campaign"),
    Table(
        TimesheetNote,
        "disputed days of timesheets, with answers",
        of_campaign="campaign",
        left_out=frozenset({"answered_by"}),
    ),
    Table(Exclusion, "who is excluded, and why", of_campaign="campaign", left_out=frozenset({"decided_by"})),
    Table(Assignment, "the plan: assignments", of_campaign="campaign", left_out=frozenset({"completion_code"})),
    Table(
        Item, "the plan: items in their order", of_campaign="assignment__campaign", left_out=frozenset({"public_id"})
    ),
    Table(Race, "the race of systems, where some are dropped", of_campaign="campaign"),
    Table(RaceSystem, "which systems are out of the race", of_campaign="race__campaign"),
    Table(RaceLook, "each look at the race", of_campaign="race__campaign"),
    Table(DrawnScreen, "what was drawn for the race, with its probability", of_campaign="assignment__campaign"),
    Table(AttentionCheck, "attention checks with their rules", of_campaign="campaign"),
    Table(CheckDraw, "which checks were served, and how they were answered", of_campaign="assignment__campaign"),
    Table(Slot, "what each item shows, damaged texts included", of_campaign="item__assignment__campaign"),
    Table(Credit, "systems with the same output", of_campaign="slot__item__assignment__campaign"),
    Table(Draft, "unfinished answers", of_campaign="item__assignment__campaign"),
    Table(Judgment, "answers as entered, every revision", of_campaign="item__assignment__campaign"),
    Table(ActionLog, "what was done on screens, and when", of_campaign="judgment__item__assignment__campaign"),
    Table(Score, "answers as numbers", of_campaign="judgment__item__assignment__campaign"),
    Table(ErrorSpan, "marked errors", of_campaign="judgment__item__assignment__campaign"),
    Table(
        Adjudication,
        "adjudications with their reasons, also those that were undone",
        of_campaign="campaign",
        left_out=frozenset({"decided_by", "undone_by"}),
    ),
    Table(ProblemReport, "problems that annotators reported", of_campaign="item__assignment__campaign"),
    Table(
        Run,
        "computed results with their signatures",
        of_campaign="campaign",
        of_test_set="test_set",
        left_out=frozenset({"queue", "attempts", "claim", "heartbeat_at", "progress", "progress_note", "error"})
        | {"created_by"},
        only=Q(status=RunStatus.DONE, kind__in=["analysis", "metric_scores"]),
    ),
    Table(RunPart, "the parts of results", of_campaign="run__campaign", of_test_set="run__test_set"),
)


def table_of(model: type[Model]) -> Table:
    return next(table for table in TABLES if table.model is model)


def keys_of(table: Table) -> "list[ForeignKey[Any, Any]]":
    """Fields that refer to another row of the archive."""
    return [each for each in table.fields if isinstance(each, ForeignKey)]


def runs_to_archive(campaign: Campaign) -> list[int]:
    """The newest of the finished runs with the same arguments."""
    newest: dict[tuple[Any, ...], int] = {}
    runs = table_of(Run).rows_of(campaign).values_list("pk", "kind", "campaign", "test_set", "arguments")
    for key, kind, of_campaign, of_test_set, arguments in runs:
        newest[kind, of_campaign, of_test_set, _frozen(arguments)] = key
    return sorted(newest.values())


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return tuple((name, _frozen(each)) for name, each in sorted(value.items()))
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
