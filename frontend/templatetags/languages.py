"""How templates name a language and set its direction."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import pgettext

from campaigns.languages import language_direction, language_name

register = template.Library()
register.filter("language_name", language_name)
register.filter("language_direction", language_direction)


@register.simple_tag
def language_pair(source: str, target: str) -> SafeString:
    """An arrow for the eye, a word for the ear."""
    return format_html(
        '{} <span class="way" aria-hidden="true">→</span><span class="vh">{}</span> {}',
        language_name(source),
        pgettext("from one language to another", "to"),
        language_name(target),
    )
