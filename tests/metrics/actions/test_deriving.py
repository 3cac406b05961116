"""Numbers that follow from answers: worked out once, alone, for everybody they are credited to."""

from collections.abc import Callable

import pytest

from annotation.models import Assignment, Credit, Judgment
from annotation.protocols import PROTOCOLS
from campaigns.models import Campaign, TestSet, Translation
from metrics.actions.deriving import derive_scores
from metrics.derivations import DERIVATIONS, derivations_of, measures_of
from metrics.models import DerivedScore
from tests.cast import Cast
from tests.metrics.post_edited import correct, correct_all, make_post_editing, shown_to, without_last_word
from tests.metrics.sample_judgments import judge_assignment
from tests.planned_campaign import judge, take


@pytest.fixture
def post_editing(test_set: TestSet, cast: Cast) -> Campaign:
    return make_post_editing(test_set, cast)


@pytest.fixture
def assignment(post_editing: Campaign, cast: Cast) -> Assignment:
    return take(post_editing, cast.annotator)


def test_every_derivation_is_of_a_protocol_and_adds_a_measure_to_it(post_editing: Campaign) -> None:
    named = {name for protocol in PROTOCOLS.values() for name in protocol.derived_measures}
    assert named == set(DERIVATIONS), "protocols name formulas, each by its name in DERIVATIONS"
    assert {name: each.measure.name for name, each in DERIVATIONS.items()} == {name: name for name in DERIVATIONS}
    assert [measure.name for measure, _signature in measures_of(post_editing)] == ["hter", "keystrokes"]
    assert derivations_of("likert") == ()


def test_edits_and_words_of_each_correction_are_stored(post_editing: Campaign, assignment: Assignment) -> None:
    item, text = shown_to(assignment)[0]
    correct(item, without_last_word(text))
    assert derive_scores(post_editing) == 1
    score = DerivedScore.objects.first()
    assert score is not None
    words = len(text.split()) - 1
    assert (score.measure, score.slot, score.weight) == ("hter", "A", words)
    assert score.value == pytest.approx(1 / words)
    assert score.signature.startswith("nrefs:1|case:lc|tok:tercom")


def test_what_is_known_is_not_worked_out_again(
    post_editing: Campaign, assignment: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    correct_all(assignment)
    count = Judgment.objects.count()
    assert derive_scores(post_editing) == count
    before = list(DerivedScore.objects.order_by("pk").values_list("pk", "value"))
    assert derive_scores(post_editing) == 0
    item, text = shown_to(assignment)[0]
    correct(item, text, base_revision=1)
    assert derive_scores(post_editing) == 1, "a changed judgment alone"
    after = list(DerivedScore.objects.order_by("pk").values_list("pk", "value"))
    assert after[: len(before)] == before
    assert {value for _pk, value in after[len(before) :]} == {0.0}


def test_another_formula_replaces_the_numbers_of_the_old_one(post_editing: Campaign, assignment: Assignment) -> None:
    correct_all(assignment)
    derive_scores(post_editing)
    count = DerivedScore.objects.count()
    DerivedScore.objects.update(signature="nrefs:1|version:0.1", value=17)
    assert derive_scores(post_editing) == Judgment.objects.count()
    assert DerivedScore.objects.count() == count
    assert not DerivedScore.objects.filter(value=17).exists()


def test_an_output_several_systems_share_counts_for_each(post_editing: Campaign, assignment: Assignment) -> None:
    slot = shown_to(assignment)[0][0].slots.get()
    own = slot.translation
    assert own is not None
    also = Translation.objects.filter(segment=own.segment).exclude(pk=own.pk)[0]
    Credit.objects.filter(slot=slot).delete()
    Credit.objects.create(slot=slot, system=also.system, translation=also)
    correct(slot.item, "Etwas ganz anderes.")
    derive_scores(post_editing)
    rows = DerivedScore.objects.order_by("translation").values_list("translation", "value")
    assert sorted(translation for translation, _value in rows) == sorted([own.pk, also.pk])
    assert len({value for _translation, value in rows}) == 1


def test_a_damaged_translation_is_compared_as_it_was_shown(post_editing: Campaign, assignment: Assignment) -> None:
    item, text = shown_to(assignment)[0]
    item.slots.update(damaged=without_last_word(text))
    correct(item, text)
    derive_scores(post_editing)
    values = list(DerivedScore.objects.values_list("value", flat=True))
    assert values == pytest.approx([1 / len(text.split())] * len(values))


def test_nothing_follows_where_nothing_could_be_judged_or_no_text_is_known(
    post_editing: Campaign, assignment: Assignment
) -> None:
    (first, _), (second, text) = shown_to(assignment)[:2]
    judge(first, payload={"slots": {}, "comment": "", "cannot_judge": "broken_text"})
    correct(second, text)
    Translation.objects.update(text=None)
    assert derive_scores(post_editing) == 0
    assert not DerivedScore.objects.exists()


def test_a_campaign_of_another_protocol_has_nothing_to_derive(
    campaign: Campaign, cast: Cast, make_assignment: Callable[..., Assignment]
) -> None:
    judge_assignment(make_assignment(campaign, cast.annotator), [1, 2, 3, 4, 5, 6])
    assert derive_scores(campaign) == 0
