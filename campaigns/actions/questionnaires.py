"""Questionnaires: described by organisers, agreed to and answered by annotators.

docs/decisions/0058-questionnaires.md says what may still change once somebody has agreed, and until when answers may
be corrected.
"""

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.actions.audit import record
from campaigns.actions.crowds import screen_out, take_back_in
from campaigns.form_questions import (
    CONSENT_LIMIT,
    AnswerError,
    QuestionSpec,
    Value,
    questionnaire_errors,
    with_names,
)
from campaigns.invalid_input import InvalidInput
from campaigns.models import (
    Account,
    Campaign,
    FormAnswer,
    FormQuestion,
    Membership,
    Moment,
    Questionnaire,
    QuestionnaireReply,
)
from campaigns.queries import questionnaire_of, questions_of, reply_of, screened_out_in, why_closed
from campaigns.reading.problems import text_error

CONSENT = "consent"


def set_questionnaire(
    *, campaign: Campaign, moment: str, questions: Sequence[QuestionSpec], consent: str, by: Account | None
) -> Questionnaire | None:
    """Replaces all questions; without questions and consent there is no questionnaire.

    Once somebody has agreed, only words may change. Raises InvalidInput, by `question.field`, numbered from 1.
    """
    questions = with_names(questions)
    _refuse(_errors(moment, questions, consent))
    with transaction.atomic():
        # one change at a time; judging is not held up
        Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
        form = Questionnaire.objects.select_for_update().filter(campaign=campaign, moment=moment).first()
        before = questions_of(form) if form else []
        if form is not None and form.replies.exists():
            _refuse(_frozen_errors(form, before, questions, consent))
            _change_words(form, before, questions, by)
            return form
        if not questions and not consent:
            if form is not None:
                form.delete()
                record(action="questionnaire_removed", by=by, campaign=campaign, moment=moment)
            return None
        if form is None:
            form = Questionnaire(campaign=campaign, moment=moment)
        if before == list(questions) and form.consent == consent and form.pk:
            return form
        form.consent, form.is_asked = consent, form.is_asked and bool(questions)
        form.save()
        form.questions.all().delete()
        FormQuestion.objects.bulk_create(
            FormQuestion(questionnaire=form, position=place, **each.as_row())
            for place, each in enumerate(questions, start=1)
        )
        record(action="questionnaire_set", by=by, campaign=campaign, moment=moment, questions=len(questions))
    return form


def _errors(moment: str, questions: Sequence[QuestionSpec], consent: str) -> dict[str, list[str]]:
    errors = {
        f"{place + 1}.{field}" if place >= 0 else field: messages
        for (place, field), messages in questionnaire_errors(questions).items()
    }
    if moment != Moment.ENTRY:
        for place, question in enumerate(questions, start=1):
            if question.screens_out:
                message = _("Only answers of the entry questionnaire can be marked as not qualifying.")
                errors.setdefault(f"{place}.screens_out", []).append(message)
    if len(consent) > CONSENT_LIMIT:
        errors[CONSENT] = [_("At most %(most)d characters.") % {"most": CONSENT_LIMIT}]
    elif error := text_error(consent):
        errors[CONSENT] = [error]
    return errors


def _frozen_errors(
    form: Questionnaire, before: Sequence[QuestionSpec], after: Sequence[QuestionSpec], consent: str
) -> dict[str, list[str]]:
    errors = {}
    if consent != form.consent:
        errors[CONSENT] = [_("Somebody has agreed to this text. It cannot change any more.")]
    if [each.structure for each in before] != [each.structure for each in after]:
        errors["questions"] = [
            _(
                "Somebody has begun to answer: only the words of questions, choices and ends of scales can still "
                "change. To ask something else, use the exit questionnaire or another campaign."
            )
        ]
    return errors


def _change_words(
    form: Questionnaire, before: Sequence[QuestionSpec], after: Sequence[QuestionSpec], by: Account | None
) -> None:
    """The words as they were stay on record, because some annotators answered those."""
    changed = {old.name: old.as_row() for old, new in zip(before, after, strict=True) if old != new}
    for question in after:
        if question.name in changed:
            FormQuestion.objects.filter(questionnaire=form, name=question.name).update(**question.as_row())
    if changed:
        words = [{"question": name, "text": row["text"], "help": row["help"]} for name, row in changed.items()]
        record(action="questionnaire_reworded", by=by, campaign=form.campaign, moment=form.moment, before=words)


