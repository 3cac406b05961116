"""Results by what annotators answered: filters, slices, and what is refused."""

from dataclasses import replace

from django.utils import timezone

import pytest

from annotation.models import Judgment
from campaigns.models import Campaign, CrowdPlace, FormAnswer, Membership, TestSet
from jobs.actions import perform_now
from metrics.analyses.evidence import Evidence
from metrics.analyses.selection import filter_problems
from metrics.answer_groups import AnswerGroups, answer_groups, offered_questions
from metrics.filters import FilterError, read_filter
from metrics.queries import has_newer_evidence
from metrics.recipes import RECIPES, AnalysisError
from tests.cast import Cast, make_person
from tests.metrics.analyses.as_json import analyse, ranking, slices
from tests.metrics.analyses.sample_tables import simulated
from tests.planned_campaign import add_annotator, items_to_judge, judge, make_planned_campaign, take
from tests.rows_made_once import made_once
from tests.sample_crowd import make_crowd
from tests.sample_questionnaire import answer_questionnaire, make_questionnaire

ASSAY = replace(RECIPES["assay"], resamples=50, interval_resamples=50)
QUICK = {"resamples": 50, "interval_resamples": 50}
YEARS = {"anna": 1, "ben": 2, "cleo": 10, "dora": 30}


def answered(test_set: TestSet, cast: Cast) -> Campaign:
    """Four annotators of everything: anna and ben are native, cleo is not, dora left the number out."""
    campaign = make_planned_campaign(test_set, cast, name="Answered", redundancy=4)
    people = [*cast.annotators, make_person("cleo", "Cleo"), make_person("dora", "Dora")]
    make_questionnaire(campaign)
    for number, annotator in enumerate(people):
        if number > 1:
            add_annotator(campaign, annotator)
        native = "yes" if number < 2 else "no"
        years = YEARS[annotator.username] if annotator.username != "dora" else ""
        work = ["editor", "teacher"] if number % 2 else ["editor"]
        answer_questionnaire(campaign, annotator, native=native, years=years, work=work, skill=number + 1)
        for place, item in enumerate(items_to_judge(take(campaign, annotator))):
            judge(item, (37 * place + 11 * number + 5) % 101)
    return campaign


stored, cast, test_set, campaign = made_once(answered)


def judgments(campaign: Campaign, where: str) -> int:
    result = analyse(campaign, analyses=["scope"], options={**QUICK, "where": where})
    return int(result["analyses"]["scope"]["judgments"]["regular"])


@pytest.mark.parametrize(
    ("where", "names"),
    [
        ("entry.native = yes", ["anna", "ben"]),
        ("entry.native ≠ yes", ["cleo", "dora"]),
        ("entry.work = editor", ["anna", "ben", "cleo", "dora"]),
        ("entry.work ≠ teacher", ["anna", "cleo"]),
        ("entry.skill > 2", ["cleo", "dora"]),
        ("entry.skill ≠ 4", ["anna", "ben", "cleo"]),
        ("entry.years < 5", ["anna", "ben"]),
        ("entry.years > 1,5", ["ben", "cleo"]),
    ],
)
def test_a_filter_leaves_who_answered_so(campaign: Campaign, where: str, names: list[str]) -> None:
    """Counted one by one."""
    own = Judgment.objects.filter(item__assignment__campaign=campaign, annotator__username__in=names)
    assert judgments(campaign, where) == own.count()


@pytest.mark.parametrize(
    ("where", "problem"),
    [
        ("entry.hobby = chess", "No question or label of this campaign is called “entry.hobby”"),
        ("exit.native = yes", "There are: entry.native, entry.work, entry.skill, entry.years"),
        ("entry.remarks = x", "or it asks for a text"),
        ("entry.native = perhaps", "There are: yes, no."),
        ("entry.native > yes", "“>” is not possible with entry.native"),
        ("entry.years > many", "entry.years is a number, not “many”."),
        ("entry.native = yes and annotator = anna", "Use either annotator or answers"),
        ("entry.skill = 4", "Only one annotator answered so."),
    ],
)
def test_what_cannot_be_is_refused(campaign: Campaign, where: str, problem: str) -> None:
    assert problem in "\n".join(filter_problems(campaign, where))
    with pytest.raises(AnalysisError):
        analyse(campaign, options={"where": where})


def test_conditions_on_answers_have_one_form() -> None:
    assert str(read_filter("exit.b = 2 and entry.a != x and domain = news")) == (
        "domain = news and entry.a ≠ x and exit.b = 2"
    )
    with pytest.raises(FilterError, match=r"exit\.NAME"):
        read_filter("entry. = x")


def test_groups_are_those_of_the_question(campaign: Campaign) -> None:
    assert list(offered_questions(campaign)) == ["entry.native", "entry.work", "entry.skill", "entry.years"]
    assert answer_groups(campaign, "entry.native") == AnswerGroups(
        "Is German your native language?",
        {"Yes": frozenset({"anna", "ben"}), "No": frozenset({"cleo", "dora"})},
    )
    work = answer_groups(campaign, "entry.work").groups
    assert work == {"Editor": frozenset({"anna", "ben", "cleo", "dora"}), "Teacher": frozenset({"ben", "dora"})}
    assert answer_groups(campaign, "entry.skill").groups == {}  # each point is of one annotator


