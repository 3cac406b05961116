"""Texts with the placeholders of `inline_codes` as elements of XLIFF 1.2 or 2.1, with marked errors in 2.1, or TMX."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

from exchange.formats.inline_codes import PAIRS, Code, codes_in

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NOT_TOKEN = re.compile(r"[^\w.\-:]")
_POSITIONS = {"begin": "open", "end": "close"}
# MQM's weights of errors, 0, 1, 5 and 25, times four: ITS has 0 to 100
SEVERITIES = {"neutral": 0, "minor": 4, "major": 20, "critical": 100}
_ISSUES = {
    "addition": "addition",
    "audience-appropriateness": "other",
    "character-encoding": "characters",
    "design": "formatting",
    "design-and-markup": "formatting",
    "fluency": "other",
    "grammar": "grammar",
    "grammatical-register": "register",
    "inconsistency": "inconsistency",
    "inconsistent-style": "style",
    "inconsistent-with-external-reference": "inconsistency",
    "language-register": "register",
    "length": "length",
    "link-cross-reference": "inconsistency",
    "linguistic-conventions": "other",
    "locale-convention": "locale-violation",
    "locale-conventions": "locale-violation",
    "markup": "markup",
    "markup-tag": "markup",
    "missing": "omission",
    "missing-text": "omission",
    "mistranslation": "mistranslation",
    "non-translation": "untranslated",
    "omission": "omission",
    "punctuation": "typographical",
    "register": "register",
    "accuracy": "mistranslation",
    "source-language-fragment": "untranslated",
    "spelling": "misspelling",
    "style": "style",
    "terminology": "terminology",
    "truncation-or-text-expansion": "length",
    "truncation-text-expansion": "length",
    "untranslated": "untranslated",
    "untranslated-text": "untranslated",
}


@dataclass(frozen=True)
class Issue:
    """A marked error, half-open in code points of its side."""

    side: str
    start: int
    end: int
    category: str
    severity: str
    note: str
    annotator: str


def issue_type(category: str) -> str:
    """ITS's word for a category: by its last part that has one, from the right."""
    if not category:
        return "uncategorized"
    return next((_ISSUES[part] for part in reversed(category.split("/")) if part in _ISSUES), "other")


def plain(text: str) -> str:
    """XML has no place for some characters, a text may have them."""
    return escape(_NOT_XML.sub("\ufffd", text), {"\r": "&#13;"})


def attribute(value: str) -> str:
    return quoteattr(_NOT_XML.sub("\ufffd", value))


def old_content(text: str, *, with_codes: bool) -> str:
    """For version 1.2."""
    return _written(text, (), _old_tag) if with_codes else plain(text)


def _old_tag(code: Code) -> str:
    own = code.attributes
    name = {"pc": "g", "sc": "bx", "ec": "ex", "cp": "x", "ut": "ph"}.get(code.name, code.name)
    if code.is_end:
        return f"</{name}>"
    key = own.get("id") or own.get("startRef") or own.get("i") or own.get("x") or own.get("hex") or "1"
    tag = f"<{name} id={attribute(key)}"
    if name in ("bx", "ex", "bpt", "ept") and code.key and code.key != key:
        tag += f" rid={attribute(code.key)}"
    if name == "it":
        position = own.get("pos", "")
        tag += f" pos={attribute(_POSITIONS.get(position, 'close' if position == 'close' else 'open'))}"
    if name in PAIRS:
        return f"{tag}>"
    return f"{tag}/>" if name in ("x", "bx", "ex") else f"{tag}>{plain(code.content)}</{name}>"


def tmx_content(text: str, *, with_codes: bool) -> str:
    """What TMX does not know is what a `ph` stands for."""
    return _written(text, (), lambda code: _tmx_tag(code, text[code.start : code.end])) if with_codes else plain(text)


def _tmx_tag(code: Code, written: str) -> str:
    name, own = code.name, code.attributes
    attributes = {"x": own["x"]} if "x" in own and name != "ept" else {}
    if name in ("bpt", "ept"):
        attributes = {"i": code.key or "1"} | attributes
    elif name == "it":
        attributes = {"pos": "end" if own.get("pos") in ("end", "close") else "begin"} | attributes
    elif name != "ph" or not (code.content or attributes):
        return f"<ph>{plain(written)}</ph>"
    values = "".join(f" {key}={attribute(value)}" for key, value in attributes.items())
    return f"<{name}{values}>{plain(code.content)}</{name}>"


