"""What people say about themselves, and a new password."""

from typing import Any

from django import forms
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.utils.translation import gettext_lazy as _

from campaigns.models import Account


class SettingsForm(forms.ModelForm):  # type: ignore[type-arg]  # generic for the checker alone
    class Meta:
        model = Account
        fields = ["name", "theme", "single_keys"]
        labels = {"name": _("Name shown to the organiser"), "theme": _("Appearance")}
        widgets = {
            "name": forms.TextInput(attrs={"autocomplete": "name"}),
            "theme": forms.RadioSelect,
            "single_keys": forms.CheckboxInput(attrs={"aria-describedby": "single-keys-hint"}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""


class FirstPasswordForm(SetPasswordForm):  # type: ignore[type-arg]  # generic for the checker alone
    """Who came by a link shows it again: whoever sits at an open session has none."""

    link = forms.CharField(max_length=500, widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}))
    field_order = ["link", "new_password1", "new_password2"]


def password_form(account: Account, data: Any = None) -> "SetPasswordForm[Account]":
    """Whoever has a password shows it first; whoever came by invitation sets the first one."""
    kind = PasswordChangeForm if account.has_usable_password() else FirstPasswordForm
    form = kind(account, data, label_suffix="")
    labels = {
        "link": _("Your invitation link"),
        "old_password": _("Current password"),
        "new_password1": _("New password"),
        "new_password2": _("New password again"),
    }
    for name, field in form.fields.items():
        field.label, field.help_text = labels[name], ""
        field.widget.attrs.pop("autofocus", None)
    if "link" in form.fields:
        form.fields["link"].help_text = _(
            "Paste the link that you opened to come here. It shows that the account is yours."
        )
    form.fields["new_password1"].help_text = _("At least ten characters, and not a password that many use.")
    return form
