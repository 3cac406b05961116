"""What all views of the annotator's API share."""

from typing import Any, cast

from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import status
from rest_framework.exceptions import APIException, NotAuthenticated, NotFound, PermissionDenied
from rest_framework.permissions import SAFE_METHODS, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.actions import NotTheirsAnyMore
from annotation.queries.practice import must_practise
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Membership, Scope
from frontend.access import has_withdrawn, was_removed
from frontend.api.authentication import HasScope, Refusal
from frontend.api.json_body import require_length
from frontend.sessions import who_was_in

ACCOUNT_HEADER = "Assay-Account"  # of a refusal: a page that was kept for another account is not for whoever asks


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
        """By page or token: a token has the consent of who made it; for a program its organiser consented."""
        if not given:
            refusal = _("Read the guidelines of this campaign and agree to take part first.")
            raise PermissionDenied(refusal, code=Refusal.CONSENT_NEEDED)

    def require_practice(self, membership: Membership) -> None:
        """People and programs alike."""
        if must_practise(membership):
            raise PermissionDenied(_("Pass the practice of this campaign first."), code=Refusal.PRACTICE_NEEDED)

    def handle_exception(self, exc: Exception) -> Response:
        """Who took their consent back, or was removed, is told so, whatever else would refuse them; only then asked."""
        refused = (Http404, NotFound, PermissionDenied, NotAuthenticated, InvalidInput, NotTheirsAnyMore)
        account = self._who_asks() if isinstance(exc, refused) else None
        if has_withdrawn(account, **self.kwargs):
            exc = ConsentWithdrawn()  # nobody is left to decide about their answers
        elif was_removed(account, **self.kwargs):
            refusal = _("You are no longer part of this campaign. Ask your organiser.")
            exc = PermissionDenied(refusal, code=Refusal.ACCESS_ENDED)
        response = super().handle_exception(Http404() if isinstance(exc, NotTheirsAnyMore) else exc)
        if account is not None:
            response[ACCOUNT_HEADER] = str(account.pk)
        return response

    def _who_asks(self) -> Account | None:
        """Whoever is signed in, or was, until the session ended."""
        request = self.request._request  # noqa: SLF001 - as Django REST framework reads the user itself
        if isinstance(request.user, Account):
            return request.user
        return who_was_in(request)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        require_length(request)
