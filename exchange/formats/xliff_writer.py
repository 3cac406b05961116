"""XLIFF 1.2 and 2.1 from texts, whether of a campaign or of a file; `xliff` reads both.

Each `file` is a document in the words of one system, so that a translation tool has one target for each unit.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from exchange.formats.xliff import OWN_ID, REFERENCE_MATCH
from exchange.formats.xliff_codes import Issue, NewUnit, attribute, old_content

_OLD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n',
    "</xliff>\n",
)
_NEW = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<xliff version="2.1" xmlns="urn:oasis:names:tc:xliff:document:2.0" '
    'xmlns:mtc="urn:oasis:names:tc:xliff:matches:2.0" xmlns:its="http://www.w3.org/2005/11/its" its:version="2.0" '
    "srcLang={source} trgLang={target}>\n"
)


class Match(NamedTuple):
    origin: str
    text: str
    is_reference: bool = False


@dataclass(frozen=True)
class Unit:
    """One segment. Without a `target` it is not translated yet."""

    name: str
    source: str
    target: str | None
    matches: Sequence[Match] = ()
    issues: Sequence[Issue] = ()


@dataclass(frozen=True)
class TextFile:
    """A document with the targets of one system, or what a person has made of them."""

    document: str
    system: str
    person: str
    units: Iterable[Unit]


@dataclass(frozen=True)
class Form:
    """`with_codes`: placeholders in the texts are codes, because they came from a translation tool."""

    source_language: str
    target_language: str
    with_codes: bool


def write_old(files: Iterable[TextFile], form: Form) -> Iterator[str]:
    """Version 1.2; it has no place for marked errors."""
    yield _OLD[0]
    languages = f"source-language={attribute(form.source_language)} target-language={attribute(form.target_language)}"
    for file in files:
        yield f'<file original={attribute(file.document)} {languages} datatype="plaintext">\n'
        if file.system:
            process = "post-editing" if file.person else "translation"
            person = f" contact-name={attribute(file.person)}" if file.person else ""
            yield f'<header><phase-group><phase phase-name="1" process-name="{process}" tool-id="system"{person}/>'
            yield f'</phase-group><tool tool-id="system" tool-name={attribute(file.system)}/></header>\n'
        yield "<body>\n"
        for unit in file.units:
            yield _old_unit(unit, form, has_phase=bool(file.system))
        yield "</body></file>\n"
    yield _OLD[1]


def _old_unit(unit: Unit, form: Form, *, has_phase: bool) -> str:
    phase = ' phase-name="1"' if has_phase else ""
    pieces = [f'<trans-unit id={attribute(unit.name)} xml:space="preserve">']
    pieces.append(f"<source>{old_content(unit.source, with_codes=form.with_codes)}</source>")
    if unit.target is not None:
        pieces.append(
            f'<target{phase} state="translated">{old_content(unit.target, with_codes=form.with_codes)}</target>'
        )
    for match in unit.matches:
        kind = "reference" if match.is_reference else "proposal"
        text = old_content(match.text, with_codes=form.with_codes)
        pieces.append(
            f'\n <alt-trans origin={attribute(match.origin)} alttranstype="{kind}"><target>{text}</target></alt-trans>'
        )
    return "".join([*pieces, "</trans-unit>\n"])


def write_new(files: Iterable[TextFile], form: Form) -> Iterator[str]:
    """Version 2.1, with marked errors as ITS `locQualityIssue`."""
    yield _NEW.format(source=attribute(form.source_language), target=attribute(form.target_language))
    for number, file in enumerate(files, start=1):
        person = f" its:revPerson={attribute(file.person)}" if file.person else ""
        tool = f" its:tool={attribute(file.system)}{person}" if file.system else ""
        yield f'<file id="f{number}" original={attribute(file.document)} xml:space="preserve"{tool}>\n'
        for place, unit in enumerate(file.units, start=1):
            yield _new_unit(unit, place, form)
        yield "</file>\n"
    yield "</xliff>\n"


def _new_unit(unit: Unit, place: int, form: Form) -> str:
    written = NewUnit(form.with_codes)
    source = written.content(unit.source, [issue for issue in unit.issues if issue.side == "source"])
    target = None
    if unit.target is not None:
        target = written.content(unit.target, [issue for issue in unit.issues if issue.side != "source"])
    matches = "".join(_new_match(match, unit.source, form) for match in unit.matches)
    pieces = [f'<unit id="{OWN_ID}{place}" name={attribute(unit.name)}>']
    if matches:
        pieces.append(f"\n <mtc:matches>{matches}</mtc:matches>")
    if written.data:
        data = "".join(f'<data id="{key}">{_data(content)}</data>' for content, key in written.data.items())
        pieces.append(f"\n <originalData>{data}</originalData>")
    state = "initial" if target is None else "translated"
    pieces.append(f'\n <segment id="s1" state="{state}"><source>{source}</source>')
    pieces.append("" if target is None else f"<target>{target}</target>")
    return "".join([*pieces, "</segment></unit>\n"])


def _new_match(match: Match, source: str, form: Form) -> str:
    own = NewUnit(form.with_codes)
    kind = f' type="other" subType="{REFERENCE_MATCH}"' if match.is_reference else ' type="mt"'
    texts = [own.content(text, keeps_data=False) for text in (source, match.text)]
    return (
        f'<mtc:match ref="#s1" origin={attribute(match.origin)}{kind}><source>{texts[0]}</source>'
        f"<target>{texts[1]}</target></mtc:match>"
    )


def _data(content: str) -> str:
    return old_content(content, with_codes=False)
