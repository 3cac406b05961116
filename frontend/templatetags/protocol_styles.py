"""The style sheets of a protocol's judging page beside judging.css."""

from functools import cache

from django import template
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from annotation.protocols import PROTOCOLS

ROWS = "css/judging_rows.css"

register = template.Library()


@register.simple_tag
def protocol_styles(protocol: str) -> SafeString:
    """Links to its own sheet, if it has one, and to that of pages on which a segment at a time is judged."""
    return format_html_join(
        "", '<link rel="stylesheet" href="{}">', ((static(sheet),) for sheet in sheets_of(protocol))
    )


@cache
def sheets_of(protocol: str) -> tuple[str, ...]:
    own = f"css/protocols/{protocol}.css"
    has_rows = not PROTOCOLS[protocol].shows_whole_documents
    return (*((own,) if finders.find(own) else ()), *((ROWS,) if has_rows else ()))