def ask_questionnaire(*, campaign: Campaign, moment: str, is_asked: bool, by: Account | None) -> Questionnaire:
    """Whether annotators are asked from now on. Answers stay either way."""
    form = questionnaire_of(campaign, moment)
    if form is None or not form.questions.exists():
        raise InvalidInput.of("questions", _("This questionnaire has no questions yet. Add one first."))
    if Questionnaire.objects.filter(pk=form.pk).exclude(is_asked=is_asked).update(is_asked=is_asked):
        action = "questionnaire_asked" if is_asked else "questionnaire_not_asked"
        record(action=action, by=by, campaign=campaign, moment=moment)
    form.is_asked = is_asked
    return form


def copy_questionnaires(*, source: Campaign, target: Campaign) -> None:
    """All of them, without answers."""
    for form in source.questionnaires.all():
        copied = Questionnaire.objects.create(
            campaign=target, moment=form.moment, consent=form.consent, is_asked=form.is_asked
        )
        FormQuestion.objects.bulk_create(
            FormQuestion(questionnaire=copied, position=place, **each.as_row())
            for place, each in enumerate(questions_of(form), start=1)
        )


def agree_to_questionnaire(*, form: Questionnaire, membership: Membership) -> QuestionnaireReply:
    """From now on the questions are frozen. Agreeing again changes nothing; nothing is put on record with a name."""
    with transaction.atomic():
        Questionnaire.objects.select_for_update(no_key=True).get(pk=form.pk)
        reply, _is_new = QuestionnaireReply.objects.get_or_create(
            questionnaire=form, annotator=membership.account, defaults={"agreed_at": timezone.now()}
        )
    return reply


def parsed_answers(questions: Sequence[QuestionSpec], sent: Mapping[str, object]) -> dict[str, Value]:
    """Raises InvalidInput with every question that is not answered as it asks, by its name."""
    answers: dict[str, Value] = {}
    errors: dict[str, list[str]] = {}
    for question in questions:
        try:
            value = question.parse(sent.get(question.name))
        except AnswerError as error:
            errors[question.name] = [str(error)]
        else:
            if value is not None:
                answers[question.name] = value
    known = ", ".join(each.name for each in questions)
    for name in sent.keys() - {each.name for each in questions}:
        errors[name[:80]] = [_("Unknown question. There are: %(known)s.") % {"known": known}]
    _refuse(errors)
    return answers


def send_answers(*, form: Questionnaire, membership: Membership, sent: Mapping[str, object]) -> QuestionnaireReply:
    """Stores all answers, a row each; a second time they are corrected. Raises InvalidInput; then nothing is stored.

    Who does not qualify by the first answers is screened out; corrections are not judged any more.
    """
    with transaction.atomic():
        own = QuestionnaireReply.objects.select_for_update().filter(questionnaire=form, annotator=membership.account_id)
        reply = own.first()
        if reply is None:
            raise InvalidInput.of(CONSENT, _("Agree first that your answers are stored."))
        if reason := why_closed(form, reply, membership.campaign):
            raise InvalidInput.of("questions", reason)
        rows = {row.name: row for row in form.questions.all()}
        questions = [QuestionSpec.of(row) for row in rows.values()]
        answers = parsed_answers(questions, sent)
        now = timezone.now()
        theirs = FormAnswer.objects.filter(question__questionnaire=form, annotator=membership.account_id)
        before = {answer.question_id: answer for answer in theirs}
        same = {key for key, answer in before.items() if _value_in(answers, rows, key) == answer.value}
        theirs.exclude(question__in=same).delete()
        FormAnswer.objects.bulk_create(
            FormAnswer(question=rows[name], annotator=membership.account, value=value, answered_at=now)
            for name, value in answers.items()
            if rows[name].pk not in same
        )
        changed = {"corrected_at": now} if reply.sent_at else {"sent_at": now}
        if not reply.sent_at and any(each.screens(answers.get(each.name)) for each in questions):
            changed["screened_out_at"] = now
            screen_out(membership)
        own.update(**changed)
    return reply_of(form, membership.account_id) or reply


def let_in(*, membership: Membership, by: Account | None) -> None:
    """Somebody whom their answers screened out may judge after all; their answers stay as they are."""
    with transaction.atomic():
        Campaign.objects.select_for_update(no_key=True).get(pk=membership.campaign_id)
        out = screened_out_in(membership.account, membership.campaign)
        if out.update(screened_out_at=None):
            take_back_in(membership)
            record(action="person_let_in", by=by, campaign=membership.campaign, account=membership.account.username)


def _value_in(answers: Mapping[str, Value], rows: Mapping[str, FormQuestion], key: int) -> Value | None:
    return next((answers.get(name) for name, row in rows.items() if row.pk == key), None)


def _refuse(errors: Mapping[str, list[str]]) -> None:
    if errors:
        raise InvalidInput(errors)
