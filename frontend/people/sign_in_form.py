"""Fields with the names, hints and error links that people and password managers need."""

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.utils.translation import gettext_lazy as _


class SignInForm(AuthenticationForm):
    """Django's own check (which tells the attempt counter) under our words."""

    error_messages = {
        "invalid_login": _("That name and password do not match."),
        "inactive": _("This account has been closed. Ask your organiser."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        self.fields["username"].label = _("Name")
        self.fields["username"].widget.attrs |= {"class": "input", "spellcheck": "false", "autocomplete": "username"}
        self.fields["password"].widget = forms.PasswordInput(
            attrs={"class": "input", "autocomplete": "current-password"}
        )
        if self.errors:
            for field in self.fields.values():
                field.widget.attrs |= {"aria-invalid": "true", "aria-describedby": "sign-in-error"}
