"""The option to judge several systems of one segment on one screen, as protocols that score offer it."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.protocols.base import option

MOST_SYSTEMS_PER_SCREEN = 5


def systems_per_screen_option(*, most: int = MOST_SYSTEMS_PER_SCREEN) -> Any:
    """The field `systems_per_screen` of a protocol's options."""
    return option(
        1,
        label=gettext_lazy("Systems per screen"),
        hint=gettext_lazy("With more than one, several translations of a segment are judged side by side."),
        choices=tuple((str(count), str(count)) for count in range(1, most + 1)),
    )


def wrong_systems_per_screen(value: object, *, most: int = MOST_SYSTEMS_PER_SCREEN) -> dict[str, list[str]]:
    """What is wrong with the option, as `errors` tells it; empty when nothing is."""
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    if is_whole and 1 <= value <= most:  # type: ignore[operator]
        return {}
    message = _("Write a whole number from %(low)d to %(high)d.") % {"low": 1, "high": most}
    return {"systems_per_screen": [message]}
