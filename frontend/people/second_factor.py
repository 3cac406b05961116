"""The second factor of an organiser: set up and turned off under settings, asked for at sign-in."""

from datetime import datetime
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from campaigns.actions.second_factors import (
    Attempt,
    begin_factor,
    confirm_factor,
    factor_of,
    key_of,
    opens_again_at,
    organises,
    renew_recovery_codes,
    try_code,
    turn_off_factor,
)
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, SecondFactor
from campaigns.one_time_codes import enrolment_address, shown_key
from frontend.access import SignedInRequest
from frontend.campaign_pages import FORM, show_by_field, signed_in
from frontend.people.attempts import forget_guesses, locked_page, may_guess, note_wrong_password
from frontend.sessions import PASSED, SECOND_FACTOR, finish_sign_in, who_is_half_in

WRONG = gettext_lazy("This code is not right, or it was used before. Wait for the next one and enter it.")


class CodeForm(forms.Form):
    code = forms.CharField(
        max_length=40,
        label=gettext_lazy("One-time code"),
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "spellcheck": "false", "autocapitalize": "off"}),
    )

    def __init__(self, data: Any = None, *, hint: object = "", **kwargs: Any) -> None:
        super().__init__(data, label_suffix="", **kwargs)
        self.fields["code"].help_text = str(hint)


class OwnPasswordForm(forms.Form):
    """Who sits at somebody else's open session does not know it. People without a password are not asked."""

    password = forms.CharField(
        label=gettext_lazy("Your password"),
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, data: Any = None, *, account: Account) -> None:
        super().__init__(data, label_suffix="")
        if not account.has_usable_password():
            del self.fields["password"]


# --- at sign-in -------------------------------------------------------------------------------------------------------
@sensitive_post_parameters("code")
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_code(request: HttpRequest) -> HttpResponse:
    """Between the password (or link) and the first page. Sessions from before the setting was on come here too."""
    half = who_is_half_in(request)
    account = request.user if isinstance(request.user, Account) else half[0] if half else None
    if account is None:
        return redirect("sign-in")
    if isinstance(request.user, Account) and (request.session.get(SECOND_FACTOR) == PASSED or not factor_of(account)):
        return redirect("home")
    form = CodeForm(request.POST or None, hint=_("Six digits from your authenticator app, or a recovery code."))
    if request.method == "POST" and form.is_valid():
        attempt = try_code(account=account, code=form.cleaned_data["code"])
        if attempt == Attempt.RIGHT:
            return redirect(_in_at_last(request, half))
        if attempt == Attempt.TOO_MANY:
            return _too_many(request, account)
        form.add_error("code", WRONG)
    return render(request, "people/sign_in_code.html", {"form": form}, status=422 if form.errors else 200)


def _in_at_last(request: HttpRequest, half: Any) -> str:
    if isinstance(request.user, Account):
        request.session[SECOND_FACTOR] = PASSED
        return resolve_url("home")
    return finish_sign_in(request, *half)


def _too_many(request: HttpRequest, account: Account) -> HttpResponse:
    factor = factor_of(account)
    until: datetime = (opens_again_at(factor) if factor else None) or timezone.now()
    return locked_page(request, codes_until=until)


# --- under settings ---------------------------------------------------------------------------------------------------
def is_offered(account: Account) -> bool:
    return settings.SECOND_FACTOR != "off" and (organises(account) or factor_of(account) is not None)


@sensitive_post_parameters("code", "password")
@signed_in(FORM)
def second_factor(request: SignedInRequest) -> HttpResponse:
    if not is_offered(request.user):
        raise Http404
    if request.method != "POST":
        return _page(request)
    step = {"begin": _begin, "confirm": _confirm, "renew": _renew, "off": _turn_off}.get(request.POST.get("do", ""))
    return step(request) if step else _page(request)


def _begin(request: SignedInRequest) -> HttpResponse:
    account = request.user
    form = OwnPasswordForm(request.POST, account=account)
    if not may_guess(request, account):
        return locked_page(request)
    if not form.is_valid():
        return _page(request, begin_form=form)
    if "password" in form.fields and not account.check_password(form.cleaned_data["password"]):
        note_wrong_password(request, account)
        form.add_error("password", _("This is not your password."))
        return _page(request, begin_form=form)
    forget_guesses(request, account)
    begin_factor(account)
    return redirect("settings-second-factor")


def _confirm(request: SignedInRequest) -> HttpResponse:
    form = CodeForm(request.POST)
    if form.is_valid():
        try:
            session = request.session.session_key or ""
            codes = confirm_factor(account=request.user, code=form.cleaned_data["code"], session=session)
        except InvalidInput as error:
            show_by_field(form, error)
        else:
            request.session[SECOND_FACTOR] = PASSED
            return _shown_once(request, codes)
    return _page(request, confirm_form=form)


def _renew(request: SignedInRequest) -> HttpResponse:
    form = CodeForm(request.POST)
    if form.is_valid():
        attempt, codes = renew_recovery_codes(account=request.user, code=form.cleaned_data["code"])
        if attempt == Attempt.RIGHT:
            return _shown_once(request, codes)
        if attempt == Attempt.TOO_MANY:
            return _too_many(request, request.user)
        form.add_error("code", WRONG)
    return _page(request, renew_form=form)


def _turn_off(request: SignedInRequest) -> HttpResponse:
    form = CodeForm(request.POST)
    if _is_required(request.user):
        raise Http404
    if form.is_valid():
        attempt = turn_off_factor(account=request.user, code=form.cleaned_data["code"])
        if attempt == Attempt.RIGHT:
            messages.success(request, _("One-time codes are off. Your password or link alone signs you in."))
            return redirect("settings")
        if attempt == Attempt.TOO_MANY:
            return _too_many(request, request.user)
        form.add_error("code", WRONG)
    return _page(request, off_form=form)


def _is_required(account: Account) -> bool:
    return settings.SECOND_FACTOR == "required" and organises(account)


def _page(request: SignedInRequest, **forms_sent: forms.Form) -> HttpResponse:
    account = request.user
    stored = SecondFactor.objects.filter(account=account).first()
    is_on = stored is not None and stored.confirmed_at is not None
    context: dict[str, object] = {
        "factor": stored if is_on else None,
        "is_required": _is_required(account),
        "begin_form": OwnPasswordForm(account=account),
        "confirm_form": CodeForm(hint=_("Six digits, which the app shows for half a minute.")),
        "renew_form": CodeForm(auto_id="id_renew_%s"),
        "off_form": CodeForm(auto_id="id_off_%s"),
        **forms_sent,
    }
    if stored is not None and not is_on:
        key = key_of(stored)
        address = enrolment_address(key, account=account.username, site=f"Assay ({request.get_host()})")
        context |= {"key": shown_key(key), "picture": qr_code(address)}
    return render(request, "people/second_factor.html", context, status=422 if forms_sent else 200)


def _shown_once(request: SignedInRequest, codes: list[str]) -> HttpResponse:
    return render(request, "people/recovery_codes.html", {"codes": codes})


def qr_code(text: str) -> SafeString:
    """An SVG to put into a page: black on white in any theme, because cameras expect it so. Drawn here, by segno."""
    import segno  # noqa: PLC0415 - only this page needs it

    code = segno.make(text, error="m", micro=False)
    drawn = code.svg_inline(scale=5, border=4, dark="#000", light="#fff", svgclass="qr", lineclass=None)
    return mark_safe(drawn)  # noqa: S308 - paths of squares; the text is not in it
