"""Attention checks: made of whole documents, served at random and once a person, their first outcome kept for good."""

import uuid
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

import pytest

from annotation.action_log import Action
from annotation.actions.answered_checks import MOST_ATTEMPTS
from annotation.actions.creating import create_campaign
from annotation.actions.returning import reassign_assignment
from annotation.actions.submitting_screens import RowOfScreen, ScreenReceipt, submit_screen
from annotation.campaign_spec import CampaignSpec
from annotation.models import Assignment, AssignmentStatus, AttentionCheck, CheckDraw, Draft, ErrorSpan, Judgment, Score
from annotation.queries.item_to_judge import screen_to_judge
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Campaign
from tests.cast import Cast
from tests.planned_campaign import make_planned_campaign, take
from tests.sample_screens import SCREEN_SYSTEMS, make_screens, text_of

pytestmark = pytest.mark.django_db
GOOD = ",".join(SCREEN_SYSTEMS[:3])
WORSE = [{"side": "target", "start": 0, "end": 3, "severity": "major"}]


@pytest.fixture
def make(cast: Cast) -> Callable[..., Campaign]:
    def made(**parameters: Any) -> Campaign:
        usual: dict[str, Any] = {"protocol": "cesa", "check_systems": GOOD, "attention_checks": 3, "check_share": 1.0}
        return make_planned_campaign(make_screens(), cast, **usual | parameters)

    return made


def screens_of(assignment: Assignment) -> list[list[Any]]:
    items = assignment.items.order_by("position").select_related("assignment__campaign")
    return [list(group) for _, group in groupby(items, key=lambda item: item.block)]


def judge_screen(
    screen: list[Any], annotator: Account, *, is_seen: bool, base_revision: int = 0, actions: Sequence[Action] = ()
) -> ScreenReceipt:
    """Everything gets 90 points; who sees it gives a damaged text 40."""
    rows = [
        RowOfScreen(
            each,
            each.protocol.parse_answer(
                {
                    "slots": {
                        slot.label: cell(is_bad=is_seen and slot.damaged is not None) for slot in each.item.slots.all()
                    }
                },
                each.shown,
            ),
            uuid.uuid4(),
            base_revision,
        )
        for each in screen_to_judge(annotator, screen[0].assignment_id, screen[0].public_id)
    ]
    return submit_screen(rows, actions)


def cell(*, is_bad: bool) -> dict[str, Any]:
    return {"spans": WORSE if is_bad else [], "tags": [], "score": 40 if is_bad else 90, "comment": ""}


def first_check(assignment: Assignment) -> list[Any]:
    return next(screen for screen in screens_of(assignment) if screen[0].kind == "check")


class TestMaking:
    def test_each_is_another_document_with_one_output_rotated(self, make: Callable[..., Campaign]) -> None:
        checks = list(make().attention_checks.all())
        assert len({check.document_id for check in checks}) == 3
        for check in checks:
            [changed] = check.changed
            document = int(check.document.name.removeprefix("doc-"))
            clean = text_of(document, changed["row"], SCREEN_SYSTEMS.index(changed["system"])).split()
            moved = [one for one, other in zip(changed["text"].split(), clean, strict=True) if one != other]
            assert len(moved) == 5
            assert len(check.systems) == 2  # four systems, at most three on a screen: two and two
            assert {rule["above"] for rule in check.rules} == {changed["system"]}
            assert {rule["system"] for rule in check.rules} == {*check.systems} - {changed["system"]}
            assert {*check.systems} <= {*SCREEN_SYSTEMS[:3]}
            assert not check.is_loud

    def test_the_seed_decides(self, make: Callable[..., Campaign]) -> None:
        first = list(make().attention_checks.values_list("changed", "systems"))
        test_set = Campaign.objects.get().test_set
        spec = CampaignSpec.of(Campaign.objects.get())
        for seed, is_same in ((spec.seed, True), (99, False)):
            again = CampaignSpec(**{**vars(spec), "name": f"Again {seed}", "seed": seed})
            made = create_campaign(spec=again, test_set=test_set)
            assert (list(made.attention_checks.values_list("changed", "systems")) == first) == is_same

    def test_five_are_made_where_only_systems_are_named(self, make: Callable[..., Campaign]) -> None:
        assert make(attention_checks=None).attention_checks.count() == 5

    def test_none_are_made_without_being_requested(self, make: Callable[..., Campaign]) -> None:
        assert make(attention_checks=None, check_systems="").attention_checks.count() == 0

    def test_columns_are_filled_with_other_systems_that_are_not_compared(self, make: Callable[..., Campaign]) -> None:
        campaign = make(check_systems="sentinel-one, sentinel-two", options={"systems_per_screen": 4})
        for check in campaign.attention_checks.all():
            assert len(check.systems) == 4
            assert [len(check.rules), check.rules[0]["system"] in SCREEN_SYSTEMS[:2]] == [1, True]

    @pytest.mark.parametrize(
        ("parameters", "field", "message"),
        [
            ({"check_systems": ""}, "check_systems", "at least two systems"),
            ({"check_systems": "sentinel-one"}, "check_systems", "at least two systems"),
            ({"check_systems": "sentinel-one,x,y"}, "check_systems", "Not among the systems of this campaign: x, y"),
            ({"check_systems": "sentinel-one,sentinel-two,sentinel-one"}, "check_systems", "twice: sentinel-one"),
            ({"systems": ["sentinel-one", "sentinel-four"]}, "check_systems", "sentinel-two, sentinel-three"),
            ({"attention_checks": 7}, "attention_checks", "requested: 7; documents that allow one: 6 of 6"),
            ({"options": {"systems_per_screen": 1}}, "attention_checks", "show at least two on a screen"),
            ({"check_share": 1.5}, "check_share", "from 0 to 1"),
            ({"check_threshold": 1.5}, "check_threshold", "a share below 1"),
            ({"protocol": "esa"}, "attention_checks", "cannot use attention checks"),
        ],
    )
    def test_what_cannot_be_is_said(
        self, make: Callable[..., Campaign], parameters: dict[str, Any], field: str, message: str
    ) -> None:
        with pytest.raises(InvalidInput) as refused:
            make(**parameters)
        assert message in " ".join(refused.value.errors[field])
        assert not Campaign.objects.exists()

    def test_short_texts_allow_none(self, cast: Cast) -> None:
        test_set = make_screens(words=10)
        with pytest.raises(InvalidInput, match="allow one: 0 of 6"):
            make_planned_campaign(test_set, cast, protocol="cesa", check_systems=GOOD)


