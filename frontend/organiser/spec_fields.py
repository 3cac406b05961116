"""A form's fields for a campaign: parameters of the spec and options of protocols, from what their dataclasses say."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from annotation.campaign_spec import CampaignSpec, Parameter, parameters_in
from annotation.protocols import PROTOCOLS
from annotation.protocols.base import Protocol

MOST_SIDE_BY_SIDE = 4  # choices that have room beside one another
LONGEST_LINE = 2_000  # of characters; what may be longer is a text of several lines


def parameter_field(parameter: Parameter) -> forms.Field:
    """An empty field has the parameter's default."""
    words: dict[str, Any] = {"label": parameter.label, "help_text": parameter.hint, "required": False}
    match parameter.kind:
        case "number":
            words |= {"min_value": parameter.low, "max_value": parameter.high}
            return forms.IntegerField(initial=parameter.default, **words)
        case "share":
            return forms.IntegerField(initial=round(100 * parameter.default), min_value=0, max_value=100, **words)
        case "limit":
            return forms.FloatField(initial=parameter.default, min_value=0, **words)
        case "choice":
            is_short = parameter.is_of_plan and len(parameter.choices) <= MOST_SIDE_BY_SIDE
            widget = forms.RadioSelect if is_short else forms.Select
            return forms.ChoiceField(initial=parameter.default, choices=parameter.choices, widget=widget, **words)
        case "text":
            text = (forms.Textarea if parameter.high > LONGEST_LINE else forms.TextInput)({"dir": "auto"})
            return forms.CharField(max_length=parameter.high, strip=False, widget=text, **words)


def initial_parameters(spec: CampaignSpec) -> dict[str, Any]:
    """The fields for entering a campaign's parameters again."""
    values = {each: getattr(spec, each.name) for each in parameters_in("form")}
    return {each.short_name: round(100 * value) if each.kind == "share" else value for each, value in values.items()}


def chosen_parameters(cleaned: Mapping[str, Any]) -> dict[str, Any]:
    """The spec's parameters in a filled form; empty ones have their defaults."""
    values = {each: cleaned.get(each.short_name) for each in parameters_in("form")}
    return {
        each.name: value / 100 if each.kind == "share" else value
        for each, value in values.items()
        if value not in (None, "")
    }


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


class OwnTextField(forms.CharField):
    """A text in place of a choice: typed, pasted, or taken from a file by the page's script."""

    widget = forms.Textarea
    takes_file = ".json,application/json"


def field_name(protocol: str, option: str) -> str:
    return f"{protocol}-{option}"


def _own_name(protocol: str, option: str) -> str:
    return f"{field_name(protocol, option)}-own"


def option_fields(protocol: type[Protocol[Any]]) -> dict[str, forms.Field]:
    """One form field for each option, named `<protocol>-<option>`; `-own` is an alternative to a choice."""
    form_fields: dict[str, forms.Field] = {}
    for option in fields(protocol.options_class):
        kind = option.metadata
        words = {"label": kind["label"], "help_text": kind["hint"], "required": False}
        if kind["has_lines"]:
            field: forms.Field = forms.CharField(widget=forms.Textarea, **words)
        elif kind["takes_several"]:
            widget = forms.CheckboxSelectMultiple
            field = forms.MultipleChoiceField(choices=kind["choices"], initial=option.default, widget=widget, **words)
        else:
            field = _field_for(option.default, kind["choices"], words)
        form_fields[field_name(protocol.name, option.name)] = field
        if kind["has_own"]:
            hint = _("Leave empty to use the choice above.")
            own = OwnTextField(label=kind["has_own"], help_text=hint, required=False)
            form_fields[_own_name(protocol.name, option.name)] = own
    return form_fields


def _field_for(default: object, choices: tuple[tuple[str, Any], ...], words: Mapping[str, Any]) -> forms.Field:
    if choices:
        coerce = int if isinstance(default, int) else str
        widget = forms.RadioSelect
        return forms.TypedChoiceField(choices=choices, coerce=coerce, initial=default, widget=widget, **words)
    if isinstance(default, bool):
        return forms.BooleanField(initial=default, **words)
    if isinstance(default, int):
        return forms.IntegerField(initial=default, **words)
    if isinstance(default, tuple):
        return PairsField(initial=default, **words)
    return forms.CharField(initial=default, **words)


def initial_options(protocol: Protocol[Any]) -> dict[str, Any]:
    """The fields for entering a campaign's options again."""
    typed = protocol.options.as_typed()
    filled: dict[str, Any] = {}
    for option in fields(protocol.options_class):
        value, kind = typed[option.name], option.metadata
        is_own = bool(kind["has_own"]) and value not in dict(kind["choices"])
        name = _own_name if is_own else field_name
        filled[name(protocol.name, option.name)] = value
    return filled


def place_of_error(protocol: str, option: str, cleaned: Mapping[str, Any]) -> str:
    """The form field for an option's errors."""
    own = _own_name(protocol, option)
    return own if cleaned.get(own) else field_name(protocol, option)


def chosen_options(protocol: str, cleaned: Mapping[str, Any]) -> dict[str, Any]:
    """One protocol's options in a filled form; empty ones have their defaults."""
    chosen = {}
    for option in fields(PROTOCOLS[protocol].options_class):
        value = cleaned.get(_own_name(protocol, option.name)) or cleaned.get(field_name(protocol, option.name))
        if value not in (None, ""):
            chosen[option.name] = value
    return chosen
