"""A campaign is checked, planned and stored; all of it or nothing."""

from collections.abc import Callable
from typing import Any

import pytest

from annotation.actions import checked_spec
from annotation.actions import creating as creating_module
from annotation.actions.creating import create_campaign
from annotation.actions.plan_rows import Damage
from annotation.campaign_spec import CampaignSpec
from annotation.models import Assignment, AssignmentStatus, Credit, Item, ItemKind, ItemLevel, Slot
from annotation.protocols.direct_assessment import DirectAssessment
from campaigns.actions.audit import record
from campaigns.invalid_input import InvalidInput
from campaigns.models import (
    AuditEntry,
    Campaign,
    CampaignStatus,
    Document,
    Membership,
    Reference,
    Role,
    Segment,
    System,
    TestSet,
    TestSetStatus,
    Translation,
)
from tests.cast import Cast
from tests.sample_test_set import QUOKKA, WOMBAT

Make = Callable[..., Campaign]


@pytest.fixture
def make(test_set: TestSet, cast: Cast) -> Make:
    """The least there is to say, unless the test says more."""

    def create(*, open: bool = False, request: str = "", **parameters: Any) -> Campaign:
        least: dict[str, Any] = {"name": "Spring campaign", "protocol": "direct_assessment", "seed": 5}
        spec = CampaignSpec(**{**least, **parameters})
        return create_campaign(spec=spec, test_set=test_set, created_by=cast.organiser, open=open, request=request)

    return create


def refused(make: Make, **parameters: Any) -> dict[str, list[str]]:
    with pytest.raises(InvalidInput) as caught:
        make(**parameters)
    assert not Campaign.objects.exists()
    assert not Assignment.objects.exists()
    return caught.value.errors


def regular(campaign: Campaign) -> list[Item]:
    own = Item.objects.filter(assignment__campaign=campaign, level=ItemLevel.SEGMENT, kind=ItemKind.REGULAR)
    return list(own.prefetch_related("slots__credits"))


def test_control_items_that_a_protocol_does_not_have_are_refused(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DirectAssessment, "control_kinds", frozenset())
    assert refused(make, repeats_share=0.1, degraded_share=0.1) == {
        "repeats_share": ["Direct assessment cannot use repeated items. Set their share to 0."],
        "degraded_share": ["Direct assessment cannot use degraded items. Set their share to 0."],
    }
    assert make().assignments.exists()


def test_every_output_is_judged_as_often_as_the_redundancy_says(make: Make) -> None:
    campaign = make(redundancy=2, items_per_assignment=6)
    times: dict[tuple[int | None, int], int] = {}
    for item in regular(campaign):
        for slot in item.slots.all():
            for system in [slot.system_id, *(credit.system_id for credit in slot.credits.all())]:
                times[item.segment_id, system] = times.get((item.segment_id, system), 0) + 1
    assert len(times) == 18
    assert set(times.values()) == {2}


def test_an_identical_output_is_judged_once_and_credited_to_the_other_system(make: Make, test_set: TestSet) -> None:
    campaign = make()
    credit = Credit.objects.select_related("slot__item", "translation").get()
    first = {system.name: system.pk for system in test_set.systems.all()}
    assert {credit.slot.system_id, credit.system_id} == {first[WOMBAT], first[QUOKKA]}
    assert credit.translation is not None
    assert credit.translation.segment_id == credit.slot.item.segment_id
    assert len(regular(campaign)) == 17


def test_the_other_systems_document_stays_whole_with_the_segment_as_context(make: Make) -> None:
    campaign = make()
    context = Item.objects.get(assignment__campaign=campaign, level=ItemLevel.CONTEXT)
    neighbours = Item.objects.filter(assignment=context.assignment_id, block=context.block)
    assert neighbours.count() == 3
    assert campaign.assignments.get().total == 17


def test_documents_are_scored_as_a_whole_where_the_protocol_does(make: Make) -> None:
    campaign = make(options={"document_scores": True})
    slots = Slot.objects.filter(item__assignment__campaign=campaign, item__level=ItemLevel.DOCUMENT)
    assert slots.count() == 6
    assert not slots.exclude(translation=None).exists()


