"""Nothing an annotator receives tells an attention check from a screen, before its answer or after it."""

from collections.abc import Callable
from typing import Any

import pytest

from annotation.models import Item, ItemKind, Slot
from campaigns.models import Campaign
from tests.cast import Cast
from tests.frontend.api.api_annotator import ApiAnnotator, by_session, submission
from tests.planned_campaign import make_planned_campaign
from tests.sample_screens import SCREEN_SYSTEMS, make_screens

SECRET_WORDS = (*SCREEN_SYSTEMS, "check", "rotat", "kind", "regular", "damaged", "rule", "redo", "doc-", "system")
MARK = {"side": "target", "start": 0, "end": 3, "severity": "major"}
Make = Callable[..., ApiAnnotator]


@pytest.fixture
def make(cast: Cast) -> Make:
    def made(**parameters: Any) -> ApiAnnotator:
        good = ",".join(SCREEN_SYSTEMS[:3])
        usual: dict[str, Any] = {"protocol": "cesa", "check_systems": good, "attention_checks": 3, "check_share": 0.6}
        make_planned_campaign(make_screens(), cast, **usual | parameters)
        return by_session(cast.annotator)

    return made


def answer_to(item: dict[str, Any], seen: bool) -> dict[str, Any]:
    rotated = set(Slot.objects.filter(item__public_id=item["id"]).exclude(damaged=None).values_list("label", flat=True))
    slots = {slot["slot"]: cell(40 if seen and slot["slot"] in rotated else 90) for slot in item["slots"]}
    return {"slots": slots, "comment": "", "cannot_judge": None}


def cell(score: int) -> dict[str, Any]:
    return {"spans": [MARK] if score < 85 else [], "tags": [], "score": score, "comment": ""}


def kind_of(item: dict[str, Any]) -> str:
    return Item.objects.get(public_id=item["id"]).kind


def shape(value: Any) -> Any:
    """Names and types, without the values."""
    if isinstance(value, dict):
        return {name: shape(each) for name, each in value.items()}
    return [shape(each) for each in value] if isinstance(value, list) else type(value).__name__


def send(page: ApiAnnotator, taken: int, screen: list[dict[str, Any]], *, seen: bool) -> Any:
    rows = [{"item": item["id"], **submission(answer=answer_to(item, seen))} for item in screen]
    return page.post(f"assignments/{taken}/screens", {"judgments": rows})


def to_do(page: ApiAnnotator, taken: int) -> tuple[Any, list[dict[str, Any]]]:
    response = page.get(f"assignments/{taken}/items")
    items = response.json()["items"]
    return response, [item for item in items if item["document"] == items[0]["document"]]


@pytest.mark.parametrize("seen", [True, False])
def test_screens_and_receipts_of_silent_checks_have_the_shape_of_all(make: Make, *, seen: bool) -> None:
    page = make()
    taken = page.take()
    screens: dict[str, set[str]] = {"regular": set(), "check": set()}
    receipts: dict[str, set[str]] = {"regular": set(), "check": set()}
    while True:
        shown, screen = to_do(page, taken)
        said = shown.content.decode().lower()
        assert [word for word in SECRET_WORDS if word in said] == []
        if not screen:
            break
        answered = send(page, taken, screen, seen=seen)
        assert answered.status_code == 201, answered.content
        receipt = answered.json()
        assert [word for word in SECRET_WORDS if word in answered.content.decode().lower()] == []
        kind = kind_of(screen[0])
        screens[kind].add(str(shape(screen)))
        revisions = receipt.pop("revisions")
        assert set(revisions) == {item["id"] for item in screen}
        receipts[kind].add(str(shape({**receipt, "completion_code": None})))
    assert screens["check"] == screens["regular"]
    assert receipts["check"] == receipts["regular"]


def test_a_loud_check_discloses_itself_only_after_a_wrong_answer(make: Make) -> None:
    page = make(check_kind="loud", check_share=1.0)
    taken = page.take()
    shown, screen = to_do(page, taken)
    assert kind_of(screen[0]) == ItemKind.CHECK
    assert [word for word in SECRET_WORDS if word in shown.content.decode().lower()] == []
    total = shown.json()["total"]
    receipt = send(page, taken, screen, seen=False).json()
    assert (receipt["must_redo"], receipt["total"]) == (True, total + 2)
    shown, again = to_do(page, taken)
    assert [item["source"] for item in again] == [item["source"] for item in screen]
    assert not {item["id"] for item in again} & {item["id"] for item in screen}
    assert again[0]["draft"]["slots"] == answer_to(screen[0], seen=False)["slots"]
    assert "must_redo" not in send(page, taken, again, seen=True).json()


def test_row_by_row_a_check_is_settled_with_its_last_row(make: Make) -> None:
    page = make(check_kind="loud", check_share=1.0)
    taken = page.take()
    _shown, screen = to_do(page, taken)
    said = []
    for item in screen:
        path = f"assignments/{taken}/items/{item['id']}/judgments"
        said.append("must_redo" in page.post(path, submission(answer=answer_to(item, seen=False))).json())
    assert said == [False, True]


def test_organisers_settings_are_not_told_to_annotators(make: Make) -> None:
    page = make()
    assert page.get("campaigns/planned-campaign").status_code in (403, 404)
    assert Campaign.objects.get().plan_options["check_systems"]
