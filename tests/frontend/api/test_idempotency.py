"""A POST sent again under its name changes nothing more."""

from collections.abc import Callable
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

import pytest
from pytest_django import Settings

from campaigns.models import AnsweredRequest, ApiToken, Invitation, Membership
from jobs.models import Run
from tests.frontend.api.api_annotator import ApiAnnotator

SLUG = "campaigns/planned-campaign"


def test_invitations_asked_for_twice_are_made_once_and_their_links_not_kept(olive: ApiAnnotator) -> None:
    wish = {"count": 2, "api_tokens": True}
    named = olive.named("first-wave")
    first, again = (named.post(f"{SLUG}/invitations", wish) for _attempt in range(2))
    assert [first.status_code, again.status_code] == [201, 201]
    assert again["Idempotent-Replay"] == "true"
    assert Invitation.objects.count() == 2
    secret = first.json()["results"][0]
    assert secret["link"]
    assert secret["token"].startswith("assay_")
    assert again.json()["results"][0] == secret | {"link": None, "token": None}
    kept = repr(list(AnsweredRequest.objects.values_list()))
    assert secret["token"] not in kept
    assert secret["link"] not in kept
    assert "first-wave" not in kept


def test_a_password_somebody_thought_of_is_not_kept_even_in_a_fingerprint(olive: ApiAnnotator) -> None:
    wishes = [
        {"people": [{"name": "Ana", "username": "ana", "password": password}], "access": "password"}
        for password in ("nine patient otters", "ten patient otters!")
    ]
    answers = [olive.named("list").post(f"{SLUG}/invitations", wish) for wish in wishes]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[1]["Idempotent-Replay"] == "true"


def test_another_request_under_the_same_name_is_refused(olive: ApiAnnotator) -> None:
    named = olive.named("one")
    assert named.post("tokens", {"name": "a", "scopes": ["read"]}).status_code == 201
    refused = named.post("tokens", {"name": "b", "scopes": ["read"]})
    assert refused.status_code == 422
    assert "Idempotency-Key" in refused.json()["errors"]


def test_names_of_two_accounts_do_not_meet(olive: ApiAnnotator, rhea: ApiAnnotator) -> None:
    for person in (olive, rhea):
        assert person.named("same").post("tokens", {"name": "a", "scopes": ["read"]}).status_code == 201


def test_what_was_refused_may_be_put_right_under_the_same_name(olive: ApiAnnotator) -> None:
    named = olive.named("put-right")
    assert named.post(f"{SLUG}/invitations", {"count": 0}).status_code == 422
    assert named.post(f"{SLUG}/invitations", {"count": 1}).status_code == 201


@pytest.mark.parametrize("key", ["", "x" * 201, "a\tb"])
def test_a_name_that_is_none_is_refused(olive: ApiAnnotator, key: str) -> None:
    assert olive.named(key).post("tokens", {"name": "a", "scopes": ["read"]}).status_code == 422


def test_what_breaks_off_leaves_neither_trace_nor_effect(olive: ApiAnnotator, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**_wish: Any) -> None:
        raise RuntimeError("the power failed")

    monkeypatch.setattr("campaigns.actions.enrolment.hand_out_tokens", broken)
    olive.client.raise_request_exception = False
    before = Membership.objects.count()
    assert olive.named("broken").post(f"{SLUG}/invitations", {"count": 1, "api_tokens": True}).status_code == 500
    assert (Membership.objects.count(), AnsweredRequest.objects.count()) == (before, 0)
    monkeypatch.undo()
    assert olive.named("broken").post(f"{SLUG}/invitations", {"count": 1, "api_tokens": True}).status_code == 201


def test_files_are_told_by_what_is_in_them(olive: ApiAnnotator, settings: Settings, tmp_path: Any) -> None:
    settings.UPLOAD_DIR = tmp_path

    def send(text: bytes) -> Any:
        files = {"files": SimpleUploadedFile("set.csv", text)}
        return olive.client.post("/api/v1/uploads", files, headers=olive.named("texts").headers)

    first, again, other = send(b"one"), send(b"one"), send(b"two")
    assert [first.status_code, again.status_code, other.status_code] == [201, 201, 422]
    assert first.json() == again.json()
    assert Run.objects.count() == 1


def test_every_post_of_organisers_takes_a_name_or_may_be_repeated_as_it_is(
    schema_of: Callable[[], dict[str, Any]],
) -> None:
    harmless = {"cancel_run", "import_scores", "plan_sums", "try_practice", "withdraw_consent"}
    for path, operations in schema_of()["paths"].items():
        post = operations.get("post")
        if post is None or post["tags"] == ["Judging"] or post["operationId"] in harmless:
            continue
        names = [parameter["name"] for parameter in post["parameters"]]
        assert "Idempotency-Key" in names, path


def test_names_are_forgotten_after_two_days(olive: ApiAnnotator) -> None:
    named = olive.named("old")
    wish = {"name": "a", "scopes": ["read"]}
    named.post("tokens", wish)
    AnsweredRequest.objects.update(created_at="2026-01-01T00:00:00Z")
    named.post("tokens", wish)
    assert ApiToken.objects.filter(name="a").count() == 2
