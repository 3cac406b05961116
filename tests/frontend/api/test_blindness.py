"""No answer to an annotator tells which system wrote what, or which item is a control."""

import json
import uuid
from collections.abc import Callable, Iterator
from typing import Any

from django.urls import reverse

import pytest

from annotation.models import Item, ItemKind
from campaigns.models import Campaign, Segment
from tests.cast import Cast
from tests.frontend.api.api_annotator import ApiAnnotator, by_session
from tests.planned_campaign import score_of
from tests.sample_test_set import SYSTEMS

SECRET_WORDS = (*SYSTEMS, "regular", "repeat", "degraded", "damaged", "practice", "control", "kind", "credit", "system")


@pytest.fixture
def controlled(plan_campaign: Callable[..., Campaign]) -> Campaign:
    return plan_campaign(
        name="Watched",
        options={"document_scores": True, "judge_against": "both"},
        repeats_share=0.4,
        degraded_share=0.4,
    )


def everything_said_to(annotator: ApiAnnotator) -> Iterator[Any]:
    """Each kind of answer the API gives, on every item of an assignment."""
    yield annotator.post("campaigns/watched/assignments")
    taken = annotator.take("watched")
    yield annotator.get("assignments")
    while True:
        response = annotator.get(f"assignments/{taken}/items")
        yield response
        items = response.json()["items"]
        if not items:
            break
        for item in items:
            yield annotator.draft(taken, item["id"], score_of(3))
            yield annotator.draft(taken, item["id"], {"slots": 3})
            yield annotator.submit(taken, item["id"], 400)
            yield annotator.submit(taken, item["id"], 50)
            yield annotator.submit(taken, item["id"], 60)
            yield annotator.report(taken, item["id"], {"reason": "display"})
    yield annotator.get(f"assignments/{taken}/items")
    yield annotator.get("assignments")


def test_no_answer_of_the_api_holds_a_secret_word(controlled: Campaign, cast: Cast) -> None:
    kinds = set(Item.objects.filter(assignment__campaign=controlled).values_list("kind", flat=True))
    assert kinds == {ItemKind.REGULAR, ItemKind.REPEAT, ItemKind.DEGRADED}
    answers = list(everything_said_to(by_session(cast.annotator)))
    assert len(answers) > 100
    for answer in answers:
        assert secrets_in(answer) == []


def secrets_in(answer: Any) -> list[str]:
    said = answer.content.decode().lower()
    return [word for word in SECRET_WORDS if word in said] + [name for name in SYSTEMS if name in str(answer.headers)]


def test_what_is_looked_for_would_be_found(controlled: Campaign, cast: Cast) -> None:
    Segment.objects.update(source=f"as {SYSTEMS[0]} has it")
    page = by_session(cast.annotator)
    taken = page.take("watched")
    assert secrets_in(page.get(f"assignments/{taken}/items")) == [SYSTEMS[0]]


def test_no_page_of_an_annotator_names_a_system(controlled: Campaign, cast: Cast) -> None:
    page = by_session(cast.annotator)
    taken = page.take("watched")
    addresses = [
        reverse("home"),
        reverse("annotator-guidelines", args=[controlled.slug]),
        reverse("annotator-assignment", args=[taken]),
        reverse("settings"),
    ]
    for address in addresses:
        response = page.client.get(address)
        assert response.status_code == 200, address
        for word in (*SYSTEMS, "degraded"):
            assert word not in response.content.decode()


def test_items_differ_in_what_they_show_alone(controlled: Campaign, cast: Cast) -> None:
    """Every item has the same fields of the same types, whatever its kind, and ids are random."""
    page = by_session(cast.annotator)
    taken = page.take("watched")
    items = page.every_item(taken)
    segments = [item for item in items if item["level"] == "segment"]
    shapes = {json.dumps({name: type(value).__name__ for name, value in item.items()}) for item in segments}
    assert len(shapes) == 1
    assert {uuid.UUID(item["id"]).version for item in items} == {4}
    ids = [item["id"] for item in items]
    assert ids not in (sorted(ids), sorted(ids, reverse=True))
    labels = list(dict.fromkeys(item["document"] for item in items))
    assert labels == [str(number) for number in range(1, len(labels) + 1)]
