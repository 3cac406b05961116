"""A questionnaire with a question of each kind, and answers to it."""

from campaigns.actions.questionnaires import (
    agree_to_questionnaire,
    ask_questionnaire,
    send_answers,
    set_questionnaire,
)
from campaigns.form_questions import Choice, QuestionSpec
from campaigns.models import Account, Campaign, Membership, Questionnaire, QuestionnaireReply, Role
from campaigns.queries import questionnaire_of

QUESTIONS = (
    QuestionSpec(
        "native", "single", "Is German your native language?", choices=(Choice("yes", "Yes"), Choice("no", "No"))
    ),
    QuestionSpec(
        "work",
        "multiple",
        "What have you worked as?",
        is_required=False,
        choices=(Choice("translator", "Translator"), Choice("editor", "Editor"), Choice("teacher", "Teacher")),
    ),
    QuestionSpec(
        "skill", "scale", "How well do you read English?", low=1, high=5, low_label="badly", high_label="well"
    ),
    QuestionSpec("years", "number", "For how many years?", is_required=False, low=0, high=80),
    QuestionSpec("remarks", "text", "What else should we know?", is_required=False, longest=200),
)
ANSWERS: dict[str, object] = {
    "native": "yes",
    "work": ["editor", "translator"],
    "skill": 4,
    "years": 12,
    "remarks": "I met Zelda.",
}


def make_questionnaire(campaign: Campaign, moment: str = "entry", *, is_asked: bool = True) -> Questionnaire:
    set_questionnaire(campaign=campaign, moment=moment, questions=QUESTIONS, consent="Until **May**.", by=None)
    if is_asked:
        return ask_questionnaire(campaign=campaign, moment=moment, is_asked=True, by=None)
    form = questionnaire_of(campaign, moment)
    assert form is not None
    return form


def answer_questionnaire(
    campaign: Campaign, annotator: Account, moment: str = "entry", **answers: object
) -> QuestionnaireReply:
    form = questionnaire_of(campaign, moment)
    assert form is not None
    place = Membership.objects.select_related("campaign", "account").get(
        campaign=campaign, account=annotator, role=Role.ANNOTATOR
    )
    agree_to_questionnaire(form=form, membership=place)
    return send_answers(form=form, membership=place, sent=ANSWERS | answers)
