"""Days and ages in the overview's format: "27 Nov", "26 to 29 Nov", "4 min ago"."""

from datetime import date, datetime

from django import template
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

register = template.Library()

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400


@register.filter
def day(when: date) -> str:
    """With the year if it is not the current one."""
    this_year = when.year == timezone.localdate().year
    return date_format(when, "j M" if this_year else "j M Y")


def day_range(first: date, last: date) -> str:
    """One day where both are the same; the month once where it is the same."""
    if first == last:
        return day(first)
    same_month = (first.year, first.month) == (last.year, last.month)
    start = date_format(first, "j") if same_month else day(first)
    return _("%(first)s to %(last)s") % {"first": start, "last": day(last)}


@register.filter
def ago(when: datetime | None, now: datetime) -> str:
    """In one unit, as people do; the exact time is next to it."""
    if when is None:
        return _("never")
    seconds = (now - when).total_seconds()
    if seconds < _MINUTE:
        return _("now")
    if seconds < _HOUR:
        return _("%(minutes)d min ago") % {"minutes": seconds // _MINUTE}
    if seconds < _DAY:
        return _("%(hours)d h ago") % {"hours": seconds // _HOUR}
    days = int(seconds // _DAY)
    return ngettext("%(days)d day ago", "%(days)d days ago", days) % {"days": days}
