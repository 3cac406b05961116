"""What an annotator agrees to before the first item."""

from django import forms
from django.utils.translation import gettext_lazy as _


class ConsentForm(forms.Form):
    name = forms.CharField(
        label=_("Name shown to the organiser"),
        help_text=_("Optional; never published."),
        max_length=150,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    agree = forms.BooleanField(
        label=_("I agree that my answers are recorded and published as described."),
        error_messages={
            "required": _("Tick the box to begin, or leave the page if you do not agree. Nothing has been recorded.")
        },
    )
