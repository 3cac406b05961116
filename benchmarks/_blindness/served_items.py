"""All that an annotator is served of an assignment, with every text taken out of it but whether there is one."""

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import F
from django.test import Client

from annotation.models import Assignment, Item
from campaigns.models import Account

BACKEND = "django.contrib.auth.backends.ModelBackend"
TEXTS = {"text", "source", "reference", "title", "draft", "answer"}
Features = dict[str, float]


@dataclass(frozen=True)
class ServedItem:
    """`features` are numbers by name; what a text says is in none of them.

    `content` names the campaign and what is asked in the assignment: rounds ask the same, in blocks that look alike.
    """

    features: Features
    kind: str
    content: tuple[int, int]


def served_items(annotator: Account, assignment: Assignment) -> list[ServedItem]:
    """Page after page, as the API gives them; what is on a page counts as judged before the next is asked for."""
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(annotator, backend=BACKEND)
    items: list[dict[str, Any]] = []
    context: dict[int, dict[str, Any]] = {}
    pages = 0
    while (page := _page(client, assignment))["items"]:
        pages += 1
        fresh = [item | {"page": pages} for item in page["items"]]
        items += fresh
        context |= {row["position"]: row for row in page["context"]}
        _finish(assignment, [item["id"] for item in fresh])
    kinds = dict(Item.objects.filter(assignment=assignment).values_list("public_id", "kind"))
    whole = {"total": float(page["total"]), "pages": float(pages), "assignment": float(assignment.pk)}
    return [
        ServedItem(whole | features, kinds[UUID(item["id"])], (assignment.campaign_id, assignment.content))
        for item, features in zip(items, _features(items, context), strict=True)
    ]


def _page(client: Client, assignment: Assignment) -> dict[str, Any]:
    response = client.get(f"/api/v1/assignments/{assignment.pk}/items")
    if response.status_code != 200:
        raise RuntimeError(f"assignment {assignment.pk}: {response.status_code}")
    return dict(response.json())


def _finish(assignment: Assignment, ids: list[str]) -> None:
    judged = Item.objects.filter(public_id__in=ids, revision=0).update(revision=1)
    Assignment.objects.filter(pk=assignment.pk).update(done=F("done") + judged)


def _features(items: list[dict[str, Any]], context: Mapping[int, Mapping[str, Any]]) -> Iterator[Features]:
    blocks: dict[str, list[dict[str, Any]]] = {}
    for item in items:
        blocks.setdefault(item["document"], []).append(item)
    order = list(blocks)
    shapes = [_shape(blocks[name], [row for row in context.values() if row["document"] == name]) for name in order]
    for place, name in enumerate(order):
        alike = sum(shape == shapes[place] for shape in shapes)
        as_long = sum(shape["asked"] == shapes[place]["asked"] for shape in shapes)
        for line, item in enumerate(blocks[name]):
            yield {
                **dict(_numbers("item", item)),
                **{f"own {key}": value for key, value in shapes[place].items()},
                **{f"before {key}": value for key, value in (shapes[place - 1] if place else {}).items()},
                **{f"after {key}": value for key, value in (shapes[place + 1 : place + 2] or [{}])[0].items()},
                "alike": float(alike),
                "as long": float(as_long),
                "line": float(line),
                "lines after": float(len(blocks[name]) - line),
                "block": float(place),
                "blocks after": float(len(order) - place),
                "share of the way": item["position"] / (items[-1]["position"] + 1),
            }


def _shape(asked: list[dict[str, Any]], around: list[Mapping[str, Any]]) -> Features:
    """How many items a block has, and where what is only read stands among them."""
    first, last = asked[0]["position"], asked[-1]["position"]
    places = [row["position"] for row in around]
    return {
        "asked": float(len(asked)),
        "context": float(len(places)),
        "context before": float(sum(place < first for place in places)),
        "context behind": float(sum(place > last for place in places)),
        "documents": float(sum(item["level"] == "document" for item in asked)),
        "suggested": float(sum(len(item["suggested"]) for item in asked)),
    }


def _numbers(name: str, value: Any) -> Iterator[tuple[str, float]]:
    """Everything in it as numbers: also fields that come with a later version."""
    last = name.rpartition(".")[2]
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _numbers(f"{name}.{key}", inner)
    elif isinstance(value, list):
        yield f"{name} length", float(len(value))
        for place, inner in enumerate(value[:3]):
            yield from _numbers(f"{name}.{place}", inner)
    elif last in TEXTS:
        yield name, 0.0 if value is None else 1.0 if value == "" else 2.0
    elif last == "id":
        yield f"{name} high", UUID(value).int / 2**128
        yield f"{name} low", UUID(value).int % 2**32 / 2**32
    elif isinstance(value, str):
        yield name, float(value) if value.isdigit() else float(zlib.crc32(value.encode()) % 10**6)
    else:
        yield name, float("nan") if value is None else float(value)