def test_many_numbers_are_cut_at_thirds(campaign: Campaign, cast: Cast) -> None:
    """Nine people with 0, 1, 2, 3, 4, 5, 6, 7, 8 years: by hand, three in each band."""
    FormAnswer.objects.filter(question__name="years").delete()
    question = FormAnswer.objects.filter(question__name="native")[0].question.questionnaire.questions.get(name="years")
    moment = FormAnswer.objects.earliest("pk").answered_at
    for years in range(9):
        person = make_person(f"p{years}", "")
        FormAnswer.objects.create(question=question, annotator=person, value=years, answered_at=moment)
    groups = answer_groups(campaign, "entry.years").groups
    assert {label: sorted(names) for label, names in groups.items()} == {
        "2 or less": ["p0", "p1", "p2"],
        "more than 2, up to 5": ["p3", "p4", "p5"],
        "more than 5": ["p6", "p7", "p8"],
    }


def test_slices_rank_each_group_by_itself_with_its_agreement(campaign: Campaign) -> None:
    result = analyse(campaign, analyses=["slices"], options={**QUICK, "by": "entry.native"})["analyses"]["slices"]
    assert (result["by"], result["title"]) == ("entry.native", "Is German your native language?")
    assert list(result["slices"]) == ["Yes", "No"]
    own = analyse(campaign, analyses=["agreement"], options={**QUICK, "where": "entry.native = yes"})
    alpha = own["analyses"]["agreement"]["measures"][0]["alpha"]["interval"]
    assert result["slices"]["Yes"]["annotators"] == 2
    assert result["slices"]["Yes"]["alpha"] == pytest.approx(alpha)
    filtered = analyse(campaign, analyses=["ranking"], options={**QUICK, "where": "entry.native = yes"})
    means = {one["system"]: one["mean"] for one in filtered["analyses"]["ranking"]["systems"]}
    assert {one["system"]: one["mean"] for one in result["slices"]["Yes"]["ranking"]["systems"]} == means


def test_an_unknown_question_gives_no_slices(campaign: Campaign) -> None:
    for by in ("entry.hobby", "entry.", "colour"):
        with pytest.raises(AnalysisError):
            analyse(campaign, analyses=["slices"], options={"by": by})


def test_labels_of_a_crowd_are_filters_and_slices(campaign: Campaign) -> None:
    """anna and ben come from DE, cleo from FR, dora said nothing; the participant is nobody's group."""
    crowd = make_crowd(campaign, parameters={"c": "country"})
    for name, country in (("anna", "DE"), ("ben", "DE"), ("cleo", "FR")):
        place = Membership.objects.get(campaign=campaign, account__username=name)
        labels = {"country": country, "study": "S1"}
        CrowdPlace.objects.create(
            crowd=crowd, membership=place, participant=name, labels=labels, joined_at=timezone.now()
        )
    assert not {"label.country", "label.participant"} & set(offered_questions(campaign))
    assert answer_groups(campaign, "label.country").groups == {"DE": frozenset({"anna", "ben"})}
    assert judgments(campaign, "label.country = DE") == judgments(campaign, "entry.native = yes")
    for where in ("label.country = FR", "label.participant = anna", "label.country ≠ DE", "label.country > DE"):
        assert filter_problems(campaign, where), where
    place = Membership.objects.get(campaign=campaign, account__username="dora")
    CrowdPlace.objects.create(crowd=crowd, membership=place, labels={"country": "FR"}, joined_at=timezone.now())
    assert [each.name for each in offered_questions(campaign)["label.country"].choices] == ["DE", "FR"]
    by_label = analyse(campaign, analyses=["slices"], options={**QUICK, "by": "label.country"})["analyses"]["slices"]
    assert (by_label["title"], list(by_label["slices"])) == ("label.country", ["DE", "FR"])


def test_an_excluded_annotator_makes_no_group() -> None:
    table = simulated({"best": 12.0, "poor": -14.0}).table()
    first, second, third, *others = table.annotators
    groups = AnswerGroups("Native?", {"yes": frozenset({first, second}), "no": frozenset({third, *others})})
    whole = Evidence((table,), replace(ASSAY, by="entry.native"), answered=groups)
    assert list(slices(whole)["slices"]) == ["yes", "no"]
    assert slices(replace(whole, excluded=frozenset({first})))["slices"] == {}
    assert ranking(whole)["systems"]


def test_a_later_answer_makes_results_by_answers_old(campaign: Campaign, cast: Cast) -> None:
    by_answer = perform_now(kind="analysis", campaign=campaign, arguments={"options": {"by": "entry.native", **QUICK}})
    other = perform_now(kind="analysis", campaign=campaign, arguments={"options": QUICK})
    assert not has_newer_evidence(by_answer)
    answer_questionnaire(campaign, cast.annotator, native="no")
    assert has_newer_evidence(by_answer)
    assert not has_newer_evidence(other)
