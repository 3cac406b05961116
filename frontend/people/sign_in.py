"""In with name and password, out again, and from a campaign's address to where one begins."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth.forms import AuthenticationForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from campaigns.site_address import site_address
from frontend.access import READS_RESULTS, RUNS_IT, SignedInRequest, get_campaign_for, has_role
from frontend.campaign_pages import READ, signed_in
from frontend.people.attempts import locked_page, tries_many_names
from frontend.sessions import came_by_provider, place_after, sign_in_by_password


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
    after = place_after(request)
    if request.user.is_authenticated:
        return redirect(after)
    if request.method != "POST" or not settings.PASSWORDS:
        return _page(request, SignInForm(request), after)
    if tries_many_names(request):
        return locked_page(request, many_names=True)
    form = SignInForm(request, data=request.POST)
    if not form.is_valid():
        return _page(request, form, after)
    return redirect(sign_in_by_password(request, form.get_user(), after))


def _page(request: HttpRequest, form: SignInForm, after: str) -> HttpResponse:
    context = {
        "form": form,
        "next": after,
        "has_passwords": settings.PASSWORDS,
        "provider": settings.PROVIDER_LABEL if settings.PROVIDER_ISSUER else "",
    }
    return render(request, "people/sign_in.html", context)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """Here; and a link to sign out at the provider, which others at this device may not want to find open."""
    leads_there = bool(settings.PROVIDER_ISSUER) and came_by_provider(request)
    logout(request)
    if leads_there:
        from frontend.people.openid import sign_out_address  # noqa: PLC0415 - a large library, for those who need it

        if there := sign_out_address(site_address(resolve_url("sign-in"))):
            return render(request, "people/signed_out.html", {"there": there, "provider": settings.PROVIDER_LABEL})
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
