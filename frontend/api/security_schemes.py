"""How the two ways of being known appear in the OpenAPI schema; drf-spectacular finds the classes by their base."""

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "frontend.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:  # noqa: ARG002 - their signature
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "“Token ”, then the token: for programs.",
        }


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "frontend.api.authentication.SessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:  # noqa: ARG002 - their signature
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": "sessionid",
            "description": "The page's session; unsafe methods need the header X-CSRFToken as well.",
        }
