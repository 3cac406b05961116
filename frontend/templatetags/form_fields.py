"""How a form's fields are drawn: with the design's classes. Django itself ties hints and errors to their control."""

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
    attributes: dict[str, str | bool] = {
        "class": "input short" if isinstance(field.field, forms.IntegerField) else "input"
    }
    widget = field.field.widget
    if isinstance(widget, forms.Textarea) and widget.attrs.get("rows") in (None, "10"):  # what Django gives
        attributes["rows"] = "5"
    return field.as_widget(attrs=attributes)
