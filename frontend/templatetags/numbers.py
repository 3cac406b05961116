"""Numbers as results pages print them: fixed decimals, a true minus, a dash where there is none."""

from django import template
from django.utils.formats import number_format

register = template.Library()


@register.filter
def decimals(value: float | None, places: int) -> str:
    if value is None:
        return "–"
    return number_format(value, decimal_pos=places).replace("-", "−")


@register.filter
def signed(value: float | None, places: int) -> str:
    if value is None:
        return "–"
    shown = number_format(abs(value), decimal_pos=places)
    if float(f"{value:.{places}f}") == 0:
        return shown
    return f"{'+' if value > 0 else '−'}{shown}"


@register.filter
def exact(value: float | None) -> str:
    """For sorting: the number itself, in any language."""
    return "" if value is None else repr(value)
