"""How addresses are described: with a group, and with the answers that all of a kind have in common."""

from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentRegistry

from frontend.api.once import KEY, LONGEST_KEY
from frontend.api.resource_view import ResourceView
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
        if operation is None or not isinstance(self.view, ResourceView):
            return operation
        for code, shape in self._refusals(path).items():
            operation["responses"].setdefault(code, self._get_response_for_code(shape, code))  # type: ignore[no-untyped-call]
        operation["responses"] = dict(sorted(operation["responses"].items()))
        if method == "POST" and hasattr(getattr(self.view, "post", None), "is_done_once"):
            operation.setdefault("parameters", []).append(_ONCE)
        return operation

    def _refusals(self, path: str) -> dict[str, Any]:
        refused = {"401": DetailSerializer, "403": DetailSerializer, "422": ErrorsSerializer, "429": DetailSerializer}
        return refused | ({"404": DetailSerializer} if "{" in path else {})
