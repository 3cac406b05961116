"""Options that several protocols offer, each declared once."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.protocols.base import Text, option


def anchors_option(default: tuple[tuple[int, str], ...]) -> Any:
    """Labelled marks under a slider from 0 to 100."""
    return option(
        default,
        label=gettext_lazy("Labels under the slider"),
        hint=gettext_lazy("One per line: a number from 0 to 100, a space, a short label."),
        check=_anchors_error,
    )


def _anchors_error(anchors: object) -> str:
    if isinstance(anchors, tuple) and all(map(_is_anchor, anchors)):
        places = [place for place, _label in anchors]
        if places == sorted(set(places)):
            return ""
    return _("Each anchor needs a whole number from 0 to 100 and a label. List them in rising order.")


def _is_anchor(anchor: object) -> bool:
    if not (isinstance(anchor, tuple) and len(anchor) == 2):
        return False
    return type(anchor[0]) is int and 0 <= anchor[0] <= 100 and isinstance(anchor[1], str)


def judge_against_option() -> Any:
    """The texts shown beside a translation; hidden texts are never sent."""
    return option(
        "source",
        label=gettext_lazy("Judge against"),
        choices=(
            ("source", gettext_lazy("Source")),
            ("reference", gettext_lazy("Reference")),
            ("both", gettext_lazy("Both")),
        ),
    )


def question_option(*, hint: Text) -> Any:
    return option("", label=gettext_lazy("Question"), hint=hint)


def systems_per_screen_option(default: int = 1, *, most: int = 5) -> Any:
    """Several systems of one segment side by side."""
    return option(
        default,
        label=gettext_lazy("Systems per screen"),
        hint=gettext_lazy("With more than one, several translations of a segment are judged side by side."),
        choices=tuple((str(count), str(count)) for count in range(1, most + 1)),
    )
