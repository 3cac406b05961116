"""What requests and answers look like, in the schema: recorded from a small campaign, cut to what shows the shape."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("recorded")
JSON = "application/json"


@cache
def recorded() -> Mapping[str, Mapping[str, Any]]:
    """By operation: `request` and `response`, where they are JSON, and the answer's `status`."""
    found: dict[str, Mapping[str, Any]] = {}
    for path in sorted(FOLDER.glob("*.json")):
        found |= json.loads(path.read_text(encoding="utf-8"))
    return found


def exampled(result: dict[str, Any], **_generator: Any) -> dict[str, Any]:
    """Examples that were written beside an operation stay, and stand alone."""
    for operations in result["paths"].values():
        for operation in operations.values():
            known = recorded().get(operation["operationId"], {})
            if "request" in known:
                _show(operation.get("requestBody", {}), known["request"])
            if "response" in known:
                _show(operation["responses"].get(known["status"], {}), known["response"])
    return result


def _show(carrier: Mapping[str, Any], value: Any) -> None:
    content = carrier.get("content", {}).get(JSON)
    if content is not None:
        content.setdefault("examples", {"Example": {"value": value}})
