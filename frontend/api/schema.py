"""How addresses are described: groups, answers that all of a kind share, examples, ways to sign in."""

import json
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentRegistry, build_examples_list
from drf_spectacular.utils import OpenApiExample

from frontend.api.authentication import scope_of
from frontend.api.errors import DetailSerializer, ErrorsSerializer
from frontend.api.requests import KEY, LONGEST_KEY
from frontend.api.views import AnnotatorView, ResourceView

FOLDER = Path(__file__).with_name("recorded")
JSON = "application/json"
_ONCE: dict[str, Any] = {
    "in": "header",
    "name": KEY,
    "schema": {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY},
    "description": "Names this request: sent again within two days it changes nothing more, and is answered as before.",
}


class ApiSchema(AutoSchema):
    def get_tags(self) -> list[str]:
        """Those of the module, unless an operation has its own."""
        usual = "Campaigns" if isinstance(self.view, ResourceView) else "Judging"
        return [getattr(sys.modules[type(self.view).__module__], "TAG", usual)]

    def get_operation(
        self, path: str, path_regex: str, path_prefix: str, method: str, registry: ComponentRegistry
    ) -> dict[str, Any] | None:
        operation = super().get_operation(path, path_regex, path_prefix, method, registry)
        if operation is None:
            return None
        operation["description"] = f"{operation.get('description', '')} {self._scope(method)}".strip()
        if not isinstance(self.view, ResourceView):
            return operation
        for code, shape in self._refusals(path, takes_body="requestBody" in operation).items():
            operation["responses"].setdefault(code, self._get_response_for_code(shape, code))  # type: ignore[no-untyped-call]
        operation["responses"] = dict(sorted(operation["responses"].items()))
        if method == "POST" and not self.view.post.is_repeatable:  # type: ignore[attr-defined]
            operation.setdefault("parameters", []).append(_ONCE)
        return operation

    def _scope(self, method: str) -> str:
        return f"A token needs the scope `{scope_of(self.view, method)}`."

    def _refusals(self, path: str, *, takes_body: bool) -> dict[str, Any]:
        codes = ["401", "403", "429", "503"]
        codes += ["404"] if "{" in path else []
        codes += ["411", "413", "415"] if takes_body else []
        return {"422": ErrorsSerializer, **dict.fromkeys(codes, DetailSerializer)}


def closed(result: dict[str, Any], **_generator: Any) -> dict[str, Any]:
    """Declares that the bodies of organisers' and researchers' requests have no other fields."""
    shapes = result["components"]["schemas"]
    for operations in result["paths"].values():
        for operation in operations.values():
            for content in operation.get("requestBody", {}).get("content", {}).values():
                name = content["schema"].get("$ref", "").rpartition("/")[2]
                if name and "Judging" not in operation["tags"]:
                    shapes[name]["additionalProperties"] = False
    return result


def annotator_operations(endpoints: list[Any], **_generator: Any) -> list[Any]:
    """What the page of judging requests."""
    return [endpoint for endpoint in endpoints if issubclass(endpoint[-1].cls, AnnotatorView)]


# Settings of the schema from which the front end's types are made.
WORKBENCH = {"PREPROCESSING_HOOKS": ["frontend.api.schema.annotator_operations"]}


@cache
def recorded() -> Mapping[str, Mapping[str, Any]]:
    """By operation: `request` or, by title, `requests`; `response`; where these are JSON. `status` is the answer's."""
    operations: dict[str, Mapping[str, Any]] = {}
    for path in sorted(FOLDER.glob("*.json")):
        operations |= json.loads(path.read_text(encoding="utf-8"))
    return operations


def exampled(result: dict[str, Any], **_generator: Any) -> dict[str, Any]:
    for operations in result["paths"].values():
        for operation in operations.values():
            known = recorded().get(operation["operationId"], {})
            requests = known.get("requests") or ({"Example": known["request"]} if "request" in known else {})
            _show(operation.get("requestBody", {}), requests)
            if "response" in known:
                _show(operation["responses"].get(known["status"], {}), {"Example": known["response"]})
    return result


def _show(carrier: Mapping[str, Any], examples: Mapping[str, Any]) -> None:
    content = carrier.get("content", {}).get(JSON)
    if content is not None and examples:
        content["examples"] = build_examples_list([OpenApiExample(title, value) for title, value in examples.items()])


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
