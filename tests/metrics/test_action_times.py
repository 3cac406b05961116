"""Times of what was done on screens: of those that count, not of attention checks."""

import pytest

from annotation.action_log import Action
from annotation.models import Judgment
from metrics.action_times import read_actions
from tests.annotation.actions.test_attention_checks import GOOD, judge_screen, screens_of
from tests.cast import Cast
from tests.planned_campaign import make_planned_campaign, take
from tests.sample_screens import make_screens

pytestmark = pytest.mark.django_db


def test_what_was_done_on_attention_checks_is_left_out(cast: Cast) -> None:
    campaign = make_planned_campaign(
        make_screens(2), cast, protocol="cesa", check_systems=GOOD, attention_checks=1, check_share=1.0
    )
    assignment = take(campaign, cast.annotator)
    assert read_actions(campaign) is None
    times: dict[str, list[float]] = {"check": [], "regular": []}
    for place, screen in enumerate(screens_of(assignment)):
        begun = 1_780_000_000 + 100 * place
        actions = [Action(1000 * begun, "load"), Action(1000 * (begun + 30), "submit")]
        judge_screen(screen, cast.annotator, is_seen=True, actions=actions)
        times["check" if screen[0].kind == "check" else "regular"] += [begun, begun + 30]
    read = read_actions(campaign)
    assert read is not None
    assert times["check"]
    assert sorted(read.time) == sorted(times["regular"])
    counted = Judgment.objects.exclude(item__kind="check").values_list("pk", flat=True)
    assert set(read.screens) == set(counted)
