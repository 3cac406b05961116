"""The option what a translation is judged against: what stands beside it, and what else is never sent."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.protocols.base import option

JUDGE_AGAINST = ("source", "reference", "both")


def judge_against_option() -> Any:
    """The field `judge_against` of a protocol's options."""
    return option(
        "source",
        label=gettext_lazy("Judge against"),
        choices=(
            ("source", gettext_lazy("Source")),
            ("reference", gettext_lazy("Reference")),
            ("both", gettext_lazy("Both")),
        ),
    )


def wrong_judge_against(value: object) -> dict[str, list[str]]:
    """What is wrong with the option, as `errors` tells it; empty when nothing is."""
    if value in JUDGE_AGAINST:
        return {}
    return {"judge_against": [_("Choose one of %(known)s.") % {"known": ", ".join(JUDGE_AGAINST)}]}
