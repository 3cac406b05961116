"""The generated part of the Python client in `clients/python`: a method for each operation, a type for each shape."""

import json
import keyword
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings

from frontend.api.docs_page import METHODS, whole_schema
from frontend.api.requests import KEY

FOLDER = Path(settings.BASE_DIR) / "clients" / "python" / "assay_client" / "generated"
_HEAD = '"""{title} Written by `./assay manage write_client` from the schema of the API: do not edit."""\n'
_SIMPLE = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
Part = Mapping[str, Any]


def written_client() -> dict[Path, str]:
    """The text of each generated file."""
    schema = whole_schema()
    operations = [
        _method(path, method, each[method])
        for path, each in sorted(schema["paths"].items())
        for method in METHODS
        if method in each
    ]
    shapes = [_shape(name, each) for name, each in sorted(schema["components"]["schemas"].items())]
    return {
        FOLDER / "__init__.py": "",
        FOLDER / "shapes.py": _HEAD.format(title="What goes in and comes out.")
        + "\nfrom __future__ import annotations\n\nfrom typing import Any, Literal, NotRequired, TypedDict\n\n"
        + "\n".join(shapes),
        FOLDER / "operations.py": _HEAD.format(title="A method for each operation.")
        + "\nfrom __future__ import annotations\n\nfrom collections.abc import Iterator\nfrom pathlib import Path\n"
        + "from typing import Any, Literal, cast\nfrom urllib.parse import quote\n\n"
        + "from assay_client.connection import Connection, Download\nfrom assay_client.generated import shapes\n\n\n"
        + "class Operations(Connection):\n"
        + "\n".join(operations),
    }


# --- types ------------------------------------------------------------------------------------------------------------
def _shape(name: str, schema: Part) -> str:
    if "properties" not in schema:
        return f"{name} = {_type(schema, '')}\n"
    required = set(schema.get("required", ()))
    fields = [
        (field, _type(each, "") if field in required else f"NotRequired[{_type(each, '')}]")
        for field, each in schema["properties"].items()
    ]
    if all(field.isidentifier() and not keyword.iskeyword(field) for field, _kind in fields):
        lines = "".join(f"    {field}: {kind}\n" for field, kind in fields)
        return f"\nclass {name}(TypedDict):\n{lines}\n"
    pairs = ", ".join(f"{field!r}: {kind!r}" for field, kind in fields)
    return f"{name} = TypedDict({name!r}, {{{pairs}}})\n"


def _type(schema: Part, prefix: str) -> str:
    """In Python's words; `prefix` is that of the module with the shapes."""
    kind = _type_without_null(schema, prefix)
    return f"{kind} | None" if schema.get("nullable") and kind != "Any" else kind


def _type_without_null(schema: Part, prefix: str) -> str:
    if "$ref" in schema:
        return prefix + str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema:
        return f"Literal[{', '.join(repr(value) for value in schema['enum'])}]"
    for several in ("oneOf", "anyOf", "allOf"):
        if several in schema:
            kinds = [_type(each, prefix) for each in schema[several]]
            return "Any" if "Any" in kinds else " | ".join(dict.fromkeys(kinds))
    match schema.get("type"):
        case "array":
            return f"list[{_type(schema['items'], prefix)}]"
        case "object":
            inner = schema.get("additionalProperties")
            return f"dict[str, {_type(inner, prefix) if isinstance(inner, dict) and inner else 'Any'}]"
        case other:
            return _SIMPLE.get(str(other), "Any")


# --- operations -------------------------------------------------------------------------------------------------------
def _method(path: str, method: str, operation: Part) -> str:
    name = operation["operationId"] + ("_" if keyword.iskeyword(operation["operationId"]) else "")
    parameters = operation.get("parameters", [])
    places = {each["name"]: each for each in parameters if each["in"] == "path"}
    queries = {each["name"]: each for each in parameters if each["in"] == "query"}
    is_list = queries.pop("cursor", None) is not None
    body = _body(operation)
    taken = [f"{_name(each)}: {_type(places[each]['schema'], '')}" for each in _in_path(path)]
    taken += [f"body: {body[1]}"] if body else []
    options = [
        f"{_name(each)}: {_type(about['schema'], 'shapes.')}" + ("" if about.get("required") else " | None = None")
        for each, about in sorted(queries.items(), key=lambda pair: not pair[1].get("required"))
    ]
    signature = ", ".join(["self", *taken, *(["*", *options] if options else [])])
    answer = _answer(operation, is_list=is_list)
    sent = ", ".join(f"{json.dumps(each)}: {_name(each)}" for each in queries)
    is_once = any(each["name"] == KEY for each in parameters)
    call = _call(method, _address(path), f"{{{sent}}}", body, answer, is_once=is_once, is_list=is_list)
    return (
        f"    def {name}({signature}) -> {answer}:\n"
        f'        """{operation.get("summary", name).rstrip(".")}."""\n'
        f"        {call}\n"
    )


def _call(
    method: str, address: str, query: str, body: tuple[str, str] | None, answer: str, *, is_once: bool, is_list: bool
) -> str:
    once = ", is_once=True" if is_once else ""
    if is_list:
        return f"return self._pages({address}, {query})"
    if answer == "Download":
        return f"return self._file({address}, {query})"
    if body:
        sender = "_json" if body[0] == "application/json" else "_form"
        call = f"self.{sender}({method.upper()!r}, {address}, {query}, body{once})"
    else:
        call = f"self._json({method.upper()!r}, {address}, {query}{once})"
    return call if answer == "None" else f'return cast("{answer}", {call})'


def _in_path(path: str) -> Iterator[str]:
    for part in path.split("{")[1:]:
        yield part.partition("}")[0]


def _address(path: str) -> str:
    written = path
    for each in _in_path(path):
        written = written.replace(f"{{{each}}}", f"{{quote(str({_name(each)}), safe='')}}")
    return f'f"{written}"' if written != path else f'"{path}"'


def _name(parameter: str) -> str:
    name = parameter.replace("-", "_")
    return f"{name}_" if keyword.iskeyword(name) else name


def _body(operation: Part) -> tuple[str, str] | None:
    """Its media type, and the type of the argument: a form takes files as paths."""
    content = operation.get("requestBody", {}).get("content", {})
    if not content:
        return None
    media_type = "application/json" if "application/json" in content else next(iter(content))
    is_json = media_type == "application/json"
    return media_type, _type(content[media_type]["schema"], "shapes.") if is_json else "dict[str, Any | Path]"


def _answer(operation: Part, *, is_list: bool) -> str:
    """What the method returns."""
    well = [each.get("content", {}) for code, each in operation["responses"].items() if code.startswith("2")]
    kinds: list[str] = []
    for media_type, content in ((media, each) for contents in well for media, each in contents.items()):
        if media_type != "application/json" or content["schema"].get("format") == "binary":
            return "Download"
        kinds.append(_type(content["schema"], "shapes."))
    if is_list:
        return f"Iterator[{kinds[0].replace('Paginated', '').removesuffix('List')}]"
    return " | ".join(dict.fromkeys(kinds)) or "None"
