"""Instructions and glossaries for a test set, a domain or a document: stored, changed, taken away, refused."""

import pytest

from campaigns.actions.text_guidance import GlossaryTerm, Scope, set_glossary, set_instruction
from campaigns.invalid_input import InvalidInput
from campaigns.models import AuditEntry, TestSet, TextGuidance
from tests.cast import Cast

pytestmark = pytest.mark.django_db
FERRY = GlossaryTerm("ferry", ("Fähre",), ("Schiff", "Boot"), "a boat with a timetable")


@pytest.mark.parametrize("scope", [Scope(), Scope(domain="news"), Scope(document="harbour")])
def test_each_scope_has_one_row_that_is_changed_and_taken_away(test_set: TestSet, cast: Cast, scope: Scope) -> None:
    for text in ("Keep the names.", "  Keep the names and the numbers.\r\nAlways. "):
        set_instruction(test_set=test_set, scope=scope, text=text, by=cast.organiser)
    set_glossary(test_set=test_set, scope=scope, terms=[FERRY], by=cast.organiser)
    [row] = TextGuidance.objects.filter(test_set=test_set)
    assert (row.instruction, row.domain) == ("Keep the names and the numbers.\nAlways.", scope.domain)
    assert (row.document.name if row.document else "") == scope.document
    assert [GlossaryTerm.of(term) for term in row.glossary] == [FERRY]
    set_instruction(test_set=test_set, scope=scope, text=" ", by=cast.organiser)
    assert set_glossary(test_set=test_set, scope=scope, terms=[], by=cast.organiser) is None
    assert not TextGuidance.objects.exists()
    actions = AuditEntry.objects.order_by("pk").values_list("action", flat=True)
    assert list(actions) == [
        *["instruction_changed"] * 2,
        "glossary_changed",
        "instruction_changed",
        "glossary_changed",
    ]


def test_the_same_text_again_leaves_no_entry(test_set: TestSet, cast: Cast) -> None:
    for _twice in range(2):
        set_instruction(test_set=test_set, scope=Scope(), text="Keep the names.", by=cast.organiser)
    assert AuditEntry.objects.count() == 1


@pytest.mark.parametrize(
    ("scope", "field"),
    [
        (Scope(domain="sport"), "domain"),
        (Scope(document="cellar"), "document"),
        (Scope(document="harbour", domain="news"), "domain"),
    ],
)
def test_a_scope_that_the_test_set_does_not_have_is_refused(test_set: TestSet, scope: Scope, field: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        set_instruction(test_set=test_set, scope=scope, text="Keep the names.", by=None)
    assert list(refusal.value.errors) == [field]


def test_every_error_of_a_glossary_is_reported_with_its_term(test_set: TestSet) -> None:
    wrong = [
        GlossaryTerm(" ", ("Fähre",)),
        GlossaryTerm("quay"),
        GlossaryTerm("pear", ("Birne",), ("birne",)),
        GlossaryTerm("x" * 201, ("y",), (), "z" * 501),
    ]
    with pytest.raises(InvalidInput) as refusal:
        set_glossary(test_set=test_set, scope=Scope(), terms=[FERRY, *wrong], by=None)
    assert refusal.value.errors["glossary"] == [
        "Term 2, term: Write the term of the source.",
        "Term 3, required: Give a required or a forbidden translation, or a note.",
        "Term 4, forbidden: “birne” cannot be both required and forbidden.",
        "Term 5, term: A term or translation has at most 200 characters.",
        "Term 5, note: A note has at most 500 characters.",
    ]
    assert not TextGuidance.objects.exists()


@pytest.mark.parametrize("text", ["x" * 5001, "a\x00b"])
def test_an_instruction_that_cannot_be_stored_is_refused(test_set: TestSet, text: str) -> None:
    with pytest.raises(InvalidInput):
        set_instruction(test_set=test_set, scope=Scope(), text=text, by=None)
