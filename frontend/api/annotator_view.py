"""What all views of the annotator's API share."""

from typing import Any, cast

from django.utils.translation import gettext as _
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns.models import Account


class AnnotatorView(APIView):
    # no docstring: the schema would repeat it as the description of every address

    @property
    def account(self) -> Account:
        return cast("Account", self.request.user)

    def require_consent(self, *, given: bool) -> None:
        """Who was given a token has agreed already; who comes by a page agrees there."""
        if self.request.auth is None and not given:
            raise PermissionDenied(_("Read the guidelines of this campaign and agree to take part first."))

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        final = super().finalize_response(request, response, *args, **kwargs)
        final["Cache-Control"] = "no-store"
        return final
