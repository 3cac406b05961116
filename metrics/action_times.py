"""When annotators did something on the screens of a campaign, from the logs that came with its judgments."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from annotation.action_log import actions_from
from annotation.models import ActionLog, ItemKind, Judgment
from annotation.protocols import PROTOCOLS
from campaigns.models import Campaign
from metrics.statistics.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class Actions:
    """What annotators did on screens: when, in seconds, and on which screen, a code that `screens` has by judgment."""

    time: FloatArray
    screen: IntArray
    screens: Mapping[int, int]


def read_actions(campaign: Campaign) -> Actions | None:
    """Of each screen the log of its newest submission; None where nothing was logged. Two queries."""
    if not PROTOCOLS[campaign.protocol].shows_whole_documents:
        return None
    own = Judgment.objects.filter(item__assignment__campaign=campaign, is_current=True)
    current = own.exclude(item__kind=ItemKind.CHECK)
    logs = ActionLog.objects.filter(judgment__in=current).order_by("judgment_id")
    screens = "judgment__item__assignment_id", "judgment__item__block"
    newest = {tuple(screen): log for *screen, log in logs.values_list(*screens, "actions").iterator()}
    if not newest:
        return None
    codes = {screen: code for code, screen in enumerate(newest)}
    judged = current.values_list("pk", "item__assignment_id", "item__block").order_by().iterator()
    times = [(code, action.at / 1000) for screen, code in codes.items() for action in actions_from(newest[screen])]
    return Actions(
        time=np.array([time for _code, time in times], dtype=np.float64),
        screen=np.array([code for code, _time in times], dtype=np.int64),
        screens={pk: codes[screen] for pk, *place in judged if (screen := tuple(place)) in codes},
    )
