"""Names in a sentence, set apart as the docs write them: between backticks."""

import re

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

register = template.Library()
_NAME = re.compile(r"`([^`]+)`")


@register.filter
def coded(text: str) -> SafeString:
    return mark_safe(_NAME.sub(r"<code>\1</code>", escape(text)))  # noqa: S308 - escaped before