def test_identical_documents_are_scored_once_and_credited(make: Make, test_set: TestSet) -> None:
    Translation.objects.filter(system__name=QUOKKA, segment__document__name="harbour").delete()
    quokka = System.objects.get(name=QUOKKA)
    for output in Translation.objects.filter(system__name=WOMBAT, segment__document__name="harbour"):
        Translation.objects.create(segment=output.segment, system=quokka, text=output.text)
    make(options={"document_scores": True})
    credit = Credit.objects.get(slot__item__level=ItemLevel.DOCUMENT)
    assert credit.translation is None


def test_control_items_point_to_their_originals(make: Make) -> None:
    make(repeats_share=0.2, degraded_share=0.2)
    controls = Item.objects.exclude(kind=ItemKind.REGULAR).select_related("original")
    kinds = list(controls.values_list("kind", flat=True))
    for kind in ("degraded", "repeat"):
        assert 2 <= kinds.count(kind) <= 3  # of a block whose third segment may be context
    for item in controls:
        assert item.original is not None
        assert item.original.kind == ItemKind.REGULAR
        assert (item.original.assignment_id, item.original.segment_id) == (item.assignment_id, item.segment_id)
        assert item.slots.get().system_id == item.original.slots.get().system_id


def test_degraded_items_alone_show_a_damaged_text(make: Make) -> None:
    make(repeats_share=0.2, degraded_share=0.2)
    damaged = Slot.objects.exclude(damaged=None).select_related("item", "translation")
    assert {slot.item.kind for slot in damaged} == {ItemKind.DEGRADED}
    assert len(damaged) == Item.objects.filter(kind=ItemKind.DEGRADED).count()
    for slot in damaged:
        assert slot.translation is not None
        assert slot.damaged not in ("", slot.translation.text)
        assert not slot.credits.exists()


def test_a_damaged_output_is_credited_to_nobody_else(make: Make) -> None:
    for wombat in Translation.objects.filter(system__name=WOMBAT):
        Translation.objects.filter(segment=wombat.segment, system__name=QUOKKA).update(text=wombat.text)
    make(degraded_share=1)
    assert Credit.objects.filter(slot__item__kind=ItemKind.REGULAR).exists()
    assert not Credit.objects.filter(slot__item__kind=ItemKind.DEGRADED).exists()


def test_damage_is_taken_from_other_segments(make: Make) -> None:
    damage = Damage(make())
    for segment in Segment.objects.all():
        own = set(segment.translations.values_list("text", flat=True))
        donors = damage._donors_for(segment.pk)
        assert donors
        assert not own & set(donors)


def test_a_text_that_cannot_be_damaged_becomes_a_repeat(make: Make) -> None:
    Translation.objects.update(text="Ja.")
    campaign = make(degraded_share=0.5)
    assert not Item.objects.filter(kind=ItemKind.DEGRADED).exists()
    assert not Slot.objects.exclude(damaged=None).exists()
    assignment = campaign.assignments.get()
    assert len(regular(campaign)) == 6
    assert assignment.total == 6 + Item.objects.filter(kind=ItemKind.REPEAT, original__kind=ItemKind.REGULAR).count()
    assert assignment.total > 6
    positions = list(assignment.items.order_by("position").values_list("position", flat=True))
    assert positions == list(range(1, len(positions) + 1))


def test_totals_count_the_items_to_judge(make: Make) -> None:
    campaign = make(options={"document_scores": True}, repeats_share=0.3, items_per_assignment=4, redundancy=3)
    for assignment in campaign.assignments.all():
        assert assignment.total == assignment.items.exclude(level=ItemLevel.CONTEXT).count()
        assert assignment.status == AssignmentStatus.PLANNED


