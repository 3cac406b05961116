"""An annotator's questionnaire: consent, then the questions, then the answers to read and to correct."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation.actions.returning import answer_questionnaire
from annotation.queries.crowd import screened_out_link
from annotation.queries.questionnaires import is_over
from annotation.queries.task_list import task_list_of
from campaigns.actions.questionnaires import agree_to_questionnaire
from campaigns.invalid_input import InvalidInput
from campaigns.models import Membership, Moment, Questionnaire, QuestionnaireReply
from campaigns.queries import answers_of, questions_of, reply_of, why_closed
from frontend.access import SignedInRequest, get_membership_for, get_questionnaire_for
from frontend.campaign_pages import FORM, signed_in
from frontend.questionnaire_fields import sent_answers, shown_questions

AGREE, REFUSE = "agree", "refuse"


@signed_in(FORM)
def questionnaire(request: SignedInRequest, slug: str, moment: str) -> HttpResponse:
    membership = get_membership_for(request.user, slug)
    if membership.consented_at is None:
        return redirect("annotator-guidelines", slug)
    form = get_questionnaire_for(membership, moment)
    reply = reply_of(form, request.user.pk)
    act = request.POST.get("act", "")
    if request.method == "POST" and act == AGREE and _is_time(form, request):
        agree_to_questionnaire(form=form, membership=membership)
        return redirect("annotator-questionnaire", slug, moment)
    if request.method == "POST" and reply is not None and act not in (AGREE, REFUSE):
        return _send(request, membership, form, reply)
    state = _state(request, form, reply, has_refused=act == REFUSE and reply is None)
    return _page(request, membership, form, reply, {"state": state})


def _send(
    request: SignedInRequest, membership: Membership, form: Questionnaire, reply: QuestionnaireReply
) -> HttpResponse:
    questions = questions_of(form)
    sent = sent_answers(questions, request.POST)
    try:
        now = answer_questionnaire(form=form, membership=membership, sent=sent)
    except InvalidInput as error:
        shown = shown_questions(questions, sent, error.errors)
        missing = [each for each in shown if each.error]
        named = {each.spec.name for each in shown}
        others = [message for name, several in error.errors.items() if name not in named for message in several]
        context = {"state": "questions", "questions": shown, "missing": missing, "others": others}
        return _page(request, membership, form, reply, context, status=422)
    if now.screened_out_at is None:
        messages.success(request, _("Your answers are saved. Thank you."))
    return redirect("annotator-questionnaire", membership.campaign.slug, form.moment)


def _state(
    request: SignedInRequest, form: Questionnaire, reply: QuestionnaireReply | None, *, has_refused: bool
) -> str:
    if reply is None:
        return "refused" if has_refused else "consent" if _is_time(form, request) else "early"
    if reply.screened_out_at is not None:
        return "screened_out"
    return "questions" if reply.sent_at is None or "change" in request.GET else "answers"


def _is_time(form: Questionnaire, request: SignedInRequest) -> bool:
    return form.moment == Moment.ENTRY or is_over(form.campaign_id, task_list_of(request.user))


def _page(
    request: SignedInRequest,
    membership: Membership,
    form: Questionnaire,
    reply: QuestionnaireReply | None,
    context: dict[str, Any],
    status: int = 200,
) -> HttpResponse:
    closed = why_closed(form, reply, membership.campaign) if reply else ""
    if closed and context["state"] == "questions":
        context = {**context, "state": "answers"}
    questions = shown_questions(questions_of(form), answers_of(form, request.user.pk)) if reply else []
    frame = {
        "campaign": membership.campaign,
        "questionnaire": form,
        "questions": questions,
        "reply": reply,
        "closed": closed,
        "days": settings.PARTICIPANT_DAYS,
        "return_link": screened_out_link(membership) if reply and reply.screened_out_at else None,
        "is_entry": form.moment == Moment.ENTRY,
        "all_optional": not any(each.is_required for each in questions_of(form)) if reply is None else False,
        "draft": f"questionnaire-{membership.campaign.slug}-{form.moment}-{request.user.pk}",
    }
    return render(request, "annotator/questionnaire.html", {**frame, **context}, status=status)
