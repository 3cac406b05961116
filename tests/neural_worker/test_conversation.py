"""Lines between parent and child: what is read, what is refused, and what is written."""

import json
from typing import Any

import pytest

from neural_worker.conversation import (
    Options,
    RequestError,
    Scored,
    Span,
    answer_line,
    number_in,
    read_request,
    scored_line,
)


def _line(**changes: object) -> str:
    request: dict[str, Any] = {
        "request": 7,
        "metric": "comet",
        "model": {"name": "ours", "kind": "comet", "folder": "/models/ours"},
        "options": {"source_language": "en", "target_language": "de", "layer": None, "idf": False},
        "items": [{"id": 3, "src": "fog", "mt": "Nebel", "refs": ["Nebel", "der Nebel"]}],
    }
    return json.dumps(request | changes)


def test_a_request_is_read() -> None:
    request = read_request(_line())
    assert (request.number, request.metric, request.model.name) == (7, "comet", "ours")
    assert request.options == Options(source_language="en", target_language="de")
    (item,) = request.items
    assert (item.number, item.translation, item.references) == (3, "Nebel", ("Nebel", "der Nebel"))


def test_missing_texts_and_unknown_options_do_no_harm() -> None:
    request = read_request(_line(items=[{"id": 1, "mt": "", "src": None, "refs": None}], options={"colour": "red"}))
    assert request.options == Options()
    assert (request.items[0].source, request.items[0].references) == ("", ())


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"metric": "bleu"}, "“metric” must be one of comet, bleurt"),
        ({"metric": "bleurt"}, "bleurt needs a model of the kind bleurt; ours is not one"),
        ({"model": {"name": "ours"}}, "“model” must have name, kind and folder"),
        ({"items": [{"id": 1, "mt": ""}] * 513}, "at most 512"),
        ({"items": [{"src": "fog"}]}, "Each item must have “id” and “mt”"),
        ({"options": {"precision": "float8"}}, "“precision” must be one of float32, bfloat16"),
        ({"metric": "bleu", "items": None}, r"“metric” must .* “items” must"),
    ],
)
def test_everything_that_is_wrong_is_said(changes: dict[str, object], words: str) -> None:
    with pytest.raises(RequestError, match=words) as caught:
        read_request(_line(**changes))
    assert caught.value.code == "failed"


@pytest.mark.parametrize("line", ["", "{", "[]", "null", '{"request": "x"}', "7"])
def test_a_line_that_is_no_request_has_no_number(line: str) -> None:
    assert number_in(line) is None
    with pytest.raises(RequestError, match="not a JSON object"):
        read_request(line)


def test_a_score_is_written_with_what_it_has() -> None:
    plain = json.loads(scored_line(7, Scored(3, 0.5)))
    assert plain == {"request": 7, "id": 3, "score": 0.5}
    full = json.loads(scored_line(7, Scored(3, 0.5, (0.4, 0.6, 0.5), (Span(0, 2, "minor"),), is_cut=True)))
    assert full["values"] == [0.4, 0.6, 0.5]
    assert full["spans"] == [{"start": 0, "end": 2, "severity": "minor"}]
    assert full["is_cut"]
    assert json.loads(scored_line(7, Scored(3, 0.5, spans=())))["spans"] == []


def test_a_line_is_a_line() -> None:
    assert answer_line(7, error={"message": "two\nlines"}).count("\n") == 1
