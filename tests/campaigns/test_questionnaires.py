"""Questionnaires: what may be asked, what may still change, and which answers are stored."""

from dataclasses import replace

import pytest

from campaigns.actions.questionnaires import (
    agree_to_questionnaire,
    ask_questionnaire,
    copy_questionnaires,
    send_answers,
    set_questionnaire,
)
from campaigns.form_questions import AnswerError, Choice, QuestionSpec, Value, with_names
from campaigns.invalid_input import InvalidInput
from campaigns.models import (
    AuditEntry,
    Campaign,
    CampaignStatus,
    FormAnswer,
    Membership,
    Questionnaire,
    QuestionnaireReply,
    Role,
    TestSet,
)
from campaigns.queries import answers_of, questionnaire_due, questionnaire_of, questions_of, reply_of, why_closed
from tests.cast import Cast
from tests.rows_made_once import made_once
from tests.sample_campaign import make_campaign
from tests.sample_questionnaire import ANSWERS, QUESTIONS, answer_questionnaire, make_questionnaire

stored, cast, test_set, campaign = made_once(make_campaign)
NATIVE, WORK, SKILL, YEARS, REMARKS = QUESTIONS


def place_of(campaign: Campaign, cast: Cast) -> Membership:
    return Membership.objects.select_related("campaign", "account").get(
        campaign=campaign, account=cast.annotator, role=Role.ANNOTATOR
    )


def test_all_errors_of_all_questions_come_at_once(campaign: Campaign) -> None:
    wrong = [
        replace(NATIVE, text=" ", choices=(Choice("yes", "Yes"),)),
        replace(SKILL, name="native", low=1, high=30),
        QuestionSpec("a b", "drawing", "?"),
        replace(YEARS, low=3, high=3),
        replace(REMARKS, low=1, longest=0),
    ]
    with pytest.raises(InvalidInput) as refused:
        set_questionnaire(campaign=campaign, moment="entry", questions=wrong, consent="", by=None)
    assert set(refused.value.errors) == {
        "1.text", "1.choices", "2.high", "2.name", "3.name", "3.kind", "4.high", "5.low",
    }  # fmt: skip
    assert not Questionnaire.objects.exists()


def test_names_follow_from_words_and_differ() -> None:
    same = QuestionSpec("", "text", "Wie alt sind Sie?")
    arabic = QuestionSpec("", "single", "ما لغتك؟", choices=(Choice("", "نعم"), Choice("", "Non, merci")))
    named = with_names([same, same, arabic])
    assert [each.name for each in named] == ["wie-alt-sind-sie", "wie-alt-sind-sie-2", "question-3"]
    assert [each.name for each in named[2].choices] == ["choice-1", "non-merci"]


@pytest.mark.parametrize(
    ("question", "given", "stored_value"),
    [
        (NATIVE, "no", "no"),
        (WORK, ["editor", "translator"], ["translator", "editor"]),
        (WORK, [], None),
        (SKILL, "5", 5),
        (SKILL, 1, 1),
        (YEARS, "2,5", 2.5),
        (YEARS, " 7 ", 7),
        (YEARS, "", None),
        (REMARKS, " Yes. ", "Yes."),
        (REMARKS, "  ", None),
    ],
)
def test_an_answer_is_stored_as_its_question_says(question: QuestionSpec, given: object, stored_value: object) -> None:
    assert question.parse(given) == stored_value


@pytest.mark.parametrize(
    ("question", "given"),
    [
        (NATIVE, "maybe"), (NATIVE, ""), (NATIVE, None), (NATIVE, ["yes"]), (WORK, "editor"), (WORK, ["pilot"]),
        (WORK, [1]), (SKILL, 6), (SKILL, 0), (SKILL, 2.5), (SKILL, True), (YEARS, "many"), (YEARS, "-1"), (YEARS, 81),
        (YEARS, "nan"), (YEARS, "inf"), (YEARS, 10**400), (REMARKS, "x" * 201), (REMARKS, "a\x00b"), (REMARKS, 5),
    ],
)  # fmt: skip
def test_an_answer_that_its_question_does_not_take_is_refused(question: QuestionSpec, given: object) -> None:
    with pytest.raises(AnswerError):
        question.parse(given)


