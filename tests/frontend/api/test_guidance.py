"""Instructions and terms of a test set are read and changed by programs as on its page."""

from typing import Any

import pytest

from campaigns.actions.text_guidance import MOST_TERMS
from campaigns.models import Campaign, TextGuidance
from tests.cast import Cast
from tests.frontend.api.api_annotator import ApiAnnotator, by_token

FERRY = {"term": "ferry", "required": ["Fähre", "Fährschiff"], "forbidden": ["Boot"], "note": "not the tug"}
QUAY = {"term": "quay", "required": [], "forbidden": [], "note": "a place"}


@pytest.fixture
def guidance(planned: Campaign) -> str:
    planned.test_set.documents.filter(name="orchard").update(domain="news")
    return f"test-sets/{planned.test_set.slug}/guidance"


def test_what_is_set_for_the_test_set_a_domain_and_a_document_is_read_until_it_is_taken_away(
    olive: ApiAnnotator, guidance: str
) -> None:
    assert olive.get(guidance).json()["results"] == []
    everywhere = olive.put(f"{guidance}/instruction", {"instruction": " Read\r\nit. "})
    bare = {"document": "", "domain": "", "instruction": "Read\nit.", "terms": []}
    assert (everywhere.status_code, everywhere.json()) == (200, bare)
    of_news = olive.put(f"{guidance}/terms", {"domain": "news", "terms": [FERRY, {"term": "quay", "note": "a place"}]})
    news = {"document": "", "domain": "news", "instruction": "", "terms": [FERRY, QUAY]}
    assert (of_news.status_code, of_news.json()) == (200, news)
    olive.put(f"{guidance}/instruction", {"document": "harbour", "instruction": "Aloud."})
    both = olive.put(f"{guidance}/terms", {"document": "harbour", "terms": [FERRY]}).json()
    assert both == {"document": "harbour", "domain": "", "instruction": "Aloud.", "terms": [FERRY]}
    assert olive.get(guidance).json()["results"] == [bare, news, both]
    assert olive.get(f"{guidance}?document=harbour").json()["results"] == [both]
    assert olive.get(f"{guidance}?domain=news").json()["results"] == [news]
    first = olive.get(f"{guidance}?page_size=1").json()
    assert first["results"] == [bare]
    assert olive.client.get(first["next"], headers=olive.headers).json()["results"] == [news]
    for _again in range(2):
        assert olive.delete(f"{guidance}/instruction?document=harbour").status_code == 204
    assert olive.get(f"{guidance}?document=harbour").json()["results"] == [both | {"instruction": ""}]
    gone = olive.put(f"{guidance}/terms", {"document": "harbour", "terms": []})
    assert gone.json() == both | {"instruction": "", "terms": []}
    olive.put(f"{guidance}/terms", {"domain": "news", "terms": []})
    assert olive.delete(f"{guidance}/instruction").status_code == 204
    assert not TextGuidance.objects.exists()


@pytest.mark.parametrize(
    ("sent", "fields"),
    [
        ({}, {"instruction"}),
        ({"instruction": True, "document": ["x"]}, {"instruction", "document"}),
        ({"instruction": "x" * 5_001, "document": "nowhere"}, {"instruction", "document"}),
        ({"instruction": "bell\u0007", "domain": "nowhere"}, {"instruction", "domain"}),
        ({"instruction": "x", "document": "harbour", "domain": "news"}, {"domain"}),
        ({"instruction": "x", "text": "y"}, {"text"}),
    ],
)
def test_an_instruction_is_refused_with_every_problem(
    olive: ApiAnnotator, guidance: str, sent: dict[str, Any], fields: set[str]
) -> None:
    answer = olive.put(f"{guidance}/instruction", sent)
    assert (answer.status_code, set(answer.json()["errors"])) == (422, fields)
    assert not TextGuidance.objects.exists()


def test_terms_are_refused_with_every_problem_and_its_place(olive: ApiAnnotator, guidance: str) -> None:
    olive.put(f"{guidance}/terms", {"terms": [FERRY]})
    wrong: dict[str, Any] = {
        "document": "nowhere",
        "terms": [
            FERRY,
            {"term": " ", "required": ["Kai"], "note": "x" * 501},
            {"term": "quay"},
            {"term": "mole", "required": ["Mole"], "forbidden": ["mole"]},
            {"term": "x" * 201, "required": ["y" * 201]},
            {"term": "pier", "required": ["bell\u0007"], "forbidden": [str(number) for number in range(21)]},
            {"term": "Ferry ", "requird": ["Fähre"], "note": "again"},
            {"required": "Kai", "forbidden": [""]},
            5,
        ],
    }
    answer = olive.put(f"{guidance}/terms", wrong)
    places = (
        "1.term 1.note 2.required 3.forbidden 4.term 4.required 5.required 5.forbidden 6.requird 6.term "
        "7.term 7.required 7.forbidden.0 8"
    )
    assert answer.status_code == 422
    errors = answer.json()["errors"]
    assert set(errors) == {"document", *(f"terms.{place}" for place in places.split())}
    assert all(len(message) > 1 for messages in errors.values() for message in messages), "sentences, not letters"
    assert errors["terms.6.requird"] == ["Unknown field. Valid fields: forbidden, note, required, term."]
    assert "has this term already" in errors["terms.6.term"][0]
    for terms in ([{"term": str(number), "note": "n"} for number in range(MOST_TERMS + 1)], "ferry", None):
        assert set(olive.put(f"{guidance}/terms", {"terms": terms}).json()["errors"]) == {"terms"}
    assert set(olive.put(f"{guidance}/terms", {}).json()["errors"]) == {"terms"}
    assert [each["term"] for each in TextGuidance.objects.get().glossary] == ["ferry"]


def test_what_an_address_asks_wrongly_is_refused(olive: ApiAnnotator, guidance: str) -> None:
    for asked, field in (("document=nowhere", "document"), ("domain=nowhere", "domain"), ("name=x", "name")):
        answer = olive.delete(f"{guidance}/instruction?{asked}")
        assert (answer.status_code, set(answer.json()["errors"])) == (422, {field})
    assert set(olive.get(f"{guidance}?name=x").json()["errors"]) == {"name"}


def test_only_who_organises_reads_or_changes_them(
    olive: ApiAnnotator, rhea: ApiAnnotator, guidance: str, cast: Cast
) -> None:
    for other in (rhea, by_token(cast.annotator), by_token(cast.stranger)):
        assert other.get(guidance).status_code == 404
        assert other.put(f"{guidance}/instruction", {"instruction": "x"}).status_code == 404
        assert other.delete(f"{guidance}/instruction").status_code == 404
        assert other.put(f"{guidance}/terms", {"terms": [FERRY]}).status_code == 404
    reader = by_token(cast.organiser, "read")
    assert reader.get(guidance).status_code == 200
    assert reader.put(f"{guidance}/terms", {"terms": [FERRY]}).status_code == 403
    assert not TextGuidance.objects.exists()
    assert olive.put("test-sets/nowhere/guidance/terms", {"terms": []}).status_code == 404
