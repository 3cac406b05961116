"""Error spans that a file suggests for translations: checked against the texts they stand in."""

from collections.abc import Iterator, Mapping
from typing import Any

from campaigns.importing.problems import Problems

SEVERITIES = ("neutral", "minor", "major", "critical")
SIDES = ("target", "source")
CATEGORY_LIMIT = 150
MOST = 500
_KEYS = ("side", "start", "end", "severity", "category")

Suggested = dict[str, list[dict[str, Any]]]


def suggested_from(
    given: object, source: str, translations: Mapping[str, str], *, file: str, line: int, problems: Problems
) -> Suggested:
    """By system, ready to be stored; whatever is wrong stands among the problems."""
    if given in (None, {}):
        return {}
    if not (isinstance(given, dict) and all(isinstance(spans, list) for spans in given.values())):
        problems.add(file, line, "suggested", "This must be an object of lists by system.")
        return {}
    found: Suggested = {}
    for system, spans in given.items():
        text = translations.get(system.strip())
        if text is None:
            problems.add(file, line, "suggested", "Errors are suggested for a system without a translation.", system)
            continue
        if len(spans) > MOST:
            problems.add(file, line, "suggested", f"{len(spans)} errors, at most {MOST} fit.", system)
        found[system.strip()] = []
        for place, span in enumerate(spans[:MOST]):
            column = f"suggested.{system}.{place}"
            faults = list(_faults(span, {"target": text, "source": source}))
            for message, value in faults:
                problems.add(file, line, column, message, value)
            if not faults:
                found[system.strip()].append(_plain(span))
    return found


def _plain(span: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "side": span.get("side", "target"),
        "start": span["start"],
        "end": span["end"],
        "severity": span["severity"].lower(),
        "category": span.get("category") or "",
    }


def _faults(span: object, texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Each with the value that is wrong."""
    if not isinstance(span, dict):
        yield "A suggested error is an object with start, end and severity.", str(span)
        return
    for key in sorted(set(span) - set(_KEYS)):
        yield f"There is no such key. Known: {', '.join(_KEYS)}.", key
    side, severity, category = span.get("side", "target"), span.get("severity"), span.get("category") or ""
    if side not in SIDES:
        yield "The side is target or source.", str(side)
    if not isinstance(severity, str) or severity.lower() not in SEVERITIES:
        yield f"The severity is one of {', '.join(SEVERITIES)}.", str(severity)
    if not isinstance(category, str) or len(category) > CATEGORY_LIMIT or "\x00" in category:
        yield f"A category is a text of at most {CATEGORY_LIMIT} characters.", str(category)
    start, end = span.get("start"), span.get("end")
    if type(start) is not int or type(end) is not int:
        yield "Start and end are whole numbers, counted in characters (code points) from 0.", f"{start}, {end}"
    elif side in SIDES and not 0 <= start <= end <= len(texts[side]):
        yield (
            f"Start and end lie within the text, from 0 to {len(texts[side])}, and start is not behind end.",
            (f"{start}, {end}"),
        )
