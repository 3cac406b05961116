"""How a form's fields are drawn: the design's classes, and hints and errors tied to their control."""

from django import forms, template
from django.forms import BoundField
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def is_choices(field: BoundField) -> bool:
    """Or a row of boxes: several choices, drawn alike."""
    return isinstance(field.field.widget, (forms.RadioSelect, forms.CheckboxSelectMultiple))


@register.filter
def is_switch(field: BoundField) -> bool:
    return isinstance(field.field.widget, forms.CheckboxInput)


@register.simple_tag
def styled(field: BoundField) -> SafeString:
    attributes: dict[str, str | bool] = {"class": "input"}
    if isinstance(field.field, forms.IntegerField):
        attributes["class"] = "input short"
    widget = field.field.widget
    if isinstance(widget, forms.Textarea) and widget.attrs.get("rows") in (None, "10"):  # what Django gives
        attributes["rows"] = "5"
    described = [f"{field.id_for_label}-hint"] if field.help_text else []
    if field.errors:
        attributes["aria-invalid"] = "true"
        described.append(f"{field.id_for_label}-error")
    if described:
        attributes["aria-describedby"] = " ".join(described)
    return field.as_widget(attrs=attributes)
