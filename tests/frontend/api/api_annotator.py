"""An annotator at the API: by a page's session or by a token."""

import uuid
from dataclasses import dataclass, field
from typing import Any

from django.test import Client

from annotation.models import Item
from campaigns.actions.tokens import make_api_token
from campaigns.models import Account, Scope
from tests.planned_campaign import score_of

JSON = "application/json"


@dataclass
class ApiAnnotator:
    client: Client
    headers: dict[str, str] = field(default_factory=dict)

    def get(self, path: str) -> Any:
        return self.client.get(f"/api/v1/{path}", headers=self.headers)

    def post(self, path: str, payload: object = None) -> Any:
        return self.client.post(f"/api/v1/{path}", payload, content_type=JSON, headers=self.headers)

    def put(self, path: str, payload: object) -> Any:
        return self.client.put(f"/api/v1/{path}", payload, content_type=JSON, headers=self.headers)

    def patch(self, path: str, payload: object) -> Any:
        return self.client.patch(f"/api/v1/{path}", payload, content_type=JSON, headers=self.headers)

    def delete(self, path: str) -> Any:
        return self.client.delete(f"/api/v1/{path}", headers=self.headers)

    def named(self, key: str) -> "ApiAnnotator":
        """As a program that names its requests."""
        return ApiAnnotator(self.client, self.headers | {"Idempotency-Key": key})

    def send(self, method: str, path: str) -> Any:
        return self.client.generic(method, f"/api/v1/{path}", "{}", content_type=JSON, headers=self.headers)

    def take(self, slug: str = "planned-campaign") -> int:
        response = self.post(f"campaigns/{slug}/assignments")
        assert response.status_code == 201, response.content
        return int(response.json()["id"])

    def items(self, assignment: int, after: str = "") -> dict[str, Any]:
        response = self.get(f"assignments/{assignment}/items{f'?after={after}' if after else ''}")
        assert response.status_code == 200, response.content
        return dict(response.json())

    def every_item(self, assignment: int) -> list[dict[str, Any]]:
        """Also those that are served only when the texts before them are finished."""
        held_back = list(Item.objects.filter(assignment=assignment, revision=0).values_list("pk", flat=True))
        found: list[dict[str, Any]] = self.items(assignment)["items"]
        Item.objects.filter(pk__in=held_back).update(revision=1)
        while found and (more := self.items(assignment, after=found[-1]["id"])["items"]):
            found = found + more
        Item.objects.filter(pk__in=held_back).update(revision=0)
        return found

    def submit(self, assignment: int, item: str, score: int = 70, **given: Any) -> Any:
        return self.post(f"assignments/{assignment}/items/{item}/judgments", submission(score, **given))

    def draft(self, assignment: int, item: str, answer: object, base_revision: object = 0) -> Any:
        path = f"assignments/{assignment}/items/{item}/draft"
        return self.put(path, {"answer": answer, "base_revision": base_revision})

    def report(self, assignment: int, item: str, payload: object) -> Any:
        return self.post(f"assignments/{assignment}/items/{item}/reports", payload)


def submission(score: int = 70, **given: Any) -> dict[str, Any]:
    return {
        "client_id": str(uuid.uuid4()),
        "base_revision": 0,
        "answer": score_of(score),
        "started": "2026-11-05T10:00:00Z",
        "elapsed_ms": 9000,
        "active_ms": 8000,
    } | given


def by_session(account: Account) -> ApiAnnotator:
    client = Client()
    client.force_login(account, backend="django.contrib.auth.backends.ModelBackend")
    return ApiAnnotator(client)


def by_token(account: Account, *scopes: str) -> ApiAnnotator:
    _token, secret = make_api_token(account=account, name="test", scopes=scopes or tuple(Scope.values), by=None)
    return ApiAnnotator(Client(), {"Authorization": f"Token {secret}"})


def anonymous() -> ApiAnnotator:
    return ApiAnnotator(Client())
