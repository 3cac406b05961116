"""Errors with category and severity: typologies, their rules, and what an answer makes of them."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.utils.translation import override

import pytest

from annotation.models import ErrorSpan
from annotation.protocols import protocol_for
from annotation.protocols.base import ShownItem, ShownSlot
from annotation.protocols.mqm import Mqm
from annotation.taxonomies.typology import category_words, typology_named
from campaigns.invalid_input import InvalidInput
from tests.annotation.protocols.battery import ProtocolAtWork, ProtocolContract
from tests.frontend.api.api_annotator import ApiAnnotator

OWN = {
    "title": "House list",
    "categories": [
        {"title": "Meaning", "can_be_chosen": True, "subcategories": [{"title": "Wrong number"}]},
        {"title": "Form"},
    ],
}


class TestMqm(ProtocolContract):
    name = "mqm"


class TestMqmAtWork(ProtocolAtWork):
    name = "mqm"

    def good_for(self, item: Mapping[str, Any], *, variant: int = 0) -> dict[str, Any]:
        slots = {
            slot["slot"]: {
                "spans": [
                    {
                        "side": "target",
                        "start": 0,
                        "end": len(slot["text"]),
                        "category": "fluency/grammar",
                        "severity": "minor",
                        "note": "",
                    }
                ][variant:]
            }
            for slot in item["slots"]
        }
        return {"slots": slots, "comment": "", "cannot_judge": None}

    def noticing(self, item: Mapping[str, Any], bad: str | None) -> dict[str, Any]:
        error = {"side": "target", "start": 0, "end": 3, "category": "accuracy/mistranslation", "severity": "major"}
        spans = [error | {"note": ""}]
        slots = {slot["slot"]: {"spans": spans if slot["slot"] == bad else []} for slot in item["slots"]}
        return {"slots": slots, "comment": "", "cannot_judge": None}

    def test_every_span_is_a_row(self, page: ApiAnnotator) -> None:
        taken, item = self.first(page)
        self.send(page, taken, item)
        rows = ErrorSpan.objects.values_list("side", "start", "category", "severity")
        assert set(rows) == {("target", 0, "fluency/grammar", "minor")}
        assert len(rows) >= len(item["slots"])


def test_the_typology_is_stored_whole_so_that_a_later_one_changes_no_campaign() -> None:
    stored = json.loads(json.dumps(asdict(protocol_for("mqm", {"typology": "wmt2021"}).options)))
    assert stored["typology"]["title"] == "Google / WMT 2021"
    stored["typology"]["categories"] = stored["typology"]["categories"][:1]
    assert set(protocol_for("mqm", stored).options.typology.by_path()) == {
        "accuracy/addition",
        "accuracy/omission",
        "accuracy/mistranslation",
        "accuracy/untranslated-text",
    }


@pytest.mark.parametrize("typology", [OWN, json.dumps(OWN), f"  {json.dumps(OWN, indent=2)}\n"])
def test_an_own_typology_is_read_from_json(typology: object) -> None:
    protocol = protocol_for("mqm", {"typology": typology})
    assert list(protocol.options.typology.by_path()) == ["meaning", "meaning/wrong-number", "form"]
    assert protocol.options.severities == ("neutral", "minor", "major", "critical")


def test_severities_are_those_of_the_typology_unless_others_are_chosen() -> None:
    assert protocol_for("mqm", {"typology": "anthea2023"}).options.severities == ("minor", "major")
    assert protocol_for("mqm", {"severities": ["critical", "major"]}).options.severities == ("major", "critical")
    with pytest.raises(InvalidInput, match="Non-translation"):
        protocol_for("mqm", {"severities": ["minor"]})


def judged(options: Mapping[str, Any], *spans: Mapping[str, Any]) -> list[dict[str, Any]]:
    item = ShownItem("segment", "One two.", None, (ShownSlot("A", "Eins zwei."),))
    whole = {"side": "target", "start": 0, "end": 4, "category": "form", "severity": "minor", "note": ""}
    answer = {"slots": {"A": {"spans": [{**whole, **span} for span in spans]}}}
    return list(protocol_for("mqm", options).parse_answer(answer, item).slots["A"]["spans"])


def test_an_inner_category_is_chosen_only_where_its_typology_lets_it() -> None:
    assert judged({"typology": OWN}, {"category": "meaning"})
    closed = {**OWN, "categories": [{"title": "Meaning", "subcategories": [{"title": "Wrong number"}]}]}
    with pytest.raises(InvalidInput, match="does not exist"):
        judged({"typology": closed}, {"category": "meaning"})


def test_as_many_errors_as_there_are_where_no_limit_is_set() -> None:
    assert len(judged({"typology": OWN, "most_errors": 0}, *[{}] * 40)) == 40
    with pytest.raises(InvalidInput, match="at most 5"):
        judged({"typology": OWN}, *[{}] * 6)


def test_the_source_can_be_left_alone() -> None:
    assert judged({"typology": OWN}, {"side": "source"})
    with pytest.raises(InvalidInput, match="only be marked in the translation"):
        judged({"typology": OWN, "mark_source": False}, {"side": "source"})
    assert "source-error" in protocol_for("mqm", {}).options.typology.by_path()
    categories = protocol_for("mqm", {"typology": "anthea2023", "mark_source": False}).options.typology.by_path()
    assert not {"source-issue", "accuracy/omission"} & set(categories)
    assert "accuracy/addition" in categories


def test_alone_or_side_by_side() -> None:
    assert protocol_for("mqm", {}).slots_per_item == 1
    assert protocol_for("mqm", {"systems_per_screen": 4}).slots_per_item == 4
    assert isinstance(protocol_for("mqm", {}), Mqm)


@pytest.mark.parametrize(
    ("path", "english", "german"),
    [
        ("accuracy/mistranslation", "Accuracy, mistranslation", "Genauigkeit, Falsche Übersetzung"),
        ("non-translation", "Non-translation", "Keine Übersetzung"),
        ("Fluency/Odd-order", "Fluency, odd order", None),
        ("house-style/URL", "House style, URL", None),
        ("", "", ""),
    ],
)
def test_a_category_is_named_as_its_typology_words_it(path: str, english: str, german: str | None) -> None:
    """Those of a file that are in no typology keep their own words."""
    titles = typology_named("wmt2021").titles()
    assert category_words(path, titles) == english
    if german is not None:
        with override("de"):
            assert category_words(path, titles) == german
