"""Numbers, times and organisers' texts, as pages say them."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

from django import template
from django.utils.formats import number_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.beside.inline_codes import without_markup
from annotation.protocols.base import Protocol
from annotation.taxonomies.typology import category_words
from campaigns.guideline_text import render_markdown

register = template.Library()
_IN_SECONDS_BELOW = 120  # "1 min" could be anything from half a minute to a minute and a half


@register.filter
def markdown(text: str) -> SafeString:
    return mark_safe(render_markdown(text))  # noqa: S308 - sanitised by nh3


@register.filter
def percent(share: float | None) -> str:
    """0.25 is "25 %"; None, from an empty denominator, is a dash."""
    if share is None:
        return "–"
    return _("%(number)s %%") % {"number": number_format(round(100 * share))}


@register.filter
def hundredth(share: float) -> str:
    """The width of a bar in a box of 100."""
    return f"{100 * share:.1f}"


@register.filter
def share_of(done: int, total: int) -> int:
    """How many of a hundred, never 100 before everything is done."""
    if total <= 0:
        return 0
    return 100 * done // total


register.filter("without_markup", without_markup)


@register.filter
def count(number: int) -> str:
    return number_format(number, force_grouping=True)


@register.filter
def whole(number: float) -> str:
    """A rate is rounded to the unit, and below ten to a tenth."""
    if number >= 10 or number == 0:
        return number_format(round(number), force_grouping=True)
    return number_format(Decimal(f"{number:.1f}"), decimal_pos=1)


@register.filter
def category_in(path: str, protocol: Protocol[Any]) -> str:
    """The category of a marked error, as the typology of its campaign names it."""
    return category_words(path, protocol.category_titles)


@register.filter
def duration(seconds: float | None) -> str:
    """A span of time in the two units that matter: "44 s", "110 s", "51 min", "3 h 12 min"."""
    if seconds is None:
        return "–"
    if round(seconds) < _IN_SECONDS_BELOW:
        return _("%(seconds)d s") % {"seconds": round(seconds)}
    hours, minutes = divmod(round(seconds / 60), 60)
    if not hours:
        return _("%(minutes)d min") % {"minutes": minutes}
    return _("%(hours)d h %(minutes)d min") % {"hours": hours, "minutes": minutes}


@register.filter
def in_minutes(time: timedelta) -> str:
    """A waiting time in whole minutes, rounded up."""
    minutes = max(1, -int(-time.total_seconds() // 60))
    return ngettext("%(minutes)d minute", "%(minutes)d minutes", minutes) % {"minutes": minutes}
