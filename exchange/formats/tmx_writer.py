"""TMX 1.4 from texts, whether of a campaign or of a file; `tmx` reads it.

Each translation is a unit of its own, on a line of its own: every unit has one text in each of the two languages.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from exchange.formats.tmx import OF_REFERENCE, OF_SEGMENT, OF_SYSTEM
from exchange.formats.xliff import POST_EDITED
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
                for made in _translations(file, unit):
                    name = _free(unit.name, POST_EDITED.join(part for part in (made.by, made.person) if part), taken)
                    yield _unit(document, name, unit, form)
                    yield _variant(made, form)
    yield "</body>\n</tmx>\n"


class _Made(NamedTuple):
    """A translation with its system and editor, or the name of the reference."""

    kind: str
    text: str
    by: str
    person: str = ""


def _translations(file: TextFile, unit: Unit) -> Iterator[_Made]:
    if unit.target is not None:
        yield _Made(OF_SYSTEM, unit.target, file.system, file.person)
    yield from (_Made(OF_REFERENCE, match.text, match.origin) for match in unit.matches if match.is_reference)


def _free(name: str, by: str, taken: set[str]) -> str:
    """The name of the segment, for further translations of it with whose they are."""
    names = (name, f"{name} {by}", *(f"{name} {by} {number}" for number in range(2, len(taken) + 3)))
    free = next(each for each in names if each not in taken)
    taken.add(free)
    return free


def _unit(document: str, name: str, unit: Unit, form: Form) -> str:
    """A further translation says whose segment it is of, so that all are read as one."""
    text = tmx_content(unit.source, with_codes=form.with_codes)
    segment = "" if name == unit.name else f'<prop type="{OF_SEGMENT}">{plain(unit.name)}</prop>'
    return (
        f'<tu tuid={attribute(name)}><prop type="x-document">{plain(document)}</prop>{segment}'
        f"<tuv xml:lang={attribute(form.source_language)}><seg>{text}</seg></tuv>"
    )


def _variant(made: _Made, form: Form) -> str:
    editor = f" changeid={attribute(made.person)}" if made.person else ""
    name = f'<prop type="{made.kind}">{plain(made.by)}</prop>' if made.by else ""
    content = tmx_content(made.text, with_codes=form.with_codes)
    return f"<tuv xml:lang={attribute(form.target_language)}{editor}>{name}<seg>{content}</seg></tuv></tu>\n"
