"""How addresses are described: with a group, and with the answers that all of a kind have in common."""

from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentRegistry

from frontend.api.annotator_view import AnnotatorView
from frontend.api.once import KEY, LONGEST_KEY
from frontend.api.resource_view import ResourceView
from frontend.api.scopes import scope_of
from frontend.api.serializers import DetailSerializer, ErrorsSerializer

_ONCE: dict[str, Any] = {
    "in": "header",
    "name": KEY,
    "schema": {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY},
    "description": "Names this request: sent again within two days it changes nothing more, and is answered as before.",
}


class ApiSchema(AutoSchema):
    def get_tags(self) -> list[str]:
        return [getattr(self.view, "tag", "Judging")]

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
        if method == "POST" and hasattr(getattr(self.view, "post", None), "is_done_once"):
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
    """Says of what organisers and researchers send that nothing else may stand in it."""
    shapes = result["components"]["schemas"]
    for operations in result["paths"].values():
        for operation in operations.values():
            for content in operation.get("requestBody", {}).get("content", {}).values():
                name = content["schema"].get("$ref", "").rpartition("/")[2]
                if name and "Judging" not in operation["tags"]:
                    shapes[name]["additionalProperties"] = False
    return result


def asked_by_annotators(endpoints: list[Any], **_generator: Any) -> list[Any]:
    """What the browser asks for: who judges."""
    return [endpoint for endpoint in endpoints if issubclass(endpoint[-1].cls, AnnotatorView)]


# Settings of the schema from which the front end's types are made.
WORKBENCH = {"PREPROCESSING_HOOKS": ["frontend.api.schema.asked_by_annotators"]}
