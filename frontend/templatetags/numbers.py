"""Numbers on results pages: fixed decimals, a true minus, a dash for a missing one."""

from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache

from django import template
from django.utils.formats import number_format
from django.utils.translation import get_language, get_language_bidi

from metrics.results.values import Missing, Number

register = template.Library()

LEFT_TO_RIGHT = "\u200e"


def _rounded(value: float, places: int) -> str:
    """Django's own formatting cuts decimals off; a number on a page is rounded."""
    return _written(f"{value:.{places}f}", places, get_language())


@lru_cache(maxsize=10_000)
def _written(digits: str, places: int, _language: str | None) -> str:
    """As the language writes it; the same few digits come again and again in a table."""
    return number_format(Decimal(digits), decimal_pos=places)


@register.filter
def decimals(value: Number | None, places: int) -> str:
    if value is None or isinstance(value, Missing):
        return "–"
    return decimals_writer(places)(value)


def decimals_writer(places: int) -> Callable[[float], str]:
    """For all numbers of a column, which asks once what the language is."""
    language = get_language()

    def write(value: float) -> str:
        digits = f"{abs(value):.{places}f}"
        shown = _written(digits, places, language)
        return shown if value >= 0 or float(digits) == 0 else _led_by("−", shown)

    return write


@register.filter
def point(value: float) -> str:
    """A point of a scale, or halfway between two."""
    return decimals(value, 0 if float(value).is_integer() else 1)


@register.filter
def signed(value: Number | None, places: int) -> str:
    shown = decimals(value, places)
    is_above = value is not None and not isinstance(value, Missing) and float(f"{value:.{places}f}") > 0
    return _led_by("+", shown) if is_above else shown


def _led_by(sign: str, shown: str) -> str:
    """In a line from right to left a sign would be drawn behind its number without this mark."""
    return f"{LEFT_TO_RIGHT if get_language_bidi() else ''}{sign}{shown}"


@register.filter
def p_value(value: float | None) -> str:
    """To the thousandth; smaller ones are "< 0.001", never zero."""
    if value is None:
        return "–"
    return f"< {_rounded(0.001, 3)}" if value < 0.001 else _rounded(value, 3)
