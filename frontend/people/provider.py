"""Signing in by a provider (OpenID Connect), and connecting an account with it; only where the operator says so."""

from collections.abc import Callable
from dataclasses import asdict
from functools import wraps
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_safe

from campaigns.actions.identities import (
    IdentityRefused,
    ProvedPerson,
    Refused,
    connect_person,
    disconnect,
    sign_in_person,
)
from campaigns.invalid_input import AccountError
from campaigns.models import Account
from frontend.access import SignedInRequest
from frontend.campaign_pages import FORM, POST, READ, signed_in
from frontend.people.attempts import forget_guesses, locked_page, may_guess, note_wrong_password
from frontend.sessions import place_after, sign_in_by_provider

View = Callable[..., HttpResponse]
_WAITING = "provider_person"  # of the session: who came back, until the account's owner says yes


def _if_there(view: View) -> View:
    """Every error of the provider, or of who it says somebody is, is a page in words."""

    @wraps(view)
    def guarded(request: HttpRequest, *place: Any, **rest: Any) -> HttpResponse:
        if not settings.PROVIDER_ISSUER:
            raise Http404
        from frontend.people.openid import ProviderError  # noqa: PLC0415 - a large library, for those who need it

        try:
            return view(request, *place, **rest)
        except ProviderError as error:
            return _refused(request, *_words_of(error.problem.name))
        except IdentityRefused as error:
            return _refused(request, *_words_of(error.reason.name))

    return guarded


@require_safe
@_if_there
def provider_sign_in(request: HttpRequest) -> HttpResponse:
    from frontend.people import openid  # noqa: PLC0415 - as above

    after = place_after(request)
    if request.user.is_authenticated:
        return redirect(after)
    return openid.begin(request, after=after, connects=0)


@require_safe
@_if_there
def provider_callback(request: HttpRequest) -> HttpResponse:
    from frontend.people import openid  # noqa: PLC0415 - as above

    flow = openid.take_flow(request)
    person = openid.person_of(request, flow)
    if flow["connects"]:
        if request.user.pk != flow["connects"]:
            raise openid.ProviderError(openid.Problem.NOT_BEGUN, "another account is signed in now")
        request.session[_WAITING] = asdict(person)
        return redirect("settings-provider")
    return redirect(sign_in_by_provider(request, sign_in_person(person), flow["after"]))


# --- under settings ---------------------------------------------------------------------------------------------------
class ProofForm(forms.Form):
    """Who sits at somebody else's open session has neither the password nor the link."""

    password = forms.CharField(
        label=gettext_lazy("Your password"), widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )
    link = forms.CharField(
        label=gettext_lazy("Your invitation link"),
        max_length=500,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text=gettext_lazy("Paste the invitation link that you opened to come here."),
    )

    def __init__(self, data: Any = None, *, account: Account) -> None:
        super().__init__(data, label_suffix="")
        del self.fields["link" if account.has_usable_password() else "password"]


@signed_in(READ)
@_if_there
def connect_begin(request: SignedInRequest) -> HttpResponse:
    """A link, not a form: pages may send forms to this site only, and a redirect counts as sending."""
    from frontend.people import openid  # noqa: PLC0415 - as above

    return openid.begin(request, after=resolve_url("settings"), connects=request.user.pk)


@sensitive_post_parameters("password", "link")
@signed_in(FORM)
@_if_there
def connect(request: SignedInRequest) -> HttpResponse:
    """Nothing is connected before the account's owner has seen as whom they came back, and has proved to be it."""
    stored = request.session.get(_WAITING)
    if stored is None:
        return redirect("settings")
    person = ProvedPerson(**stored)
    form = ProofForm(request.POST if request.method == "POST" else None, account=request.user)
    if request.method == "POST":
        if not may_guess(request, request.user):
            return locked_page(request)
        if form.is_valid() and _is_connected(request, form, person):
            del request.session[_WAITING]
            messages.success(request, _("Connected. From now on you can sign in with %s.") % settings.PROVIDER_LABEL)
            return redirect("settings")
    context = {"person": person, "form": form, "label": settings.PROVIDER_LABEL}
    return render(request, "people/connect.html", context, status=422 if form.errors else 200)


def _is_connected(request: SignedInRequest, form: ProofForm, person: ProvedPerson) -> bool:
    account, proof = request.user, form.cleaned_data
    if "password" in proof and not account.check_password(proof["password"]):
        note_wrong_password(request, account)
        form.add_error("password", _("This is not your password."))
        return False
    forget_guesses(request, account)
    try:
        connect_person(account=account, person=person, link=proof.get("link", ""))
    except AccountError as error:
        form.add_error("link", error.messages)
    return not form.errors


@signed_in(POST)
@_if_there
def end_connection(request: SignedInRequest) -> HttpResponse:
    """Only where another way in is left."""
    if request.user.has_usable_password() and settings.PASSWORDS:
        disconnect(request.user)
        messages.success(request, _("Disconnected. You sign in with your password."))
    return redirect("settings")


def _refused(request: HttpRequest, status: int, title: str, text: str) -> HttpResponse:
    context = {"title": title, "text": text}
    return render(request, "people/provider_refused.html", context, status=status)


def _words_of(name: str) -> tuple[int, str, str]:
    """Status, title and what to do."""
    label, domains = settings.PROVIDER_LABEL, ", ".join(settings.PROVIDER_DOMAINS)
    titles = {
        "UNREACHABLE": (503, _("%s does not answer") % label, _("Try again in a few minutes.")),
        "NOT_BEGUN": (
            400,
            _("This sign-in has expired"),
            _("It was begun too long ago, in another browser, or was used already. Begin again."),
        ),
        "DENIED": (403, _("You were not signed in"), _("%s did not let you in, or you cancelled.") % label),
        "NOT_VERIFIED": (
            400,
            _("The answer could not be verified"),
            _("Nothing was changed. Begin again. If it happens again, tell whoever runs this site."),
        ),
        Refused.DOMAIN.name: (
            403,
            _("Your e-mail address does not let you in"),
            _("Only verified addresses of %s may sign in here.") % domains,
        ),
        Refused.NO_ACCOUNT.name: (
            403,
            _("You have no account here"),
            _("Ask your organiser for an invitation link. Afterwards you can connect it under Settings."),
        ),
        Refused.CLOSED.name: (403, _("This account has been closed"), _("Ask your organiser.")),
        Refused.TAKEN.name: (
            409,
            _("Connected with another account"),
            _("You have another account here that you sign in to with %s. Disconnect it there first.") % label,
        ),
    }
    return titles[name]
