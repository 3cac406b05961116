"""What annotators are told beside a document: its instruction, and the terms with required translations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q

from annotation.beside.shown_item import Glossary
from campaigns.actions.text_guidance import GlossaryTerm
from campaigns.models import TextGuidance


@dataclass(frozen=True)
class DocumentGuidance:
    """`instruction` is the nearest one: the document's own, else its domain's, else the test set's.

    `terms` are those of all three; of a term that several have, the nearest counts.
    """

    instruction: str = ""
    terms: tuple[GlossaryTerm, ...] = ()
    source_language: str = ""
    target_language: str = ""

    @property
    def glossary(self) -> Glossary:
        return Glossary(self.terms, self.source_language, self.target_language)


def has_guidance(test_set: str) -> Exists:
    """Whether anything is to be told beside the texts of a test set."""
    return Exists(TextGuidance.objects.filter(test_set=OuterRef(test_set)))


def guidance_for(test_set: int, domains: Mapping[int, str]) -> dict[int, DocumentGuidance]:
    """By document; `domains` are those of the documents. One query."""
    wide = Q(document=None, domain__in={"", *domains.values()})
    rows = TextGuidance.objects.filter(Q(document__in=domains) | wide, test_set=test_set)
    rows = rows.select_related("test_set")
    by_scope = {(row.document_id, row.domain): row for row in rows}
    return {
        document: _joined([by_scope.get(scope) for scope in ((document, ""), (None, domain), (None, ""))])
        for document, domain in domains.items()
    }


def _joined(nearest_first: Sequence[TextGuidance | None]) -> DocumentGuidance:
    rows = list(dict.fromkeys(row for row in nearest_first if row is not None))
    terms: dict[str, GlossaryTerm] = {}
    for row in rows:
        for stored in row.glossary:
            term = GlossaryTerm.of(stored)
            terms.setdefault(term.term.casefold(), term)
    instruction = next((row.instruction for row in rows if row.instruction), "")
    languages = (rows[0].test_set.source_language, rows[0].test_set.target_language) if rows else ("", "")
    return DocumentGuidance(instruction, tuple(terms.values()), *languages)