def test_the_same_seed_gives_the_same_plan_and_damage(make: Make) -> None:
    def shape(campaign: Campaign) -> list[Any]:
        rows = Slot.objects.filter(item__assignment__campaign=campaign).order_by(
            "item__assignment__position", "item__position", "label"
        )
        return list(rows.values_list("item__position", "item__kind", "item__segment", "system", "damaged"))

    same = {"repeats_share": 0.2, "degraded_share": 0.2, "items_per_assignment": 6}
    first, second = make(name="One", **same), make(name="Two", **same)
    third = make(name="Three", seed=6, **same)
    assert shape(first) == shape(second)
    assert shape(first) != shape(third)


def test_without_a_seed_one_is_drawn_and_stored(make: Make) -> None:
    seeds = {make(name=f"Campaign {number}", seed=None).seed for number in range(3)}
    assert len(seeds) == 3


def test_some_of_the_systems_can_be_chosen(make: Make, test_set: TestSet) -> None:
    campaign = make(systems=[WOMBAT])
    assert [system.name for system in campaign.systems.all()] == [WOMBAT]
    assert len(regular(campaign)) == 6


def test_options_are_stored_with_their_defaults(make: Make) -> None:
    campaign = make(options={"judge_against": "reference"})
    campaign.refresh_from_db()
    options = campaign.options
    assert options["judge_against"] == "reference"
    assert options["anchors"][0] == [0, "Nothing"]


def test_whoever_makes_it_organises_it_and_it_is_on_record(make: Make, cast: Cast) -> None:
    campaign = make(open=True)
    assert Membership.objects.get(campaign=campaign).role == Role.ORGANISER
    assert campaign.status == CampaignStatus.OPEN
    assert campaign.opened_at is not None
    entry = AuditEntry.objects.get(campaign=campaign, action="campaign_created")
    assert (entry.actor, entry.detail["seed"], entry.detail["assignments"]) == (cast.organiser, 5, 1)


def test_a_campaign_is_a_draft_until_it_is_opened(make: Make) -> None:
    campaign = make()
    assert (campaign.status, campaign.opened_at) == (CampaignStatus.DRAFT, None)
    assert campaign.slug == "spring-campaign"


def test_all_errors_are_reported_at_once(make: Make) -> None:
    errors = refused(
        make,
        name=" ",
        options={"judge_against": "nothing", "document_scores": 1},
        redundancy=0,
        items_per_assignment=0,
        systems_per_segment=4,
        repeats_share=1.5,
        degraded_share=float("nan"),
        seed=-1,
        guidelines="a\x00b",
    )
    assert set(errors) == {
        *("name", "options.judge_against", "options.document_scores", "redundancy", "items_per_assignment"),
        *("systems_per_segment", "repeats_share", "degraded_share", "seed", "guidelines"),
    }
    assert errors["systems_per_segment"] == ["There are 3 systems: enter 1 to 3, or leave this empty."]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("redundancy", 10**9),
        ("redundancy", True),
        ("redundancy", 1.5),
        ("items_per_assignment", 10**12),
        ("seed", 2**63),
        ("repeats_share", "much"),
        ("degraded_share", float("inf")),
        ("systems_per_segment", 0),
        ("name", "x" * 151),
        ("name", "ø†ß?"),
        ("name", "New"),
        ("name", "a\x00b"),
        ("protocol", "guessing"),
        ("consent", "\x00"),
    ],
)
def test_numbers_and_names_that_cannot_be_are_refused(make: Make, field: str, value: object) -> None:
    assert set(refused(make, **{field: value})) == {field}


def test_an_option_that_does_not_exist_is_refused_by_name(make: Make) -> None:
    assert "options.colour" in refused(make, options={"colour": "blue"})
    assert "options.question" in refused(make, options={"question": "how\x00much"})


def test_a_name_is_taken_once(make: Make) -> None:
    make()
    with pytest.raises(InvalidInput, match="A campaign with this name exists"):
        make()
    with pytest.raises(InvalidInput, match="“Spring campaign” would have the same address"):
        make(name="spring CAMPAIGN!")
    assert Campaign.objects.count() == 1


