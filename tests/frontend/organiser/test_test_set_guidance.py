import csv
import io
from collections.abc import Callable

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

import pytest

from campaigns.actions.glossary_terms import guidance_of, terms_of
from campaigns.actions.text_guidance import GlossaryTerm, Scope, set_glossary
from campaigns.models import Account, Campaign, Document, TestSet
from tests.cast import Cast

ClientOf = Callable[[Account], Client]


@pytest.fixture
def page(campaign: Campaign) -> str:
    return f"/test-sets/{campaign.test_set.slug}/guidance/"


def test_an_instruction_is_stored_for_one_scope_and_removed_by_an_empty_text(
    campaign: Campaign, page: str, cast: Cast, client_of: ClientOf
) -> None:
    client, own = client_of(cast.organiser), campaign.test_set
    empty = client.get(page).content.decode()
    assert "Nothing yet" in empty
    assert campaign.name in empty
    name = Document.objects.filter(test_set=own).earliest("position").name
    address = f"{page}?document={name}"
    sent = {"act": "instruction", "instruction": "Read it aloud."}
    answer = client.post(address, sent)
    assert answer.status_code == 302
    guidance = guidance_of(own, Scope(document=name))
    assert guidance is not None
    assert guidance.instruction == "Read it aloud."
    assert guidance_of(own, Scope()) is None
    assert "Read it aloud." in client.get(address).content.decode()
    refused = client.post(page, sent | {"instruction": "x" * 5_001})
    assert refused.status_code == 422
    assert "at most 5000 characters" in refused.content.decode().replace(",", "")
    client.post(address, sent | {"instruction": " "})
    assert guidance_of(own, Scope(document=name)) is None
    assert "no such document" in client.get(f"{page}?document=nowhere").content.decode()


def test_a_table_is_shown_first_with_all_its_problems_then_stored_and_given_back(
    campaign: Campaign, page: str, cast: Cast, client_of: ClientOf
) -> None:
    client, own = client_of(cast.organiser), campaign.test_set
    set_glossary(test_set=own, scope=Scope(), terms=[GlossaryTerm("ferry", ("Fähre",))], by=None)

    def sent(text: str) -> str:
        file = SimpleUploadedFile("terms.csv", text.encode())
        return client.post(page, {"act": "read-table", "file": file}).content.decode()

    wrong = sent("term,required,forbidden,note\nferry,,,\n,Boot,,\n")
    assert "line 2" in wrong
    assert "line 3" in wrong
    for odd in ("term,required,forbiden\nharbour,Hafen,Bucht\n", "term,forbiden\nharbour,\n,x\n"):
        assert "Unknown columns, ignored: forbiden." in sent(odd)
    shown = sent("term,required,forbidden,note\nharbour,Hafen|Port,Bucht,the <old> one\n")
    assert "Terms: 1. New: 1. Changed: 0. Removed, because the table lacks them: 1." in shown
    assert [term.term for term in terms_of(guidance_of(own, Scope()))] == ["ferry"]
    as_json = client.post(
        page,
        {"act": "read-table", "file": SimpleUploadedFile("t.csv", b"term,required\nharbour,Hafen|Port\n")},
    ).context["preview"]["as_json"]
    assert client.post(page, {"act": "store-table", "terms": as_json}).status_code == 302
    assert terms_of(guidance_of(own, Scope())) == [GlossaryTerm("harbour", ("Hafen", "Port"))]
    table = client.get(page.replace("guidance/", "terms.csv")).content.decode()
    assert next(iter(csv.DictReader(io.StringIO(table))))["required"] == "Hafen|Port"
    assert client.post(page, {"act": "store-table", "terms": '[{"term": 5}]'}).status_code == 422
    client.post(page, {"act": "remove-all"})
    assert guidance_of(own, Scope()) is None


def test_single_terms_are_added_changed_and_removed(
    campaign: Campaign, page: str, cast: Cast, client_of: ClientOf
) -> None:
    client, own = client_of(cast.organiser), campaign.test_set

    def stored() -> list[GlossaryTerm]:
        return terms_of(guidance_of(own, Scope()))

    client.post(page, {"act": "term", "term": "ferry", "required": "Fähre | Schiff"})
    client.post(page, {"act": "term", "term": "café", "note": "as it is"})
    assert [each.term for each in stored()] == ["ferry", "café"]
    twice = client.post(page, {"act": "term", "term": "Ferry", "required": "Boot"})
    assert twice.status_code == 422
    assert "has this term already" in twice.content.decode()
    wrong = client.post(page, {"act": "term", "term": " ", "required": "Boot", "forbidden": "boot"})
    for words in ("Write the term", "both required and forbidden"):
        assert words in wrong.content.decode()
    assert 'value="Fähre|Schiff"' in client.get(f"{page}?term=ferry").content.decode()
    client.post(page, {"act": "term", "was": "ferry", "term": "the ferry", "forbidden": "Boot"})
    assert stored()[0] == GlossaryTerm("the ferry", (), ("Boot",))
    gone = client.post(page, {"act": "term", "was": "ferry", "term": "ferry", "required": "Boot"})
    assert "meanwhile" in gone.content.decode()
    client.post(page, {"act": "remove-term", "term": "the ferry"})
    assert [each.term for each in stored()] == ["café"]
    assert client.post(page, {"act": "unknown"}).status_code == 422


def test_only_who_organises_or_imported_may_read_or_change_it(
    test_set: TestSet, page: str, cast: Cast, client_of: ClientOf
) -> None:
    for account in (cast.researcher, cast.annotators[0], cast.stranger):
        assert client_of(account).get(page).status_code == 404
        assert client_of(account).post(page, {"act": "remove-all"}).status_code == 404
    assert test_set.guidance.count() == 0
