from typing import Any

import pytest

from annotation.actions.decisions import adjudicate, undo_adjudication
from annotation.models import Adjudication, Item, Judgment, Score
from annotation.queries.adjudications import decisions, entered_for
from campaigns.invalid_input import InvalidInput
from campaigns.models import AuditEntry, Campaign, TestSet, Translation
from tests.cast import Cast
from tests.metrics.marked_errors import GRAVE, SMALL, make_mqm, mark, marked
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    return make_planned_campaign(test_set, cast)


def shown_in(item: Item) -> Translation:
    translation = item.slots.get().translation
    assert translation is not None
    return translation


def decide(campaign: Campaign, cast: Cast, translation: Translation, **changes: Any) -> Adjudication:
    fields: dict[str, Any] = {"answered": {"score": 40}, "reason": "Half of it is missing.", "by": cast.organiser}
    return adjudicate(campaign=campaign, translation=translation, **(fields | changes))


def test_a_decision_is_stored_beside_the_answers(campaign: Campaign, cast: Cast) -> None:
    item = items_to_judge(take(campaign, cast.annotator))[0]
    judge(item, 80)
    decide(campaign, cast, shown_in(item))
    assert Score.objects.get(judgment__item=item, translation=shown_in(item)).value == 80
    [decision] = decisions(campaign)
    assert [(score.measure, score.value) for score in decision.observation.scores] == [("score", 40)]
    entry = AuditEntry.objects.get(action="translation_adjudicated")
    assert (entry.actor, entry.detail["reason"]) == (cast.organiser, "Half of it is missing.")


def test_a_later_decision_undoes_the_earlier_and_both_stay_on_record(campaign: Campaign, cast: Cast) -> None:
    translation = shown_in(items_to_judge(take(campaign, cast.annotator))[0])
    first = decide(campaign, cast, translation)
    second = decide(campaign, cast, translation, answered={"score": 60}, instead_of=first.pk)
    first.refresh_from_db()
    assert (first.undone_by, second.undone_at) == (cast.organiser, None)
    assert Adjudication.objects.count() == 2


def test_what_somebody_decided_meanwhile_is_not_undone_unseen(campaign: Campaign, cast: Cast) -> None:
    translation = shown_in(items_to_judge(take(campaign, cast.annotator))[0])
    decide(campaign, cast, translation)
    with pytest.raises(InvalidInput, match="has just decided"):
        decide(campaign, cast, translation, answered={"score": 60})
    assert Adjudication.objects.get().answer == {"score": 40}


def test_undone_it_counts_no_more_and_cannot_be_undone_again(campaign: Campaign, cast: Cast) -> None:
    made = decide(campaign, cast, shown_in(items_to_judge(take(campaign, cast.annotator))[0]))
    undo_adjudication(adjudication=made, by=cast.organiser)
    assert decisions(campaign) == []
    assert AuditEntry.objects.filter(action="adjudication_undone").count() == 1
    with pytest.raises(InvalidInput, match="already undone"):
        undo_adjudication(adjudication=made, by=cast.organiser)


@pytest.mark.parametrize(
    ("changes", "field"),
    [({"answered": {}}, "score"), ({"answered": {"score": 101}}, "score"), ({"reason": " "}, "reason")],
)
def test_what_no_annotator_could_answer_is_refused(
    campaign: Campaign, cast: Cast, changes: dict[str, Any], field: str
) -> None:
    translation = shown_in(items_to_judge(take(campaign, cast.annotator))[0])
    with pytest.raises(InvalidInput) as refused:
        decide(campaign, cast, translation, **changes)
    assert list(refused.value.errors) == [field]
    assert not Adjudication.objects.exists()


def test_one_annotators_errors_can_be_the_answer(test_set: TestSet, cast: Cast) -> None:
    campaign = make_mqm(test_set, cast)
    item = items_to_judge(take(campaign, cast.annotator))[0]
    mark(item, GRAVE, SMALL)
    judgment = Judgment.objects.get(item=item)
    made = decide(campaign, cast, shown_in(item), answered=entered_for(judgment, shown_in(item)), based_on=judgment)
    assert made.answer == {"spans": marked(GRAVE, SMALL)}
    assert [span.severity for span in decisions(campaign)[0].observation.spans] == ["major", "minor"]


def test_it_counts_for_every_system_with_the_same_output(campaign: Campaign, cast: Cast) -> None:
    item = items_to_judge(take(campaign, cast.annotator))[0]
    own = shown_in(item)
    other = Translation.objects.filter(segment=own.segment).exclude(pk=own.pk).order_by("-pk")[0]
    Translation.objects.filter(pk=other.pk).update(text=own.text)
    other.refresh_from_db()
    decide(campaign, cast, own)
    assert set(decisions(campaign)[0].translations) == {own.pk, other.pk}
    with pytest.raises(InvalidInput, match="has just decided"):
        decide(campaign, cast, other)


def test_what_is_only_compared_on_one_screen_is_not_decided(test_set: TestSet, cast: Cast) -> None:
    campaign = make_planned_campaign(test_set, cast, protocol="ranking")
    with pytest.raises(InvalidInput, match="does not judge single"):
        decide(campaign, cast, Translation.objects.all()[0], answered={"rank": 1})
