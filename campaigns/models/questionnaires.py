"""What annotators are asked about themselves and the work, before their first task and after the last."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from campaigns.models.campaign import Campaign


class Moment(models.TextChoices):
    ENTRY = "entry", _("Entry questionnaire")
    EXIT = "exit", _("Exit questionnaire")


class FormKind(models.TextChoices):
    SINGLE = "single", _("One of several choices")
    MULTIPLE = "multiple", _("Any of several choices")
    SCALE = "scale", _("Scale")
    TEXT = "text", _("Text")
    NUMBER = "number", _("Number")


class Questionnaire(models.Model):
    """At most one of each moment in a campaign. Without `is_asked` only organisers see it."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="questionnaires")
    moment = models.CharField(max_length=5, choices=Moment)
    consent = models.TextField(blank=True)  # Markdown; after what is stored and for how long, which is always said
    is_asked = models.BooleanField(default=False)

    class Meta:
        ordering = ["campaign", "moment"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "moment"], name="questionnaire_once"),
            models.CheckConstraint(condition=Q(moment__in=Moment.values), name="questionnaire_moment_known"),
        ]

    def __str__(self) -> str:
        return f"{self.moment} of {self.campaign_id}"


class FormQuestion(models.Model):
    """`choices` is a list of `{"name", "label"}`. `low` and `high` bound numbers, and are the ends of a scale.

    Who answers with one of `screens_out` (names of choices, points of a scale) does not qualify; only
    organisers read it.
    """

    questionnaire = models.ForeignKey(Questionnaire, on_delete=models.CASCADE, related_name="questions")
    position = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=40)
    kind = models.CharField(max_length=8, choices=FormKind)
    text = models.TextField()
    help = models.TextField(blank=True)
    is_required = models.BooleanField(default=True)
    choices = models.JSONField(default=list, blank=True)
    low = models.FloatField(null=True, blank=True)
    high = models.FloatField(null=True, blank=True)
    low_label = models.CharField(max_length=100, blank=True)
    high_label = models.CharField(max_length=100, blank=True)
    longest = models.PositiveIntegerField(null=True, blank=True)  # characters of a text
    screens_out = models.JSONField(default=list, db_default=[], blank=True)

    class Meta:
        ordering = ["questionnaire", "position"]
        constraints = [
            models.UniqueConstraint(fields=["questionnaire", "name"], name="form_question_once"),
            models.UniqueConstraint(fields=["questionnaire", "position"], name="form_question_place"),
            models.CheckConstraint(condition=Q(kind__in=FormKind.values), name="form_question_kind_known"),
        ]

    def __str__(self) -> str:
        return self.name


class QuestionnaireReply(models.Model):
    """An annotator agreed that answers are stored, and sent them if there is `sent_at`."""

    questionnaire = models.ForeignKey(Questionnaire, on_delete=models.CASCADE, related_name="replies")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="replies")
    agreed_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)
    corrected_at = models.DateTimeField(null=True, blank=True)
    screened_out_at = models.DateTimeField(null=True, blank=True)  # by the first answers

    class Meta:
        constraints = [models.UniqueConstraint(fields=["questionnaire", "annotator"], name="reply_once")]
        indexes = [models.Index(fields=["annotator"], name="reply_by_annotator")]

    def __str__(self) -> str:
        return f"{self.annotator_id} to {self.questionnaire_id}"


class FormAnswer(models.Model):
    """`value`: the name of a choice, a list of such names, a number or a text. What was left empty has no row."""

    question = models.ForeignKey(FormQuestion, on_delete=models.CASCADE, related_name="answers")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="form_answers")
    value = models.JSONField()
    answered_at = models.DateTimeField()

    class Meta:
        ordering = ["question__position"]
        constraints = [models.UniqueConstraint(fields=["question", "annotator"], name="form_answer_once")]
        indexes = [models.Index(fields=["annotator"], name="form_answer_by_annotator")]

    def __str__(self) -> str:
        return f"{self.annotator_id} to {self.question_id}"
