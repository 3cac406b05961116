"""What annotators are told beside the texts of a test set, a domain or a document: stored, changed, taken away."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from campaigns.actions.audit import record
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Document, TestSet, TextGuidance
from campaigns.reading.problems import text_error

INSTRUCTION_LIMIT = 5_000
TERM_LIMIT = 200
NOTE_LIMIT = 500
MOST_TRANSLATIONS = 20
MOST_TERMS = 5_000


@dataclass(frozen=True)
class GlossaryTerm:
    """A term of the source: one of `required` must translate it, none of `forbidden` may."""

    term: str
    required: Sequence[str] = ()
    forbidden: Sequence[str] = ()
    note: str = ""

    @staticmethod
    def of(stored: Mapping[str, Any]) -> "GlossaryTerm":
        return GlossaryTerm(
            stored["term"], tuple(stored["required"]), tuple(stored["forbidden"]), stored.get("note", "")
        )


@dataclass(frozen=True)
class Scope:
    """A document by its name, or a domain; with neither all texts of the test set."""

    document: str = ""
    domain: str = ""


def term_errors(term: GlossaryTerm) -> dict[str, str]:
    """What is wrong with a term, by its part."""
    errors: dict[str, str] = {}
    translations = {"required": term.required, "forbidden": term.forbidden}
    if not term.term.strip():
        errors["term"] = _("Write the term of the source.")
    if not (term.required or term.forbidden or term.note.strip()):
        errors["required"] = _("Give a required or a forbidden translation, or a note.")
    for name, texts in {"term": (term.term,), **translations}.items():
        if any(len(text) > TERM_LIMIT for text in texts):
            errors[name] = _("A term or translation has at most %(count)d characters.") % {"count": TERM_LIMIT}
        if error := next((error for text in texts if (error := text_error(text))), None):
            errors[name] = error
    for name, texts in translations.items():
        if len(texts) > MOST_TRANSLATIONS:
            errors[name] = _("Give at most %(count)d translations.") % {"count": MOST_TRANSLATIONS}
    both = {text.casefold() for text in term.required} & {text.casefold() for text in term.forbidden}
    if both:
        message = _("“%(text)s” cannot be both required and forbidden.")
        errors["forbidden"] = message % {"text": sorted(both)[0]}
    if len(term.note) > NOTE_LIMIT:
        errors["note"] = _("A note has at most %(count)d characters.") % {"count": NOTE_LIMIT}
    elif error := text_error(term.note):
        errors["note"] = error
    return errors


def set_instruction(*, test_set: TestSet, scope: Scope, text: str, by: Account | None) -> TextGuidance | None:
    """None where nothing is left to be said; an empty text takes the instruction away."""
    if error := instruction_error(text):
        raise InvalidInput.of("instruction", error)
    return _changed(test_set, scope, by, action="instruction_changed", instruction=_plain(text))


def instruction_error(text: str) -> str | None:
    text = _plain(text)
    if len(text) > INSTRUCTION_LIMIT:
        message = _("An instruction has at most %(limit)d characters; this one has %(count)d.")
        return message % {"limit": INSTRUCTION_LIMIT, "count": len(text)}
    return text_error(text)


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").strip()


def set_glossary(
    *, test_set: TestSet, scope: Scope, terms: Sequence[GlossaryTerm], by: Account | None
) -> TextGuidance | None:
    """Replaces the glossary of this scope; none takes it away. None is returned where nothing is left to be said."""
    if len(terms) > MOST_TERMS:
        raise InvalidInput.of("glossary", _("A glossary has at most %(count)d terms.") % {"count": MOST_TERMS})
    errors = [
        _("Term %(number)d, %(part)s: %(error)s") % {"number": number, "part": part, "error": error}
        for number, term in enumerate(terms, start=1)
        for part, error in term_errors(term).items()
    ]
    if errors:
        raise InvalidInput({"glossary": errors})
    stored = [{**asdict(term), "required": list(term.required), "forbidden": list(term.forbidden)} for term in terms]
    return _changed(test_set, scope, by, action="glossary_changed", glossary=stored)


def _changed(test_set: TestSet, scope: Scope, by: Account | None, *, action: str, **values: Any) -> TextGuidance | None:
    """One row for each scope; one that says nothing is deleted."""
    document = document_of(test_set, scope)
    with transaction.atomic():
        TestSet.objects.select_for_update().get(pk=test_set.pk)  # two people at once make one row
        rows = TextGuidance.objects.filter(test_set=test_set, document=document, domain=scope.domain)
        row = rows.first() or TextGuidance(test_set=test_set, document=document, domain=scope.domain)
        before = {name: getattr(row, name) for name in values}
        for name, value in values.items():
            setattr(row, name, value)
        if before != values:
            record(action=action, by=by, test_set=test_set.name, document=scope.document, domain=scope.domain)
        if row.instruction or row.glossary:
            row.save()
            return row
        if row.pk:
            row.delete()
        return None


def document_of(test_set: TestSet, scope: Scope) -> Document | None:
    """None for a domain or the whole test set; InvalidInput for what the test set does not have."""
    if scope.document and scope.domain:
        raise InvalidInput.of("domain", _("Choose a document or a domain, not both."))
    documents = Document.objects.filter(test_set=test_set)
    if scope.domain and not documents.filter(domain=scope.domain).exists():
        known = ", ".join(sorted(set(documents.exclude(domain="").values_list("domain", flat=True)))) or "-"
        message = _("No document has the domain “%(name)s”. Known: %(known)s.")
        raise InvalidInput.of("domain", message % {"name": scope.domain, "known": known})
    if not scope.document:
        return None
    document = documents.filter(name=scope.document).first()
    if document is None:
        raise InvalidInput.of("document", _("The test set has no document “%(name)s”.") % {"name": scope.document})
    return document