@dataclass
class NewUnit:
    """One `unit` of version 2.1: its identifiers, each once, and what codes stand for."""

    with_codes: bool
    data: dict[str, str] = field(default_factory=dict)
    _names: dict[tuple[str, str], str] = field(default_factory=dict)

    def content(self, text: str, issues: Sequence[Issue] = (), *, keeps_data: bool = True) -> str:
        """`keeps_data`: of the unit itself; a match has no place for what its codes stand for."""
        open_codes = {(code.name, code.key) for code in self._codes(text)}
        return _written(
            text,
            issues,
            lambda code: self._tag(code, open_codes, keeps_data=keeps_data),
            self._marks,
            has_codes=self.with_codes,
        )

    def _codes(self, text: str) -> Iterator[Code]:
        return codes_in(text) if self.with_codes else iter(())

    def _identifier(self, kind: str, key: str) -> str:
        """The same for the same code in source and target; another one if something else has it already."""
        if (kind, key) not in self._names:
            wanted = _NOT_TOKEN.sub("_", key) or "c"
            taken = set(self._names.values())
            several = (f"{kind}{wanted}" if number == 1 else f"{kind}{wanted}_{number}" for number in range(1, 10**6))
            self._names[kind, key] = wanted if wanted not in taken else next(n for n in several if n not in taken)
        return self._names[kind, key]

    def _tag(self, code: Code, in_text: set[tuple[str, str]], *, keeps_data: bool) -> str:
        name, key = code.name, code.key
        if code.is_end:
            return "</pc>"
        if name in PAIRS:
            return f'<pc id="{self._identifier("pc", key)}">'
        data = self._data(code) if keeps_data else ""
        begins = name in ("bx", "bpt", "sc")
        if begins or name in ("ex", "ept", "ec"):
            mate = {"bx": "ex", "bpt": "ept", "sc": "ec", "ex": "bx", "ept": "bpt", "ec": "sc"}[name]
            alone = (mate, key) not in in_text
            isolated = ' isolated="yes"' if alone else ""
            if begins:
                return f'<sc id="{self._identifier("sc", key)}"{data}{isolated}/>'
            if alone:
                return f'<ec id="{self._identifier("ec", key)}"{isolated}{data}/>'
            return f'<ec startRef="{self._identifier("sc", key)}"{data}/>'
        key = key or code.attributes.get("x", "") or code.attributes.get("hex", "")
        return f'<ph id="{self._identifier("ph", key)}"{data}/>'

    def _data(self, code: Code) -> str:
        if not code.content:
            return ""
        return f' dataRef="{self.data.setdefault(code.content, f"d{len(self.data) + 1}")}"'

    def _marks(self, issue: Issue, number: int) -> tuple[str, str]:
        key = self._identifier("q", f"{issue.side[0]}q{number}")
        comment = ": ".join(part for part in (issue.category, issue.note) if part)
        tag = f'<sm id="{key}" type="its:generic" its:locQualityIssueType="{issue_type(issue.category)}"'
        tag += f' its:locQualityIssueSeverity="{SEVERITIES.get(issue.severity, 0)}"'
        tag += f" its:locQualityIssueComment={attribute(comment)}" if comment else ""
        tag += f' its:annotatorsRef="localization-quality-issue|{quote(issue.annotator)}"'
        return f"{tag}/>", f'<em startRef="{key}"/>'


def _no_marks(_issue: Issue, _number: int) -> tuple[str, str]:
    return "", ""


def _written(
    text: str,
    issues: Sequence[Issue],
    tag: Callable[[Code], str],
    marks: Callable[[Issue, int], tuple[str, str]] = _no_marks,
    *,
    has_codes: bool = True,
) -> str:
    """Codes and the ends of marks in the order of the text; a mark that ends within a code goes around it."""
    codes = list(codes_in(text)) if has_codes else []
    points: list[tuple[int, int, int, str]] = []  # where, ends before beginnings, which, what
    for number, issue in enumerate(issues, start=1):
        start, end = (min(max(at, 0), len(text)) for at in (issue.start, issue.end))
        inside = [code for code in codes if code.start < start < code.end]
        start = inside[0].start if inside else start
        inside = [code for code in codes if code.start < end < code.end]
        end = inside[0].end if inside else max(start, end)
        opening, closing = marks(issue, number)
        points.append((start, 1, 2 * number, opening))
        points.append((end, 1 if end == start else 0, 2 * number + 1, closing))
    pieces, at = [], 0
    points.sort(key=lambda point: point[:3])
    for code in codes:
        while points and points[0][0] <= code.start:
            pieces += [plain(text[at : points[0][0]]), points[0][3]]
            at = points.pop(0)[0]
        pieces += [plain(text[at : code.start]), tag(code)]
        at = code.end
    for where, _order, _number, written in points:
        pieces += [plain(text[at:where]), written]
        at = where
    return "".join([*pieces, plain(text[at:])])
