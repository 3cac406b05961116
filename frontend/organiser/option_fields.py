"""A form's fields for the options of a protocol, from what its dataclass says of them."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from annotation.protocols import PROTOCOLS
from annotation.protocols.base import Protocol


class PairsField(forms.CharField):
    """Lines of "number words", as the tuple of pairs an option wants."""

    widget = forms.Textarea

    def prepare_value(self, value: object) -> object:
        if isinstance(value, (list, tuple)):
            return "\n".join(f"{place} {label}" for place, label in value)
        return value

    def to_python(self, value: Any) -> Any:
        lines = [line.strip() for line in str(value or "").splitlines() if line.strip()]
        pairs = []
        for line in lines:
            place, _space, label = line.partition(" ")
            if not place.isdigit():
                raise ValidationError(_("“%(line)s” does not begin with a number.") % {"line": line})
            pairs.append((int(place), label.strip()))
        return tuple(pairs)


def field_name(protocol: str, option: str) -> str:
    return f"{protocol}-{option}"


def option_fields(protocol: type[Protocol[Any]]) -> dict[str, forms.Field]:
    """One form field an option, named `<protocol>-<option>`."""
    made: dict[str, forms.Field] = {}
    for option in fields(protocol.options_class):
        words = {"label": option.metadata["label"], "help_text": option.metadata["hint"], "required": False}
        made[field_name(protocol.name, option.name)] = (
            forms.CharField(widget=forms.Textarea, **words)
            if option.metadata["has_lines"]
            else _field_for(option.default, option.metadata["choices"], words)
        )
    return made


def _field_for(default: object, choices: tuple[tuple[str, Any], ...], words: Mapping[str, Any]) -> forms.Field:
    if choices:
        coerce = int if isinstance(default, int) else str
        widget = forms.RadioSelect
        return forms.TypedChoiceField(choices=choices, coerce=coerce, initial=default, widget=widget, **words)
    if isinstance(default, bool):
        return forms.BooleanField(initial=default, **words)
    if isinstance(default, tuple):
        return PairsField(initial=default, **words)
    return forms.CharField(initial=default, **words)


def chosen_options(protocol: str, cleaned: Mapping[str, Any]) -> dict[str, Any]:
    """What a filled form says of one protocol's options; what was left empty keeps its default."""
    chosen = {}
    for option in fields(PROTOCOLS[protocol].options_class):
        value = cleaned.get(field_name(protocol, option.name))
        if value not in (None, ""):
            chosen[option.name] = value
    return chosen