def test_a_name_taken_at_the_same_moment_is_reported(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    make()
    monkeypatch.setattr(checked_spec, "name_taken", lambda *_: "")
    with pytest.raises(InvalidInput, match="is being created right now"):
        make()
    assert Campaign.objects.count() == 1


def test_two_requests_on_one_occasion_make_one_campaign(make: Make) -> None:
    first = make(request="run 7")
    assert make(request="run 7") == first
    with pytest.raises(InvalidInput):
        make(request="run 8")
    assert Campaign.objects.count() == 1


def test_a_test_set_that_is_still_loading_is_refused(make: Make, test_set: TestSet) -> None:
    test_set.status = TestSetStatus.LOADING
    assert set(refused(make)) == {"test_set"}


def test_systems_that_the_test_set_does_not_have_are_refused(make: Make) -> None:
    assert refused(make, systems=[WOMBAT, "Owl"]) == {"systems": ["Not in this test set: Owl."]}
    assert set(refused(make, systems=[])) == {"systems"}


def test_a_reference_must_be_there_to_be_judged_against(make: Make) -> None:
    Reference.objects.filter(segment__document__name="orchard").delete()
    errors = refused(make, options={"judge_against": "both"})
    assert errors["test_set"] == [
        "Segments without a reference: 3. Choose another test set, or let annotators judge against something else."
    ]
    assert make(options={"judge_against": "source"}).pk


def test_a_source_must_be_there_to_be_judged_against(make: Make) -> None:
    Segment.objects.filter(document__name="orchard").update(source=None)
    assert set(refused(make)) == {"test_set"}
    assert make(options={"judge_against": "reference"}).pk


def test_judgments_without_texts_cannot_be_judged_anew(make: Make) -> None:
    Translation.objects.update(text=None)
    assert set(refused(make)) == {"plan"}


def test_a_plan_beyond_all_bounds_is_refused_before_it_is_made(make: Make) -> None:
    document = Document.objects.get(name="harbour")
    Segment.objects.bulk_create(
        Segment(document=document, name=f"more {number}", position=number, source="x") for number in range(10, 500)
    )
    assert "about 1488000 judgments" in refused(make, redundancy=1000)["plan"][0]


def test_a_failure_on_the_way_leaves_nothing(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("disk full")

    monkeypatch.setattr(creating_module, "store_plan", fail)
    with pytest.raises(RuntimeError):
        make()
    assert not Campaign.objects.exists()


def test_until_all_is_stored_nothing_can_be_handed_out(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def look(campaign: Campaign, **_: object) -> None:
        assert campaign.assignments.count() == 3
        assert not campaign.assignments.exclude(status=AssignmentStatus.ARCHIVED).exists()
        raise RuntimeError("enough seen")

    monkeypatch.setattr(creating_module, "_finish", look)
    with pytest.raises(RuntimeError, match="enough seen"):
        make(items_per_assignment=6)


def test_what_a_killed_process_left_is_made_anew(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after kill -9: the campaign and its archived assignments are there, the last entry is not."""
    left = make(open=False)
    AuditEntry.objects.filter(campaign=left, action="campaign_created").delete()
    Assignment.objects.filter(campaign=left).update(status=AssignmentStatus.ARCHIVED)
    campaign = make()
    assert campaign.pk != left.pk
    assert Campaign.objects.get() == campaign
    assert campaign.assignments.get().status == AssignmentStatus.PLANNED


def test_a_campaign_made_otherwise_is_never_taken_for_a_leftover(
    make: Make, make_campaign: Callable[..., Campaign], test_set: TestSet, cast: Cast
) -> None:
    draft = make_campaign(test_set, cast, name="Spring campaign", status=CampaignStatus.DRAFT)
    record(action="texts_changed", by=None, campaign=draft)
    with pytest.raises(InvalidInput, match="exists"):
        make()
    assert Campaign.objects.get() == draft


def test_the_number_of_queries_does_not_grow_with_the_plan(
    make: Make, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    with django_assert_max_num_queries(48):
        make(name="Small")
    with django_assert_max_num_queries(48):
        make(name="Large", redundancy=20, items_per_assignment=3, repeats_share=0.2)
