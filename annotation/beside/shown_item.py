"""What is told beside an item as its annotator sees it: nothing of a text that is hidden from them."""

from collections.abc import Mapping
from dataclasses import dataclass

from annotation.beside.glossary_hits import TermHits, glossary_hits
from annotation.beside.inline_codes import InlineCode, codes_in, lost_codes
from annotation.protocols.base import ShownItem
from campaigns.actions.text_guidance import GlossaryTerm

SOURCE = ""  # in place of a slot


@dataclass(frozen=True)
class Glossary:
    """The terms for a document, with the languages of its texts."""

    terms: tuple[GlossaryTerm, ...]
    source_language: str
    target_language: str


@dataclass(frozen=True)
class BesideItem:
    """By slot the inline codes and those of the source that are lost; terms with hits by slot in the item's order."""

    codes: Mapping[str, tuple[InlineCode, ...]]
    lost: Mapping[str, tuple[str, ...]]
    terms: tuple[TermHits, ...]


def beside_item(shown: ShownItem, glossary: Glossary | None = None) -> BesideItem | None:
    """None where there is nothing to tell."""
    source, outputs = shown.source, {slot.label: slot.text or "" for slot in shown.slots}
    texts = {SOURCE: source or "", **outputs}
    codes = {label: found for label, text in texts.items() if (found := tuple(codes_in(text)))}
    lost: dict[str, tuple[str, ...]] = {}
    terms: list[TermHits] = []
    if source is not None:
        lost = {label: tuple(gone) for label, text in outputs.items() if (gone := lost_codes(source, text))}
        if glossary and glossary.terms:
            languages = {"source_language": glossary.source_language, "target_language": glossary.target_language}
            terms = glossary_hits(glossary.terms, source, list(outputs.values()), **languages)
    return BesideItem(codes, lost, tuple(terms)) if codes or lost or terms else None
