"""In with name and password, and out again."""

from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from frontend.people.attempts import locked_page, tries_many_names
from frontend.people.sign_in_form import SignInForm
from frontend.sessions import sign_in_by_password


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
    sign_in_by_password(request, form.get_user())
    return redirect(after)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    logout(request)
    return redirect("sign-in")


def _place_after(request: HttpRequest) -> str:
    """Where to go on: a page of this site, never another host's."""
    asked = request.POST.get("next") or request.GET.get("next") or ""
    if url_has_allowed_host_and_scheme(asked, {request.get_host()}, require_https=request.is_secure()):
        return asked
    return resolve_url("home")
