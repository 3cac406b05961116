"""What is told beside a document: the nearest instruction, and the terms of all scopes."""

import pytest

from annotation.queries.items_page import Place, items_page
from annotation.queries.text_guidance import DocumentGuidance, guidance_for
from campaigns.actions.text_guidance import GlossaryTerm, Scope, set_glossary, set_instruction
from campaigns.models import Account, Document, TestSet
from tests.cast import Cast
from tests.planned_campaign import make_planned_campaign, take

pytestmark = pytest.mark.django_db
HARBOUR, NEWS, ALL = Scope(document="harbour"), Scope(domain="news"), Scope()


def instruct(test_set: TestSet, **texts: Scope) -> None:
    for text, scope in texts.items():
        set_instruction(test_set=test_set, scope=scope, text=text, by=None)


def told(test_set: TestSet) -> dict[str, DocumentGuidance]:
    documents = list(Document.objects.filter(test_set=test_set))
    told = guidance_for(test_set.pk, {each.pk: each.domain for each in documents})
    return {each.name: told[each.pk] for each in documents}


@pytest.mark.parametrize(
    ("scopes", "harbour", "orchard"),
    [
        ({"all": ALL}, "all", "all"),
        ({"all": ALL, "news": NEWS}, "news", "news"),
        ({"all": ALL, "news": NEWS, "own": HARBOUR}, "own", "news"),
        ({"own": HARBOUR}, "own", ""),
    ],
)
def test_the_nearest_instruction_alone_counts(
    test_set: TestSet, scopes: dict[str, Scope], harbour: str, orchard: str
) -> None:
    instruct(test_set, **scopes)
    assert {name: each.instruction for name, each in told(test_set).items()} == {"harbour": harbour, "orchard": orchard}


def test_terms_add_up_and_the_nearest_meaning_of_a_term_counts(test_set: TestSet) -> None:
    ferry, other, quay = (
        GlossaryTerm("Ferry", ("Fähre",)),
        GlossaryTerm("ferry", ("Schiff",)),
        GlossaryTerm("quay", ("Kai",)),
    )
    set_glossary(test_set=test_set, scope=ALL, terms=[other, quay], by=None)
    set_glossary(test_set=test_set, scope=HARBOUR, terms=[ferry], by=None)
    assert {name: each.terms for name, each in told(test_set).items()} == {
        "harbour": (ferry, quay),
        "orchard": (other, quay),
    }


def test_a_document_without_a_domain_has_what_is_told_of_all(test_set: TestSet) -> None:
    Document.objects.filter(test_set=test_set).update(domain="")
    instruct(test_set, all=ALL)
    assert {each.instruction for each in told(test_set).values()} == {"all"}


def test_annotators_get_it_with_the_first_item_of_each_text(test_set: TestSet, cast: Cast) -> None:
    instruct(test_set, all=ALL, own=HARBOUR)
    assignment = take(make_planned_campaign(test_set, cast), cast.annotator)
    page = items_page(Account.objects.get(assignments=assignment), assignment.pk, Place())
    assert page is not None
    first = {item.document: item for item in reversed(page.items)}
    assert {item.instruction for item in first.values()} <= {"all", "own"}
    assert all(item.instruction == "" for item in page.items if item is not first[item.document])


def test_terms_are_found_in_what_is_shown_only(test_set: TestSet, cast: Cast) -> None:
    set_glossary(test_set=test_set, scope=ALL, terms=[GlossaryTerm("ferry", ("Fähre",), ("Schiff",))], by=None)
    assignment = take(make_planned_campaign(test_set, cast), cast.annotator)
    page = items_page(Account.objects.get(assignments=assignment), assignment.pk, Place())
    assert page is not None
    hit = [item for item in page.items if item.shown.source == "The ferry left an hour late."]
    assert hit
    for item in hit:
        assert item.beside is not None
        assert [each.term.term for each in item.beside.terms] == ["ferry"]
        assert item.beside.terms[0].source == ((4, 9),)
    assert all(item.beside is None for item in page.items if item not in hit)
