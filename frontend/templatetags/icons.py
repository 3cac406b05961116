"""The few icons of the interface, as line drawings; a word is always next to them."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

register = template.Library()

_DRAWINGS = {
    "ok": '<path d="M3 8.5l3.2 3.2L13 4.8"/>',
    "alert": '<path d="M8 2.3l6 10.9H2z"/><path d="M8 6.6v3M8 11.4v.1"/>',
    "open": '<circle cx="8" cy="8" r="5.2" stroke-dasharray="3 2.6"/>',
    "info": '<circle cx="8" cy="8" r="6"/><path d="M8 7.4v3.6M8 5v.1"/>',
    "clock": '<circle cx="8" cy="8" r="6"/><path d="M8 4.8V8l2.2 1.6"/>',
    "turn": '<path d="M13.5 8A5.5 5.5 0 1 1 8 2.5"/>',
    "off": '<path d="M4.6 12.5h6.9M13 11.3A2.8 2.8 0 0 0 11.6 6 4 4 0 0 0 7 3.6"/>'
    '<path d="M4.6 5.6A3.5 3.5 0 0 0 3 12M2.5 2.5l11 11"/>',
    "pause": '<path d="M5.5 3.5v9M10.5 3.5v9"/>',
    "more": '<path d="M3.2 8h.1M8 8h.1M12.8 8h.1" stroke-width="2.4"/>',
    "plus": '<path d="M8 3v10M3 8h10"/>',
    "close": '<path d="M4 4l8 8M12 4l-8 8"/>',
    "download": '<path d="M8 2.5v8M4.8 7.5L8 10.7l3.2-3.2M3 13.5h10"/>',
    "copy": '<rect x="5.5" y="5.5" width="8" height="8" rx="1.5"/>'
    '<path d="M10.5 5.5v-2a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2"/>',
}


@register.simple_tag
def icon(name: str) -> SafeString:
    drawing = mark_safe(_DRAWINGS[name])  # noqa: S308 - from the table above
    return format_html('<svg class="ic" viewBox="0 0 16 16" aria-hidden="true">{}</svg>', drawing)


@register.simple_tag
def meter(percent: int, label: str) -> SafeString:
    """A progress bar without inline style: the width is an attribute of the drawing."""
    return format_html(
        '<svg class="meter{}" role="img" aria-label="{}"><rect width="{}%" height="100%"/></svg>',
        " done" if percent >= 100 else "",
        label,
        max(0, min(100, percent)),
    )


RANKS = {"neutral": 0, "minor": 1, "major": 2, "critical": 3}
TITLES = {"neutral": _("Neutral"), "minor": _("Minor"), "major": _("Major"), "critical": _("Critical")}


def rank_of(severity: str) -> int:
    return RANKS.get(severity.lower(), 1)


@register.simple_tag
def severity(name: str) -> SafeString:
    """With its mark; a file may have brought another word."""
    return format_html('<span class="sv" data-s="{}"><i></i>{}</span>', rank_of(name), TITLES.get(name.lower(), name))
