"""TMX 1.4 from texts, whether of a campaign or of a file; `tmx` reads it.

Each translation is a unit of its own, on a line of its own: every unit has one text in each of the two languages.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby

from exchange.formats.xliff_codes import attribute, plain, tmx_content
from exchange.formats.xliff_writer import Form, TextFile, Unit
from metrics import VERSION


def write_tmx(files: Iterable[TextFile], form: Form) -> Iterator[str]:
    """Files of one document follow one another. Segments without a translation are left out."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<tmx version="1.4">\n'
    yield f'<header creationtool="Assay" creationtoolversion="{VERSION}" o-tmf="Assay" datatype="plaintext" '
    yield f'segtype="block" adminlang="en" srclang={attribute(form.source_language)}/>\n<body>\n'
    for document, several in groupby(files, key=lambda file: file.document):
        taken: set[str] = set()
        for file in several:
            for unit in file.units:
                for text, by, person in _translations(file, unit):
                    name = _free(unit.name, "+".join(part for part in (by, person) if part), taken)
                    yield _unit(document, name, unit.source, form)
                    yield _variant(text, by, person, form)
    yield "</body>\n</tmx>\n"


def _translations(file: TextFile, unit: Unit) -> Iterator[tuple[str, str, str]]:
    """Each with its system or the name of the reference, and its editor."""
    if unit.target is not None:
        yield unit.target, file.system, file.person
    yield from ((match.text, match.origin, "") for match in unit.matches if match.is_reference)


def _free(name: str, by: str, taken: set[str]) -> str:
    """The name of the segment, for further translations of it with whose they are."""
    names = (name, f"{name} {by}", *(f"{name} {by} {number}" for number in range(2, len(taken) + 3)))
    free = next(each for each in names if each not in taken)
    taken.add(free)
    return free


def _unit(document: str, name: str, source: str, form: Form) -> str:
    text = tmx_content(source, with_codes=form.with_codes)
    return (
        f'<tu tuid={attribute(name)}><prop type="x-document">{plain(document)}</prop>'
        f"<tuv xml:lang={attribute(form.source_language)}><seg>{text}</seg></tuv>"
    )


def _variant(text: str, by: str, person: str, form: Form) -> str:
    editor = f" changeid={attribute(person)}" if person else ""
    system = f'<prop type="x-system">{plain(by)}</prop>' if by else ""
    content = tmx_content(text, with_codes=form.with_codes)
    return f"<tuv xml:lang={attribute(form.target_language)}{editor}>{system}<seg>{content}</seg></tuv></tu>\n"