class TestServing:
    def test_each_is_served_once_a_person_among_screens_that_look_the_same(
        self, make: Callable[..., Campaign], cast: Cast
    ) -> None:
        campaign = make(items_per_assignment=12, redundancy=2)
        planned = campaign.assignments.order_by("round", "position").values_list("total", flat=True)[0]
        assignment = take(campaign, cast.annotator)
        screens = screens_of(assignment)
        checks = [screen for screen in screens if screen[0].kind == "check"]
        assert len(checks) == 3
        assert assignment.total == planned + 6 == assignment.items.count()
        assert [screen[0].block for screen in screens] == list(range(1, len(screens) + 1))
        assert [item.position for screen in screens for item in screen] == list(range(1, assignment.total + 1))
        assert {len(screen) for screen in screens} == {2}
        assert {len(item.slots.all()) for screen in screens for item in screen} == {2}
        for screen in checks:
            assert sum(slot.damaged is not None for item in screen for slot in item.slots.all()) == 1
        served = CheckDraw.objects.filter(annotator=cast.annotator, check_served__isnull=False)
        assert {draw.first_item for draw in served} == {screen[0] for screen in checks}
        Assignment.objects.filter(pk=assignment.pk).update(status=AssignmentStatus.CLOSED)
        assert not any(screen[0].kind == "check" for screen in screens_of(take(campaign, cast.annotator)))
        assert any(screen[0].kind == "check" for screen in screens_of(take(campaign, cast.second_annotator)))

    def test_no_check_stands_beside_a_screen_of_its_document(self, make: Callable[..., Campaign], cast: Cast) -> None:
        campaign = make(redundancy=2, attention_checks=6)
        for annotator in (cast.annotator, cast.second_annotator):
            screens = screens_of(take(campaign, annotator))
            assert sum(screen[0].kind == "check" for screen in screens) > 3
            for before, check, after in zip(screens, screens[1:], screens[2:], strict=False):
                if check[0].kind == "check":
                    assert check[0].document_id not in (before[0].document_id, after[0].document_id)

    def test_all_draws_are_recorded_and_the_share_decides(self, make: Callable[..., Campaign], cast: Cast) -> None:
        campaign = make(check_share=0.5, attention_checks=6)
        assignment = take(campaign, cast.annotator)
        draws = list(assignment.check_draws.all())
        assert [draw.screen for draw in draws] == list(range(1, 13))
        assert all(draw.value < 0.5 for draw in draws if draw.check_served)
        assert all(draw.check_served for draw in draws[:3] if draw.value < 0.5)

    def test_without_a_share_no_check_is_served(self, make: Callable[..., Campaign], cast: Cast) -> None:
        assignment = take(make(check_share=0.0), cast.annotator)
        assert not assignment.check_draws.exclude(check_served=None).exists()
        assert assignment.check_draws.count() == 12

    def test_what_is_left_goes_to_others_without_its_checks(self, make: Callable[..., Campaign], cast: Cast) -> None:
        campaign = make()
        assignment = take(campaign, cast.annotator)
        mine = set(CheckDraw.objects.filter(annotator=cast.annotator).values_list("check_served", flat=True))
        rest = reassign_assignment(assignment=assignment, to=cast.second_annotator, by=None)
        theirs = CheckDraw.objects.filter(assignment=rest, check_served__isnull=False)
        assert theirs.count() == 3 == len(mine - {None})
        assert rest.items.filter(kind="check").count() == 6
        assert rest.items.filter(kind="regular").count() == 24


