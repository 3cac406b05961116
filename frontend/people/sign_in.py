"""In with name and password, out again, and from a campaign's address to where one begins."""

from typing import Any

from django import forms
from django.contrib.auth import logout
from django.contrib.auth.forms import AuthenticationForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from frontend.access import READS_RESULTS, RUNS_IT, SignedInRequest, get_campaign_for, has_role
from frontend.campaign_pages import READ, signed_in
from frontend.people.attempts import locked_page, tries_many_names
from frontend.sessions import sign_in_by_password


class SignInForm(AuthenticationForm):
    """Django's own check (which informs the attempt counter) with our messages."""

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


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    after = _place_after(request)
    if request.user.is_authenticated:
        return redirect(after)
    if request.method != "POST":
        return render(request, "people/sign_in.html", {"form": SignInForm(request), "next": after})
    if tries_many_names(request):
        return locked_page(request, many_names=True)
    form = SignInForm(request, data=request.POST)
    if not form.is_valid():
        return render(request, "people/sign_in.html", {"form": form, "next": after})
    return redirect(sign_in_by_password(request, form.get_user(), after))


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    logout(request)
    return redirect("sign-in")


@signed_in(READ)
def campaign_start(request: SignedInRequest, slug: str) -> HttpResponse:
    """Everybody is led to where they begin."""
    campaign = get_campaign_for(request.user, slug)
    if has_role(request.user, campaign, *RUNS_IT):
        return redirect("organiser-overview", slug)
    if has_role(request.user, campaign, *READS_RESULTS):
        return redirect("researcher-results", slug)
    return redirect("home")


def _place_after(request: HttpRequest) -> str:
    """Where to go on: a page of this site, never another host's."""
    address = request.POST.get("next") or request.GET.get("next") or ""
    if url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure()):
        return address
    return resolve_url("home")
