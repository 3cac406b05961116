"""What lies beside the text of a segment, for readers of results: hits of the glossary, codes, hidden markup."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from annotation.beside.glossary_hits import OutputHits, TermHits, glossary_hits
from annotation.beside.inline_codes import MARKUP as MARKUP_PATTERN
from annotation.beside.inline_codes import codes_in, lost_codes
from campaigns.actions.text_guidance import GlossaryTerm
from frontend.researcher.drawn_text import MARKUP, Hint
from metrics.segments.sheet import SegmentSheet

TERM, REQUIRED, FORBIDDEN = "term", "required", "forbidden"


@dataclass(frozen=True)
class OutputBeside:
    """`unused` are terms without any of their required translations, `forbidden` those with a forbidden one."""

    hints: Sequence[Hint] = ()
    lost: Sequence[str] = ()
    unused: Sequence[GlossaryTerm] = ()
    forbidden: Sequence[tuple[GlossaryTerm, str]] = ()


@dataclass(frozen=True)
class SegmentBeside:
    sheet: SegmentSheet

    @property
    def source_hints(self) -> list[Hint]:
        terms = [Hint(TERM, *place) for hits in self.terms for place in hits.source]
        return [*_in_text(self.sheet.segment.source or ""), *terms]

    @cached_property
    def terms(self) -> list[TermHits]:
        source, guidance = self.sheet.segment.source, self.sheet.guidance
        if not source or not guidance.terms:
            return []
        languages = {"source_language": guidance.source_language, "target_language": guidance.target_language}
        return glossary_hits(guidance.terms, source, self._texts, **languages)

    @cached_property
    def _texts(self) -> list[str]:
        return [output.translation.text or "" for output in self.sheet.outputs]

    def of_output(self, place: int) -> OutputBeside:
        """Of the output at a place of the sheet; one without text says nothing."""
        text, own = self._texts[place], [(hits.term, hits.outputs[place]) for hits in self.terms]
        if not text.strip():
            return OutputBeside()
        return OutputBeside(
            hints=[*_in_text(text), *(hint for _term, hits in own for hint in _hints(hits))],
            lost=lost_codes(self.sheet.segment.source or "", text),
            unused=[term for term, hits in own if term.required and not hits.required],
            forbidden=[(term, text[slice(*place)]) for term, hits in own for place in hits.forbidden[:1]],
        )


def _hints(hits: OutputHits) -> list[Hint]:
    required = [Hint(REQUIRED, *place) for place in hits.required]
    return required + [Hint(FORBIDDEN, *place) for place in hits.forbidden]


def _in_text(text: str) -> list[Hint]:
    hidden = [Hint(MARKUP, *found.span()) for found in MARKUP_PATTERN.finditer(text)]
    return hidden + [Hint(code.kind, code.start, code.end) for code in codes_in(text)]
