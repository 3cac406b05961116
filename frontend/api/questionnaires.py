"""Questionnaires: questions and answers for organisers, and an annotator's own answers."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request

from annotation.actions.returning import answer_questionnaire
from annotation.queries.questionnaires import is_over
from annotation.queries.task_list import task_list_of
from campaigns.actions.questionnaires import (
    CONSENT,
    agree_to_questionnaire,
    ask_questionnaire,
    set_questionnaire,
)
from campaigns.form_questions import CONSENT_LIMIT, MOST_QUESTIONS, Choice, QuestionSpec
from campaigns.models import Campaign, FormAnswer, FormKind, Moment, Questionnaire
from campaigns.queries import answers_of, questionnaire_of, questions_of, reply_of, why_closed
from frontend.access import check_moment, get_questionnaire_for, get_questionnaire_in
from frontend.api.errors import InvalidPayload
from frontend.api.judging import REFUSALS
from frontend.api.requests import read
from frontend.api.views import AnnotatorView, ListView, OrganiserView, listed, operation

TAG = "Questionnaires"


class ChoiceSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(default="", allow_blank=True, help_text="Empty: made from the label.")
    label = serializers.CharField()  # type: ignore[assignment] # a field of that name


class FormQuestionSerializer(serializers.Serializer[Any]):
    """As in [files](formats.md#questionnaires)."""

    name = serializers.CharField(default="", allow_blank=True, help_text="Empty: made from the text.")
    kind = serializers.ChoiceField(choices=FormKind.values)
    text = serializers.CharField()
    help = serializers.CharField(default="", allow_blank=True)
    required = serializers.BooleanField(default=True, source="is_required")  # type: ignore[assignment] # the same
    choices = ChoiceSerializer(many=True, default=list)
    low = serializers.FloatField(allow_null=True, default=None)
    high = serializers.FloatField(allow_null=True, default=None)
    low_label = serializers.CharField(default="", allow_blank=True)
    high_label = serializers.CharField(default="", allow_blank=True)
    longest = serializers.IntegerField(allow_null=True, default=None, min_value=1)


class WholeQuestionSerializer(FormQuestionSerializer):
    """With what annotators never receive."""

    screens_out = serializers.ListField(
        child=serializers.CharField(),
        default=list,
        help_text="Answers that do not qualify: names of choices, or points of a scale. Entry questionnaire only.",
    )


class QuestionnaireRequestSerializer(serializers.Serializer[Any]):
    questions = serializers.ListField(child=WholeQuestionSerializer(), max_length=MOST_QUESTIONS)
    consent = serializers.CharField(default="", allow_blank=True, max_length=CONSENT_LIMIT, help_text="Markdown.")
    is_asked = serializers.BooleanField(allow_null=True, default=None, help_text="Null: as before.")


class QuestionnaireSerializer(serializers.Serializer[Any]):
    moment = serializers.ChoiceField(choices=Moment.values)
    is_asked = serializers.BooleanField(help_text="Whether annotators are asked.")
    consent = serializers.CharField(allow_blank=True)
    questions = WholeQuestionSerializer(many=True)
    screened_out = serializers.IntegerField(help_text="Annotators who do not qualify by their answers.")
    agreed = serializers.IntegerField(help_text="Annotators; from the first on, only words may change.")
    sent = serializers.IntegerField(help_text="Annotators who have sent their answers.")


class FormAnswerSerializer(serializers.Serializer[Any]):
    annotator = serializers.CharField(source="annotator.username")
    question = serializers.CharField(source="question.name")
    value = serializers.JSONField(help_text="The name of a choice, a list of names, a number or a text.")
    answered_at = serializers.DateTimeField()


class OwnAnswersSerializer(serializers.Serializer[Any]):
    """Annotators are told with `consent` what is stored, and for how long, before they agree."""

    agree = serializers.BooleanField(help_text="Required: that the answers are stored.")
    answers = serializers.DictField(child=serializers.JSONField(), help_text="By the names of the questions.")


class OwnQuestionnaireSerializer(serializers.Serializer[Any]):
    moment = serializers.ChoiceField(choices=Moment.values)
    consent = serializers.CharField(allow_blank=True)
    questions = FormQuestionSerializer(many=True)
    answers = serializers.DictField(child=serializers.JSONField())
    agreed_at = serializers.DateTimeField(allow_null=True)
    sent_at = serializers.DateTimeField(allow_null=True)
    may_change = serializers.BooleanField()
    is_screened_out = serializers.BooleanField(help_text="They do not qualify; there is no task for them here.")


class QuestionnaireView(OrganiserView):
    @operation("questionnaire", QuestionnaireSerializer)
    def get(self, _request: Request, campaign: Campaign, moment: str) -> Any:
        """The entry or exit questionnaire."""
        check_moment(moment)
        return _described(get_questionnaire_in(campaign, moment))

    @operation("set_questionnaire", QuestionnaireSerializer, request=QuestionnaireRequestSerializer)
    def put(self, request: Request, campaign: Campaign, moment: str) -> Any:
        """Replace the questions.

        Once an annotator has agreed to answer, only words may change. Without questions and consent the questionnaire
        is removed.
        """
        check_moment(moment)
        body = read(request, QuestionnaireRequestSerializer)
        questions = [_question(each) for each in body["questions"]]
        by = self.account
        set_questionnaire(campaign=campaign, moment=moment, questions=questions, consent=body["consent"], by=by)
        if body["is_asked"] is not None and questionnaire_of(campaign, moment):
            ask_questionnaire(campaign=campaign, moment=moment, is_asked=body["is_asked"], by=by)
        return _described(questionnaire_of(campaign, moment) or Questionnaire(campaign=campaign, moment=moment))


@listed("questionnaire_answers", "Answers of annotators to a questionnaire", FormAnswer, FormAnswerSerializer)
class QuestionnaireAnswersView(OrganiserView, ListView):
    def rows(self, campaign: Campaign, moment: str) -> Any:
        check_moment(moment)
        own = FormAnswer.objects.filter(question__questionnaire=get_questionnaire_in(campaign, moment))
        return own.select_related("annotator", "question")


class OwnQuestionnaireView(AnnotatorView):
    @operation("own_questionnaire", {200: OwnQuestionnaireSerializer, **REFUSALS})
    def get(self, _request: Request, slug: str, moment: str) -> Any:
        """An annotator's questionnaire, with the answers so far."""
        return self._own(get_questionnaire_for(self.membership(slug), moment))

    @operation("send_questionnaire", {200: OwnQuestionnaireSerializer, **REFUSALS}, request=OwnAnswersSerializer)
    def put(self, request: Request, slug: str, moment: str) -> Any:
        """Send all answers, or correct them; all or none are stored."""
        membership = self.membership(slug)
        form = get_questionnaire_for(membership, moment)
        body = read(request, OwnAnswersSerializer)
        if not body["agree"]:
            raise InvalidPayload({"agree": [_("Agree first that your answers are stored.")]})
        if form.moment == Moment.EXIT and not is_over(form.campaign_id, task_list_of(self.account)):
            raise InvalidPayload({"answers": [_("These questions come after your last task.")]})
        agree_to_questionnaire(form=form, membership=membership)
        answer_questionnaire(form=form, membership=membership, sent=body["answers"])
        return self._own(form)

    def _own(self, form: Questionnaire) -> dict[str, Any]:
        reply = reply_of(form, self.account.pk)
        return {
            "moment": form.moment,
            CONSENT: form.consent,
            "questions": questions_of(form),
            "answers": answers_of(form, self.account.pk),
            "agreed_at": reply and reply.agreed_at,
            "sent_at": reply and reply.sent_at,
            "is_screened_out": reply is not None and reply.screened_out_at is not None,
            "may_change": reply is None or not why_closed(form, reply, form.campaign),
        }


def _question(body: dict[str, Any]) -> QuestionSpec:
    choices = tuple(Choice(each["name"], each["label"]) for each in body["choices"])
    return QuestionSpec(**{**body, "choices": choices, "screens_out": tuple(body["screens_out"])})


def _described(form: Questionnaire) -> dict[str, Any]:
    replies = form.replies if form.pk else None
    return {
        "moment": form.moment,
        "is_asked": form.is_asked,
        CONSENT: form.consent,
        "questions": questions_of(form) if form.pk else [],
        "screened_out": replies.filter(screened_out_at__isnull=False).count() if replies else 0,
        "agreed": replies.count() if replies else 0,
        "sent": replies.filter(sent_at__isnull=False).count() if replies else 0,
    }
