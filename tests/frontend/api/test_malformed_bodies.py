"""Whatever is sent, the answer is a sentence: never a 500, and nothing that a database cannot hold."""

import json
from typing import Any

from django.db import OperationalError

import pytest

from annotation.models import Draft, Judgment
from frontend.api import judging
from frontend.api.json_body import BODY_LIMIT
from tests.frontend.api.api_annotator import JSON, ApiAnnotator, submission
from tests.planned_campaign import make_planned_campaign, score_of
from tests.rows_made_once import made_once

stored, cast, test_set, planned = made_once(make_planned_campaign)

BODIES = {
    "nothing": b"",
    "half": b'{"answer": ',
    "no JSON": b"score=5",
    "a list": b"[]",
    "null": b"null",
    "a number": b"5",
    "text": b'"x"',
    "deep lists": b"[" * 100_000,
    "deep objects": b'{"answer":' * 5_000 + b"1" + b"}" * 5_000,
    "rather deep": b'{"answer":' + b"[" * 40 + b"]" * 40 + b"}",
    "NaN": b'{"answer": NaN}',
    "infinity": b'{"answer": -Infinity}',
    "an endless number": b'{"answer": 1e999}',
    "hundreds of digits": b'{"answer": ' + b"9" * 400 + b"}",
    "hundreds of digits deep inside": b'{"answer": {"slots": {"A": {"score": -' + b"9" * 400 + b"}}}}",
    "thousands of digits": b'{"answer": ' + b"9" * 10_000 + b"}",
    "NUL": b'{"answer": {"comment": "a\\u0000b"}}',
    "NUL in a name": b'{"answer": {"a\\u0000": 1}}',
    "half a character": b'{"answer": {"comment": "\\ud83d"}}',
    "not UTF-8": b'{"answer": "\xff\xfe"}',
    "UTF-16": '{"answer": "x"}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"answer": "x"}',
}


@pytest.mark.drawn(5)
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
@pytest.mark.parametrize("what", ["draft", "judgments", "reports"])
def test_it_is_unprocessable(page: ApiAnnotator, taken: int, item: str, what: str, body: bytes) -> None:
    path = f"/api/v1/assignments/{taken}/items/{item}/{what}"
    method = "PUT" if what == "draft" else "POST"
    response: Any = page.client.generic(method, path, body, content_type=JSON)
    assert response.status_code == 422, response.content
    errors = response.json()["errors"]
    assert errors
    assert all(isinstance(message, str) for messages in errors.values() for message in messages)
    assert not Draft.objects.exists()
    assert not Judgment.objects.exists()


@pytest.mark.parametrize("text", ["a\x00b", "\ud83d"])
def test_what_cannot_be_stored_is_refused_wherever_it_stands(
    page: ApiAnnotator, taken: int, item: str, text: str
) -> None:
    everywhere: list[dict[str, Any]] = [
        score_of(5, comment=text),
        {"slots": {text: {}}},
        {"slots": {"A": {"deep": [{"er": [text]}]}}},
    ]
    for answer in everywhere:
        response = page.draft(taken, item, answer)
        assert (response.status_code, set(response.json()["errors"])) == (422, {"body"})
    assert not Draft.objects.exists()


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "x"]
)
def test_only_json_is_read(page: ApiAnnotator, taken: int, item: str, content_type: str) -> None:
    path = f"/api/v1/assignments/{taken}/items/{item}/judgments"
    response = page.client.generic("POST", path, json.dumps(submission()), content_type=content_type)
    assert response.status_code == 415


@pytest.mark.parametrize("charset", ["rot13", "utf-16", "hex", "nonsense", "latin-1"])
def test_json_is_utf_8_whatever_it_calls_itself(page: ApiAnnotator, taken: int, item: str, charset: str) -> None:
    path = f"/api/v1/assignments/{taken}/items/{item}/judgments"
    body = json.dumps(submission(answer=score_of(5, comment="naïve")), ensure_ascii=False).encode()
    response = page.client.generic("POST", path, body, content_type=f"{JSON}; charset={charset}")
    assert response.status_code == 201
    assert Judgment.objects.get().answer["comment"] == "naïve"


def test_a_body_beyond_the_limit_is_refused_unread(page: ApiAnnotator, taken: int, item: str) -> None:
    response = page.draft(taken, item, {"slots": {"A": {"text": "x" * BODY_LIMIT}}})
    assert response.status_code == 413
    assert not Draft.objects.exists()


def test_a_body_within_the_limit_is_kept_whole(page: ApiAnnotator, taken: int, item: str) -> None:
    text = "長" * 300_000
    assert page.draft(taken, item, {"slots": {"A": {"text": text}}}).status_code == 204
    assert Draft.objects.get().answer["slots"]["A"]["text"] == text


def test_a_database_that_is_busy_is_no_fault_of_the_request(
    page: ApiAnnotator, taken: int, item: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(**_: object) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr(judging, "save_draft", busy)
    response = page.draft(taken, item, score_of(5))
    told = {"detail": "The database is busy. Try again.", "code": "busy"}
    assert (response.status_code, response.json()) == (503, told)


def test_numbers_of_any_size_survive_in_a_draft(page: ApiAnnotator, taken: int, item: str) -> None:
    numbers = [2**80, -(2**63), 1e21, 0.1, -0.5, True, None]
    page.draft(taken, item, {"slots": {"A": {"numbers": numbers}}})
    assert page.items(taken)["items"][0]["draft"]["slots"]["A"]["numbers"] == numbers
