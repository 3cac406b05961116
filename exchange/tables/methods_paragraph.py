"""The paragraph as people take it away: as text, as LaTeX, with the BibTeX entries it names."""

import re
from dataclasses import dataclass

from django.utils.translation import override

from exchange.tables.paper_tables import latex_piece
from jobs.models import Run
from metrics.methods.facts import facts_of
from metrics.methods.sentences import sentences
from metrics.methods.sources import SOURCES, bibliography

_SOURCE = re.compile(r"\{([a-z]+-\d{4}-[a-z]+)\}")


@dataclass(frozen=True)
class Methods:
    text: str
    latex: str
    bibtex: str
    signature: str


def methods_of(run: Run) -> Methods | None:
    """None where the run cannot say what it rested on."""
    with override("en"):  # papers are in English, and so are its citations
        facts = facts_of(run)
        return None if facts is None else written(sentences(facts), facts.signature)


def written(paragraph: list[str], signature: str) -> Methods:
    keys = sorted({key for sentence in paragraph for key in _SOURCE.findall(sentence)})
    return Methods(
        text=" ".join(_SOURCE.sub(lambda found: _named(found[1]), sentence) for sentence in paragraph),
        latex=" ".join(_as_latex(sentence) for sentence in paragraph),
        bibtex=bibliography(keys),
        signature=signature,
    )


def _named(key: str) -> str:
    return f"{SOURCES[key].authors}, {SOURCES[key].year}"


def _as_latex(sentence: str) -> str:
    r"""Within brackets a source is \citealp, which needs natbib, as most styles of papers load."""
    parts = _SOURCE.split(sentence)
    return "".join(f"\\citealp{{{part}}}" if place % 2 else latex_piece(part) for place, part in enumerate(parts))