class TestAnswering:
    def test_who_scores_the_clean_outputs_higher_passes(self, make: Callable[..., Campaign], cast: Cast) -> None:
        assignment = take(make(), cast.annotator)
        receipt = judge_screen(first_check(assignment), cast.annotator, is_seen=True).receipt
        assert not receipt.must_redo
        draw = CheckDraw.objects.get(attempts=1)
        assert (draw.first_passed, draw.first_unmet, draw.is_passed) == (True, [], True)

    def test_a_silent_one_says_nothing_and_counts_for_nothing_else(
        self, make: Callable[..., Campaign], cast: Cast
    ) -> None:
        assignment = take(make(), cast.annotator)
        screen = first_check(assignment)
        receipt = judge_screen(screen, cast.annotator, is_seen=False).receipt
        assert not receipt.must_redo
        draw = CheckDraw.objects.get(attempts=1)
        assert (draw.first_passed, draw.first_unmet) == (False, [0])
        assert Judgment.objects.count() == 2
        assert not Score.objects.exists()
        assert not ErrorSpan.objects.exists()

    def test_the_first_attempt_stays_when_the_answer_is_revised(
        self, make: Callable[..., Campaign], cast: Cast
    ) -> None:
        assignment = take(make(), cast.annotator)
        screen = first_check(assignment)
        judge_screen(screen, cast.annotator, is_seen=False)
        judge_screen(screen, cast.annotator, is_seen=True, base_revision=1)
        draw = CheckDraw.objects.get(attempts=1)
        assert (draw.first_passed, draw.is_passed) == (False, True)

    def test_a_loud_one_that_was_failed_follows_again_as_it_was_answered(
        self, make: Callable[..., Campaign], cast: Cast
    ) -> None:
        assignment = take(make(check_kind="loud"), cast.annotator)
        screen, total = first_check(assignment), assignment.total
        receipt = judge_screen(screen, cast.annotator, is_seen=False).receipt
        assert (receipt.must_redo, receipt.total) == (True, total + 2)
        screens = screens_of(assignment)
        again = screens[screen[0].block]
        assert [item.segment_id for item in again] == [item.segment_id for item in screen]
        assert [item.position for each in screens for item in each] == list(range(1, total + 3))
        assert Draft.objects.get(item=again[0]).answer["slots"]["A"]["score"] == 90
        assert not judge_screen(again, cast.annotator, is_seen=True).receipt.must_redo
        draw = CheckDraw.objects.get(attempts=2)
        assert (draw.first_passed, draw.is_passed, draw.first_item, draw.last_item) == (
            False,
            True,
            screen[0],
            again[0],
        )
        assert Judgment.objects.filter(item=screen[0]).get().answer["slots"]["A"]["score"] == 90

    def test_nobody_is_stuck_at_a_loud_one(self, make: Callable[..., Campaign], cast: Cast) -> None:
        assignment = take(make(check_kind="loud"), cast.annotator)
        block = first_check(assignment)[0].block
        outcomes: list[bool] = []
        while screens_of(assignment)[block - 1][0].kind == "check" and len(outcomes) < 10:
            outcomes.append(
                judge_screen(screens_of(assignment)[block - 1], cast.annotator, is_seen=False).receipt.must_redo
            )
            block += 1
            if not outcomes[-1]:
                break
        assert outcomes == [True] * (MOST_ATTEMPTS - 1) + [False]

    def test_an_assignment_is_done_only_when_a_loud_one_was_judged_again(
        self, make: Callable[..., Campaign], cast: Cast
    ) -> None:
        assignment = take(make(check_kind="loud", attention_checks=1), cast.annotator)
        check = first_check(assignment)
        for screen in screens_of(assignment):
            if screen[0] != check[0]:
                judge_screen(screen, cast.annotator, is_seen=True)
        receipt = judge_screen(check, cast.annotator, is_seen=False).receipt
        assert (receipt.completion_code, receipt.total - receipt.done) == (None, 2)
        assignment.refresh_from_db()
        assert (assignment.status, assignment.finished_at) == (AssignmentStatus.OPEN, None)
        receipt = judge_screen(screens_of(assignment)[check[0].block], cast.annotator, is_seen=True).receipt
        assert receipt.completion_code
        assert AttentionCheck.objects.count() == 1
