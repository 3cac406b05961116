"""What a token may be used for. A page's session may all that its account may."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from campaigns.models import ApiToken, Scope
from frontend.api.authentication import Refusal


class HasScope(BasePermission):
    """The view's `scopes` by method; without them, reading for what changes nothing, writing for the rest."""

    def has_permission(self, request: Request, view: Any) -> bool:
        token = request.auth
        wanted = scope_of(view, request.method or "")
        if isinstance(token, ApiToken) and wanted not in token.scope_names:
            refusal = _("This token lacks the scope “%(scope)s”.") % {"scope": wanted}
            raise PermissionDenied(refusal, code=Refusal.SCOPE_MISSING)
        return True


def scope_of(view: Any, method: str) -> str:
    usual = Scope.READ if method in SAFE_METHODS else Scope.WRITE
    return str(getattr(view, "scopes", {}).get(method, usual))
