"""What all views of the annotator's API share."""

from typing import Any, cast

from django.utils.translation import gettext as _
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import SAFE_METHODS, IsAuthenticated
from rest_framework.request import Request
from rest_framework.views import APIView

from annotation.practice import must_practise
from campaigns.models import Account, Membership, Scope
from frontend.api.json_body import require_length
from frontend.api.scopes import HasScope


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

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        require_length(request)
