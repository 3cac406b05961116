"""What all views of the annotator's API share."""

from typing import Any, cast

from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import status
from rest_framework.exceptions import APIException, PermissionDenied
from rest_framework.permissions import SAFE_METHODS, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.actions import CampaignError, NotTheirsAnyMore
from annotation.practice import must_practise
from campaigns.models import Account, Membership, Scope
from frontend.access import has_withdrawn
from frontend.api.json_body import require_length
from frontend.api.scopes import HasScope


class ConsentWithdrawn(APIException):
    status_code = status.HTTP_410_GONE
    default_detail = gettext_lazy("Consent to this campaign was withdrawn. Its answers are kept no longer.")
    default_code = "consent_withdrawn"


class AnnotatorView(APIView):
    # no docstring: the schema would repeat it as the description of every address
    permission_classes = [IsAuthenticated, HasScope]
    scopes = dict.fromkeys((*SAFE_METHODS, "POST", "PUT"), Scope.JUDGE)

    @property
    def account(self) -> Account:
        return cast("Account", self.request.user)

    def require_consent(self, *, given: bool) -> None:
        """Who was given a token has agreed already; who comes by a page agrees there."""
        if self.request.auth is None and not given:
            raise PermissionDenied(_("Read the guidelines of this campaign and agree to take part first."))

    def require_practice(self, membership: Membership) -> None:
        """As with consent: an organiser who hands out a token answers for the program."""
        if self.request.auth is None and must_practise(membership):
            raise PermissionDenied(_("Pass the practice of this campaign first."))

    def handle_exception(self, exc: Exception) -> Response:
        """Answers of who has withdrawn are not taken any more, and nobody is left to decide about them."""
        is_refused = isinstance(exc, Http404 | PermissionDenied | CampaignError | NotTheirsAnyMore)
        if is_refused and has_withdrawn(self.request.user, **self.kwargs):
            return super().handle_exception(ConsentWithdrawn())
        return super().handle_exception(Http404() if isinstance(exc, NotTheirsAnyMore) else exc)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        require_length(request)
