"""What annotators enter: judgments with the numbers and errors they count for, drafts, problem reports."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import BooleanField, ExpressionWrapper, F, Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.models.assignments import AssignmentStatus, Item
from campaigns.models import Document, System, Translation


class Judgment(models.Model):
    """One annotator's answer on one item, one revision. Rows are added, never changed, but for `is_current`.

    `answer` is what was entered; `client_id` makes a retry the same judgment; `surplus` marks one that came when
    others had filled the item meanwhile: stored, left out of analyses by default.
    """

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="judgments", db_index=False)
    annotator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="judgments", db_index=False
    )
    revision = models.PositiveIntegerField()
    is_current = models.BooleanField(default=True)
    surplus = models.BooleanField(default=False)
    client_id = models.UUIDField(unique=True)
    base_revision = models.PositiveIntegerField(default=0)
    answer = models.JSONField()
    cannot_judge = models.CharField(max_length=30, blank=True, help_text="reason, when no judgment was possible")
    started_at = models.DateTimeField(null=True)
    submitted_at = models.DateTimeField()
    elapsed_ms = models.PositiveIntegerField(null=True)
    active_ms = models.PositiveIntegerField(null=True)
    reading_ms = models.PositiveIntegerField(null=True, help_text="part of active_ms: in pauses of over 5 seconds")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "revision"], name="judgment_revision_once"),
            models.UniqueConstraint(fields=["item"], condition=Q(is_current=True), name="judgment_one_current"),
            models.CheckConstraint(condition=Q(revision__gte=1), name="judgment_revision_positive"),
        ]
        indexes = [
            models.Index(fields=["annotator", "submitted_at"], name="judgment_by_annotator"),
            # few are: whether a campaign has some is asked before its file begins
            models.Index(fields=["item"], condition=Q(surplus=True), name="judgment_surplus"),
        ]

    def __str__(self) -> str:
        return f"judgment {self.pk} of item {self.item_id}, revision {self.revision}"


class ActionLog(models.Model):
    """What an annotator did on a screen of several items, and when; `annotation.action_log` says in which form.

    `judgment` is the first that was submitted with it. The log of a change continues the one before it.
    """

    judgment = models.OneToOneField(Judgment, on_delete=models.CASCADE, related_name="action_log")
    actions = models.JSONField()

    def __str__(self) -> str:
        return f"actions until judgment {self.judgment_id}"


def slot_values(answer: object, label: str) -> Mapping[str, Any]:
    """What an answer says about a slot; empty where it says nothing, or a file has it in another format."""
    slots = answer.get("slots") if isinstance(answer, Mapping) else None
    values = slots.get(label) if isinstance(slots, Mapping) else None
    return values if isinstance(values, Mapping) else {}


def is_surplus(judgment: str = "") -> "ExpressionWrapper[Q]":
    """Marked as such, or of an assignment that was archived to be done anew; `judgment` is the way to it, with `__`."""
    archived = {f"{judgment}item__assignment__status": AssignmentStatus.ARCHIVED}
    return ExpressionWrapper(Q(**{f"{judgment}surplus": True}) | Q(**archived), output_field=BooleanField())


class Score(models.Model):
    """A number from an answer, in natural units: about a translation, or about a whole document of one system."""

    judgment = models.ForeignKey(Judgment, on_delete=models.CASCADE, related_name="scores")
    measure = models.CharField(max_length=50)
    value = models.FloatField()
    slot = models.CharField(max_length=2, default="A")
    translation = models.ForeignKey(Translation, null=True, on_delete=models.PROTECT, related_name="scores")
    document = models.ForeignKey(Document, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)
    system = models.ForeignKey(System, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(translation__isnull=False, document=None, system=None)
                | Q(translation=None, document__isnull=False, system__isnull=False),
                name="score_of_translation_or_document",
            ),
            models.UniqueConstraint(
                fields=["judgment", "measure", "translation"],
                condition=Q(translation__isnull=False),
                name="score_of_translation_once",
            ),
            models.UniqueConstraint(
                fields=["judgment", "measure", "document", "system"],
                condition=Q(translation=None),
                name="score_of_document_once",
            ),
        ]
        indexes = [  # few have one: a whole index would have a place for each of the others too
            models.Index(fields=["document"], condition=Q(document__isnull=False), name="score_by_document"),
            models.Index(fields=["system"], condition=Q(system__isnull=False), name="score_by_system"),
        ]

    def __str__(self) -> str:
        return f"{self.measure} {self.value}"


class Side(models.TextChoices):
    SOURCE = "source"
    TARGET = "target"


class ErrorSpan(models.Model):
    """A marked error: half-open, in code points of the stored text; an empty one marks an omission."""

    judgment = models.ForeignKey(Judgment, on_delete=models.CASCADE, related_name="error_spans")
    translation = models.ForeignKey(Translation, on_delete=models.PROTECT, related_name="error_spans")
    side = models.CharField(max_length=6, choices=Side, default=Side.TARGET)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    category = models.CharField(max_length=150, blank=True)
    severity = models.CharField(max_length=20)
    note = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(end__gte=F("start")), name="error_span_forward"),
            models.CheckConstraint(condition=Q(side__in=Side.values), name="error_span_side_known"),
        ]

    def __str__(self) -> str:
        return f"{self.severity} [{self.start}:{self.end}]"


class Draft(models.Model):
    """Unfinished work on an item, saved as one goes; void once the item has been judged past `base_revision`."""

    item = models.OneToOneField(Item, on_delete=models.CASCADE, related_name="draft")
    answer = models.JSONField()
    base_revision = models.PositiveIntegerField(default=0)
    saved_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"draft of {self.item_id}"


PROBLEM_REASONS: dict[str, Promise] = {
    "wrong_source": _("The source is damaged or incomplete"),
    "wrong_reference": _("The reference does not belong to this source"),
    "mixed_up": _("Source and translation are of different segments"),
    "display": _("The text is not displayed properly"),
    "offensive": _("The translation is offensive or biased"),
    "private": _("The text contains private information"),
    "other": _("Something else (explain in the note)"),
}


class ProblemReport(models.Model):
    """An annotator's word that something is wrong with an item."""

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="problem_reports")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=30)
    note = models.TextField(blank=True)
    reported_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.reason} on {self.item_id}"
