"""Pages of one campaign: for whom they are, and what all of them show."""

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.decorators import login_required
from django.forms import BaseForm
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from campaigns.models import Campaign, Role
from frontend.access import SignedInRequest, get_campaign_for

READ, POST, FORM = ("GET", "HEAD"), ("POST",), ("GET", "HEAD", "POST")
Rest = ParamSpec("Rest")
CampaignView = Callable[Concatenate[SignedInRequest, Campaign, Rest], HttpResponseBase]


def campaign_view(
    roles: Sequence[Role], methods: Sequence[str] = READ
) -> Callable[[CampaignView[Rest]], Callable[..., HttpResponseBase]]:
    """A view of the campaign in the address, which it gets only for an account with one of the roles."""

    def fetching(view: CampaignView[Rest]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def fetched(request: SignedInRequest, /, slug: str, *place: Rest.args, **rest: Rest.kwargs) -> HttpResponseBase:
            return view(request, get_campaign_for(request.user, slug, *roles), *place, **rest)

        return login_required(require_http_methods(list(methods))(fetched))

    return fetching


def campaign_page(
    request: SignedInRequest,
    campaign: Campaign,
    template: str,
    tab: str,
    context: Mapping[str, Any],
    *,
    organises: bool = True,
    status: int = 200,
) -> HttpResponse:
    """Below the tabs of a campaign, of which `tab` is open; researchers see fewer of them than organisers.

    A `form` that was sent with errors is answered with 422.
    """
    frame = {"campaign": campaign, "tab": tab, "organises": organises}
    form = context.get("form")
    if request.method == "POST" and isinstance(form, BaseForm) and form.errors:
        status = 422
    return render(request, template, {**frame, **context}, status=status)