def test_answers_are_stored_a_row_each_and_can_be_corrected(campaign: Campaign, cast: Cast) -> None:
    form = make_questionnaire(campaign)
    sent = answer_questionnaire(campaign, cast.annotator)
    assert sent.sent_at
    assert not sent.corrected_at
    assert answers_of(form, cast.annotator.pk) == {**ANSWERS, "work": ["translator", "editor"]}
    first = {answer.question.name: answer.answered_at for answer in FormAnswer.objects.all()}
    corrected = answer_questionnaire(campaign, cast.annotator, native="no", remarks="")
    assert corrected.corrected_at
    assert corrected.sent_at == sent.sent_at
    assert answers_of(form, cast.annotator.pk) == {
        "native": "no",
        "work": ["translator", "editor"],
        "skill": 4,
        "years": 12,
    }
    second = {answer.question.name: answer.answered_at for answer in FormAnswer.objects.all()}
    assert second["skill"] == first["skill"]
    assert second["native"] > first["native"]


def test_nothing_is_stored_of_answers_of_which_one_is_wrong(campaign: Campaign, cast: Cast) -> None:
    make_questionnaire(campaign)
    with pytest.raises(InvalidInput) as refused:
        answer_questionnaire(campaign, cast.annotator, native="", skill=9, hobby="chess")
    assert set(refused.value.errors) == {"native", "skill", "hobby"}
    assert not FormAnswer.objects.exists()


def test_nothing_is_stored_without_agreement(campaign: Campaign, cast: Cast) -> None:
    form = make_questionnaire(campaign)
    with pytest.raises(InvalidInput) as refused:
        send_answers(form=form, membership=place_of(campaign, cast), sent=ANSWERS)
    assert set(refused.value.errors) == {"consent"}
    assert not FormAnswer.objects.exists()
    assert not QuestionnaireReply.objects.exists()


def test_words_alone_change_once_somebody_has_agreed(campaign: Campaign, cast: Cast) -> None:
    form = make_questionnaire(campaign)
    agree_to_questionnaire(form=form, membership=place_of(campaign, cast))
    reworded = [replace(NATIVE, text="Is German your mother tongue?"), *QUESTIONS[1:]]
    set_questionnaire(campaign=campaign, moment="entry", questions=reworded, consent=form.consent, by=cast.organiser)
    assert questions_of(form)[0].text == "Is German your mother tongue?"
    entry = AuditEntry.objects.get(action="questionnaire_reworded")
    assert entry.detail["before"] == [{"question": "native", "text": NATIVE.text, "help": ""}]
    with pytest.raises(InvalidInput) as refused:
        set_questionnaire(campaign=campaign, moment="entry", questions=QUESTIONS[1:], consent="", by=cast.organiser)
    assert set(refused.value.errors) == {"questions", "consent"}
    assert len(questions_of(form)) == 5


@pytest.mark.parametrize(
    "changed",
    [
        replace(NATIVE, name="mother-tongue"),
        replace(NATIVE, kind="multiple"),
        replace(NATIVE, is_required=False),
        replace(NATIVE, choices=(Choice("no", "No"), Choice("yes", "Yes"))),
    ],
)
def test_what_answers_depend_on_is_frozen(campaign: Campaign, cast: Cast, changed: QuestionSpec) -> None:
    form = make_questionnaire(campaign)
    agree_to_questionnaire(form=form, membership=place_of(campaign, cast))
    with pytest.raises(InvalidInput):
        set_questionnaire(
            campaign=campaign, moment="entry", questions=[changed, *QUESTIONS[1:]], consent=form.consent, by=None
        )


def test_a_questionnaire_without_questions_is_none(campaign: Campaign) -> None:
    make_questionnaire(campaign)
    assert set_questionnaire(campaign=campaign, moment="entry", questions=[], consent="", by=None) is None
    assert questionnaire_of(campaign, "entry") is None
    with pytest.raises(InvalidInput):
        ask_questionnaire(campaign=campaign, moment="entry", is_asked=True, by=None)


