"""All addresses, as OpenAPI and on pages of our own, one for each resource, which load nothing from elsewhere."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer

from campaigns.site_address import site_address

METHODS = ("get", "post", "put", "patch", "delete")
Part = dict[str, Any]
FORMATS = {"yaml": OpenApiYamlRenderer, "json": OpenApiJsonRenderer}


@require_safe
def docs_page(request: HttpRequest) -> HttpResponse:
    """Every operation in one line, which leads to the page of its resource."""
    return render(request, "api/docs.html", {"resources": described().values(), "site": site_address("/api/v1/")})


@require_safe
def resource_page(request: HttpRequest, resource: str) -> HttpResponse:
    """The operations of one resource, with the shapes of what they take and answer."""
    if resource not in described():
        raise Http404
    shown = {"resource": described()[resource], "resources": described().values()}
    return render(request, "api/resource.html", shown)


@require_safe
def schema_file(request: HttpRequest) -> HttpResponse:
    """YAML; JSON with `?format=json`, or if the caller accepts nothing else."""
    accepted = request.headers.get("Accept", "")
    wants_json = "json" in accepted and "yaml" not in accepted and "*/*" not in accepted
    name = request.GET.get("format", "json" if wants_json else "yaml")
    form = name if name in FORMATS else "yaml"
    return HttpResponse(_written(form), content_type=FORMATS[form].media_type)


@cache
def _written(form: str) -> str | bytes:
    """Once in each process: it takes most of a second, and anybody may request it."""
    return FORMATS[form]().render(whole_schema())


@cache
def whole_schema() -> Part:
    """Built once in each process: the addresses do not change while it runs."""
    schema: Part = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return schema


@cache
def described() -> dict[str, Part]:
    """By the name of its page, each resource with its operations and every shape that these lead to."""
    schema = whole_schema()
    groups: dict[str, list[Part]] = {}
    for path, operations in schema["paths"].items():
        for method in (method for method in METHODS if method in operations):
            operation = operations[method]
            groups.setdefault(operation["tags"][0], []).append(_operation(path, method, operation))
    shapes = schema["components"]["schemas"]
    return {
        slugify(name): {
            "name": name,
            "slug": slugify(name),
            "operations": groups[name],
            "shapes": [_shape(each, shapes[each]) for each in sorted(_reached(groups[name], shapes))],
        }
        for name in sorted(groups)
    }


def _reached(operations: list[Part], shapes: Mapping[str, Any]) -> set[str]:
    """The names of the shapes of these operations, and of those inside them."""
    reached: set[str] = set()
    waiting = _named_in(operations)
    while waiting:
        reached |= waiting
        waiting = {inner for name in waiting for inner in _named_in(_shape(name, shapes[name]))} - reached
    return reached


def _named_in(part: Any) -> set[str]:
    """Every shape that a description names."""
    if isinstance(part, dict):
        own = {part["shape"]} if part.get("shape") else set()
        return own.union(*map(_named_in, part.values()))
    return set().union(*map(_named_in, part)) if isinstance(part, list) else set()


def _operation(path: str, method: str, operation: Mapping[str, Any]) -> Part:
    return {
        "id": operation["operationId"],
        "method": method.upper(),
        "path": path,
        "summary": operation.get("summary", ""),
        "about": operation.get("description", ""),
        "parameters": [
            {
                "name": parameter["name"],
                "place": parameter["in"],
                "is_required": parameter.get("required", False),
                "kind": _kind(parameter["schema"]),
                "about": parameter.get("description", ""),
            }
            for parameter in operation.get("parameters", ())
        ],
        "bodies": list(_contents(operation.get("requestBody", {}))),
        "answers": [
            {"code": code, "about": answer.get("description", ""), "contents": list(_contents(answer))}
            for code, answer in operation["responses"].items()
        ],
    }


def _contents(carrier: Mapping[str, Any]) -> Iterator[Part]:
    for media_type, content in carrier.get("content", {}).items():
        examples = [
            {"name": example.get("summary", ""), "text": json.dumps(example["value"], indent=2, ensure_ascii=False)}
            for example in content.get("examples", {}).values()
        ]
        yield {"media_type": media_type, "kind": _kind(content.get("schema", {})), "examples": examples}


def _shape(name: str, shape: Mapping[str, Any]) -> Part:
    required = shape.get("required", ())
    return {
        "name": name,
        "about": shape.get("description", ""),
        "values": shape.get("enum", ()),
        "fields": [
            {
                "name": field,
                "kind": _kind(inner),
                "is_required": field in required,
                "about": inner.get("description", ""),
            }
            for field, inner in shape.get("properties", {}).items()
        ],
    }


def _kind(schema: Mapping[str, Any]) -> Part:
    """A word, the shape it leads to if there is one, and whether it is a list."""
    inner = next(iter(schema.get("allOf") or schema.get("oneOf") or ()), schema)
    several = inner.get("type") == "array"
    if several:
        inner = inner.get("items", {})
    reference = inner.get("$ref", "").rpartition("/")[2]
    word = reference or " ".join(filter(None, [inner.get("type", "anything"), inner.get("format", "")]))
    return {
        "word": word,
        "shape": reference,
        "is_list": several,
        "may_be_null": bool(schema.get("nullable")),
        "values": inner.get("enum", ()),
    }
