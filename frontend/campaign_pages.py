"""Pages of people who are signed in, most of one campaign: whom they are for, their frame, errors of an action."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from campaigns.invalid_input import AccountError, InvalidInput
from campaigns.models import Campaign, Role
from frontend.access import SignedInRequest, get_campaign_for
from jobs.run_kinds import InvalidRun

READ, POST, FORM = ("GET", "HEAD"), ("POST",), ("GET", "HEAD", "POST")
Rest = ParamSpec("Rest")
View = TypeVar("View", bound=Callable[..., HttpResponseBase])
CampaignView = Callable[Concatenate[SignedInRequest, Campaign, Rest], HttpResponseBase]


def signed_in(methods: Sequence[str]) -> Callable[[View], View]:
    """A view for everybody who is signed in."""

    def limited(view: View) -> View:
        return login_required(require_http_methods(list(methods))(view))

    return limited


def campaign_view(
    roles: Sequence[Role], methods: Sequence[str] = READ
) -> Callable[[CampaignView[Rest]], Callable[..., HttpResponseBase]]:
    """A view of the campaign in the address, which it gets only for an account with one of the roles."""

    def fetching(view: CampaignView[Rest]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def fetched(request: SignedInRequest, /, slug: str, *place: Rest.args, **rest: Rest.kwargs) -> HttpResponseBase:
            return view(request, get_campaign_for(request.user, slug, *roles), *place, **rest)

        return signed_in(methods)(fetched)

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


def show_by_field(form: BaseForm, error: InvalidInput) -> None:
    """An action's errors beside the fields that they are of, others above the form."""
    for name, several in error.errors.items():
        for message in several:
            form.add_error(name if name in form.fields else None, message)


@dataclass(frozen=True)
class ErrorsShown:
    """`with ErrorsShown(form):` shows an action's error above the form; of a request, as a message on the next page."""

    on: BaseForm | HttpRequest

    def __enter__(self) -> None:
        pass

    def __exit__(self, _type: object, error: BaseException | None, _traceback: object) -> bool:
        if not isinstance(error, InvalidInput | AccountError | InvalidRun):
            return False
        if isinstance(self.on, BaseForm):
            self.on.add_error(None, str(error))
        else:
            messages.error(self.on, str(error))
        return True