def test_people_are_asked_until_they_have_sent_it_and_programs_never(campaign: Campaign, cast: Cast) -> None:
    form = make_questionnaire(campaign, is_asked=False)
    place = place_of(campaign, cast)
    assert questionnaire_due(place, "entry") is None
    ask_questionnaire(campaign=campaign, moment="entry", is_asked=True, by=cast.organiser)
    assert questionnaire_due(place, "entry") == form
    assert questionnaire_due(place, "exit") is None
    agree_to_questionnaire(form=form, membership=place)
    assert questionnaire_due(place, "entry") == form
    answer_questionnaire(campaign, cast.annotator)
    assert questionnaire_due(place, "entry") is None
    program = place_of(campaign, cast)
    program.is_program = True
    QuestionnaireReply.objects.all().delete()
    assert questionnaire_due(program, "entry") is None


def test_answers_can_be_corrected_until_the_exit_questionnaire_is_sent(campaign: Campaign, cast: Cast) -> None:
    form = make_questionnaire(campaign)
    make_questionnaire(campaign, "exit")
    answer_questionnaire(campaign, cast.annotator)
    answer_questionnaire(campaign, cast.annotator, "exit")
    with pytest.raises(InvalidInput, match="exit questionnaire"):
        answer_questionnaire(campaign, cast.annotator, native="no")
    answer_questionnaire(campaign, cast.annotator, "exit", native="no")
    Campaign.objects.filter(pk=campaign.pk).update(status=CampaignStatus.CLOSED)
    with pytest.raises(InvalidInput, match="closed"):
        answer_questionnaire(campaign, cast.annotator, "exit", native="yes")
    assert answer_questionnaire(campaign, cast.second_annotator, "exit").sent_at
    reply = reply_of(form, cast.second_annotator.pk)
    assert reply is None
    assert why_closed(form, QuestionnaireReply(questionnaire=form, annotator=cast.annotator), campaign) == ""


def test_a_copy_asks_the_same_without_answers(campaign: Campaign, cast: Cast, test_set: TestSet) -> None:
    make_questionnaire(campaign)
    answer_questionnaire(campaign, cast.annotator)
    other = Campaign.objects.create(name="Another", slug="another", test_set=test_set, protocol="esa")
    copy_questionnaires(source=campaign, target=other)
    copied = questionnaire_of(other, "entry")
    assert copied is not None
    assert questions_of(copied) == list(QUESTIONS)
    assert (copied.is_asked, copied.consent) == (True, "Until **May**.")
    assert not copied.replies.exists()


@pytest.mark.parametrize(
    ("moment", "question", "screens_out"),
    [
        ("exit", 0, ("no",)),
        ("entry", 0, ("maybe",)),
        ("entry", 0, ("yes", "No")),
        ("entry", 2, ("6",)),
        ("entry", 3, ("1",)),
        ("entry", 4, ("a",)),
    ],
)
def test_only_answers_that_there_are_can_be_marked_as_not_qualifying(
    campaign: Campaign, moment: str, question: int, screens_out: tuple[str, ...]
) -> None:
    questions = [replace(QUESTIONS[question], screens_out=screens_out)]
    with pytest.raises(InvalidInput) as error:
        set_questionnaire(campaign=campaign, moment=moment, questions=questions, consent="", by=None)
    assert set(error.value.errors) == {"1.screens_out"}


def test_answers_that_do_not_qualify_are_stored_as_names(campaign: Campaign) -> None:
    native, work, skill, *_rest = QUESTIONS
    marked = [
        replace(native, screens_out=("No",)),
        replace(work, screens_out=("editor", "Teacher")),
        replace(skill, screens_out=("1", "2")),
    ]
    form = set_questionnaire(campaign=campaign, moment="entry", questions=marked, consent="", by=None)
    assert form is not None
    stored = questions_of(form)
    assert [each.screens_out for each in stored] == [("no",), ("editor", "teacher"), ("1", "2")]
    answers: list[Value] = ["no", ["translator"], 2]
    assert [each.screens(value) for each, value in zip(stored, answers, strict=True)] == [True, False, True]
