"""Every operation shows what goes in and what comes out, as its own schema has it."""

from collections.abc import Callable
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from frontend.api.schema import recorded

JSON = "application/json"
Schema = Callable[[], dict[str, Any]]


def operations(schema: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {each["operationId"]: each for methods in schema["paths"].values() for each in methods.values()}


def contents(operation: dict[str, Any]) -> list[dict[str, Any]]:
    """Of JSON that is sent, and of JSON that is answered when all is well: one of the ways is enough."""
    well = [answer for code, answer in operation["responses"].items() if code.startswith("2")]
    sent, *answers = [each.get("content", {}).get(JSON) for each in (operation.get("requestBody", {}), *well)]
    answered = sorted(filter(None, answers), key=lambda content: "examples" not in content)
    return [*filter(None, [sent]), *answered[:1]]


def test_every_operation_has_examples_and_says_what_a_token_needs(schema_of: Schema) -> None:
    found = operations(schema_of())
    bare = {name for name, each in found.items() if not all("examples" in content for content in contents(each))}
    assert bare == set(), "write what goes in and what comes out into a file of frontend/api/recorded"
    assert {name for name, each in found.items() if "scope" not in each["description"]} == set()
    assert set(recorded()) <= set(found)


def test_examples_are_as_the_schema_says(schema_of: Schema) -> None:
    schema = schema_of()
    shapes = {"components": nullable_as_json_schema(schema["components"])}
    wrong = []
    for name, operation in operations(schema).items():
        for content in contents(operation):
            validator = Draft202012Validator({**shapes, **nullable_as_json_schema(content["schema"])})
            for example in content["examples"].values():
                wrong += [
                    f"{name}: {error.json_path} {error.message}" for error in validator.iter_errors(example["value"])
                ]
    assert wrong == []


def nullable_as_json_schema(schema: Any) -> Any:
    """OpenAPI 3.0 says `nullable` where JSON Schema says null is one of the types."""
    if isinstance(schema, list):
        return [nullable_as_json_schema(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {name: nullable_as_json_schema(each) for name, each in schema.items() if name != "nullable"}
    return {"anyOf": [inner, {"type": "null"}]} if schema.get("nullable") is True else inner


@pytest.mark.parametrize("value", ["testserver", "pytest"])
def test_no_example_holds_what_only_its_recording_knew(value: str) -> None:
    assert value not in str(recorded())
