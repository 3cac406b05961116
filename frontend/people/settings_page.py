"""An account's own settings: name, appearance, keys, password, where it is signed in, and the way out."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from campaigns.actions.accounts import LinkError, change_password, set_first_password, update_settings
from campaigns.actions.endings import end_session
from campaigns.actions.second_factors import factor_of
from campaigns.actions.tokens import revoke_api_token
from campaigns.invalid_input import AccountError
from campaigns.models import Account, ApiToken, Session
from campaigns.queries import open_sessions, valid_tokens
from frontend.access import SignedInRequest, get_own
from frontend.campaign_pages import FORM, POST, signed_in
from frontend.people.attempts import forget_guesses, locked_page, may_guess, note_wrong_password
from frontend.people.languages import is_draft
from frontend.people.second_factor import is_offered


class SettingsForm(forms.ModelForm):  # type: ignore[type-arg]  # generic for the checker alone
    class Meta:
        model = Account
        fields = ["name", "email", "theme", "single_keys"]
        labels = {
            "name": gettext_lazy("Name shown to the organiser"),
            "email": gettext_lazy("E-mail address"),
            "theme": gettext_lazy("Appearance"),
        }
        help_texts = {"email": gettext_lazy("Organisers of your campaigns see it, and may write to you.")}
        widgets = {
            "name": forms.TextInput(attrs={"autocomplete": "name"}),
            "email": forms.EmailInput(attrs={"autocomplete": "email", "dir": "ltr"}),
            "theme": forms.RadioSelect,
            "single_keys": forms.CheckboxInput(attrs={"aria-describedby": "single-keys-hint"}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""


class FirstPasswordForm(SetPasswordForm):  # type: ignore[type-arg]  # generic for the checker alone
    """People who came by a link must show it again, because somebody else at an open session has none."""

    link = forms.CharField(max_length=500, widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}))
    field_order = ["link", "new_password1", "new_password2"]


def password_form(account: Account, data: Any = None) -> "SetPasswordForm[Account]":
    """People with a password enter it first; people who came by invitation set their first one."""
    kind = PasswordChangeForm if account.has_usable_password() else FirstPasswordForm
    form = kind(account, data, label_suffix="")
    labels = {
        "link": _("Your invitation link"),
        "old_password": _("Current password"),
        "new_password1": _("New password"),
        "new_password2": _("Repeat the new password"),
    }
    for name, field in form.fields.items():
        field.label, field.help_text = labels[name], ""
        field.widget.attrs.pop("autofocus", None)
    if "link" in form.fields:
        form.fields["link"].help_text = _(
            "Paste the invitation link that you opened to come here. It proves that the account is yours."
        )
    form.fields["new_password1"].help_text = _("At least ten characters, and not a common password.")
    return form


@signed_in(FORM)
def settings_page(request: SignedInRequest) -> HttpResponse:
    if request.method != "POST":
        return _page(request, SettingsForm(instance=request.user))
    # A form with errors must not leave its values on the account the page is drawn for.
    form = SettingsForm(request.POST, instance=Account.objects.get(pk=request.user.pk))
    if not form.is_valid():
        return _page(request, form)
    update_settings(account=request.user, **form.cleaned_data)
    messages.success(request, _("Your settings are saved."))
    return redirect("settings")


@sensitive_post_parameters()
@signed_in(POST)
def set_password(request: SignedInRequest) -> HttpResponse:
    form = password_form(request.user, request.POST)
    if not settings.PASSWORDS:
        raise Http404
    if not may_guess(request, request.user):
        return locked_page(request)
    if form.has_error("old_password", "password_incorrect"):
        note_wrong_password(request, request.user)
    if not form.is_valid() or not _is_password_stored(request, form):
        return _page(request, SettingsForm(instance=request.user), form)
    forget_guesses(request, request.user)
    update_session_auth_hash(request, request.user)
    is_first = "link" in form.fields
    messages.success(
        request,
        _("Your password is set. Other devices are signed out.")
        if is_first
        else _(
            "Your password is changed. Other devices are signed out, "
            "and tokens created with the old password no longer work."
        ),
    )
    return redirect("settings")


@signed_in(POST)
def end_own_session(request: SignedInRequest, pk: int) -> HttpResponse:
    end_session(session=get_own(Session, request.user, pk), by=request.user)
    messages.success(request, _("That device is signed out."))
    return redirect(f"{resolve_url('settings')}#access")


@signed_in(POST)
def end_own_token(request: SignedInRequest, pk: int) -> HttpResponse:
    token = revoke_api_token(token=get_own(ApiToken, request.user, pk), by=request.user)
    messages.success(request, _("The token “%(name)s” is revoked.") % {"name": token.name})
    return redirect(f"{resolve_url('settings')}#access")


def _is_password_stored(request: SignedInRequest, form: Any) -> bool:
    """Stores it for the signed-in account, whose session stays; otherwise the form has the error."""
    fields, session = form.cleaned_data, request.session.session_key
    try:
        if "link" in fields:
            password, link = fields["new_password1"], fields["link"]
            set_first_password(account=request.user, password=password, link=link, session=session)
        else:
            change_password(account=request.user, password=fields["new_password1"], session=session)
    except AccountError as error:
        form.add_error("link" if isinstance(error, LinkError) else None, error.messages)
    return not form.errors


def _page(request: SignedInRequest, form: SettingsForm, password: object = None) -> HttpResponse:
    context = {
        "form": form,
        "password_form": password or password_form(request.user),
        "sessions": open_sessions(request.user),
        "this_session": request.session.session_key,
        "provider": settings.PROVIDER_LABEL if settings.PROVIDER_ISSUER else "",
        "identity": request.user.identities.first() if settings.PROVIDER_ISSUER else None,
        "has_passwords": settings.PASSWORDS,
        "may_disconnect": settings.PASSWORDS and request.user.has_usable_password(),
        "offers_codes": is_offered(request.user),
        "asks_codes": settings.SECOND_FACTOR != "off" and factor_of(request.user) is not None,
        "is_draft": is_draft(get_language() or ""),
        "tokens": valid_tokens(request.user).select_related("handed_out_for", "made_with"),
    }
    return render(request, "people/settings.html", context)
