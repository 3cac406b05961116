"""An account's own settings: name, appearance, keys, password, and the way out."""

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from campaigns.actions import change_password, update_settings
from campaigns.models import Account
from frontend.access import SignedInRequest
from frontend.people.settings_forms import SettingsForm, password_form


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings_page(request: SignedInRequest) -> HttpResponse:
    if request.method != "POST":
        return _page(request, SettingsForm(instance=request.user))
    form = SettingsForm(request.POST, instance=_copy_of(request.user))
    if not form.is_valid():
        return _page(request, form)
    update_settings(account=request.user, **form.cleaned_data)
    messages.success(request, _("Your settings are saved."))
    return redirect("settings")


@sensitive_post_parameters()
@login_required
@require_POST
def set_password(request: SignedInRequest) -> HttpResponse:
    form = password_form(request.user, request.POST)
    if not form.is_valid():
        return _page(request, SettingsForm(instance=request.user), form)
    account = change_password(account=request.user, password=form.cleaned_data["new_password1"])
    update_session_auth_hash(request, account)
    messages.success(request, _("Your password is changed. Other devices are signed out."))
    return redirect("settings")


def _page(request: SignedInRequest, form: SettingsForm, password: object = None) -> HttpResponse:
    context = {"form": form, "password_form": password or password_form(request.user)}
    return render(request, "people/settings.html", context)


def _copy_of(account: Account) -> Account:
    """A form that fails must not leave its values on the account the page is drawn for."""
    return Account.objects.get(pk=account.pk)
