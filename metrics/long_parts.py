"""What of an analysis is long and no page shows whole: a row of its own beside the part that pages read."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Part = Mapping[str, Any]
MOST_IN_A_MATRIX = 20  # annotators; of more, a page shows those who share most
_OF_PAIRS = ("pairs", "few_shared")


@dataclass(frozen=True)
class LongPart:
    """`split` takes a part into what pages read and what is long, None where it is short; `join` undoes that."""

    row: str
    split: Callable[[Part], tuple[Part, Any]]
    join: Callable[[Part, Any], Part]


def sharing(entry: Part) -> dict[str, int]:
    """By annotator, how much is shared with others, over all pairs that have anything in common."""
    shared: dict[str, int] = {}
    for pair in (*entry["pairs"], *entry.get("few_shared", [])):
        for name in pair["annotators"]:
            shared[name] = shared.get(name, 0) + pair["n"]
    return shared


def who_share_most(shared: Mapping[str, int]) -> list[str]:
    return sorted(sorted(shared, key=lambda name: -shared[name])[:MOST_IN_A_MATRIX])


def _without_segments(errors: Part) -> tuple[Part, Any]:
    return {name: value for name, value in errors.items() if name != "segments"}, errors.get("segments")


def _with_segments(errors: Part, segments: Any) -> Part:
    return {**errors, "segments": segments}


def _with_pairs_of_a_page(agreement: Part) -> tuple[Part, Any]:
    """Long is, by measure, and of preferences under an empty name, all that is said of pairs."""
    entries = _entries(agreement)
    if all(len(sharing(entry)) <= MOST_IN_A_MATRIX for entry in entries.values()):
        return agreement, None
    long = {name: {key: entry[key] for key in _OF_PAIRS if key in entry} for name, entry in entries.items()}
    return _changed(agreement, {name: _of_a_page(entry) for name, entry in entries.items()}), long


def _with_all_pairs(agreement: Part, long: Part) -> Part:
    entries = {
        name: {key: value for key, value in {**entry, **long.get(name, {})}.items() if key != "sharing"}
        for name, entry in _entries(agreement).items()
    }
    return _changed(agreement, entries)


def _of_a_page(entry: Part) -> Part:
    shared = sharing(entry)
    shown = set(who_share_most(shared))
    kept = {key: _among(shown, entry[key]) for key in _OF_PAIRS if key in entry}
    return {**entry, **kept, "sharing": len(shared)}


def _among(names: set[str], pairs: Sequence[Part]) -> list[Part]:
    return [pair for pair in pairs if names.issuperset(pair["annotators"])]


def _entries(agreement: Part) -> dict[str, Part]:
    found: dict[str, Part] = {entry["measure"]: entry for entry in agreement["measures"]}
    return {**found, "": agreement["preference"]} if agreement["preference"] else found


def _changed(agreement: Part, entries: Mapping[str, Part]) -> Part:
    measures = [entries[entry["measure"]] for entry in agreement["measures"]]
    return {**agreement, "measures": measures, "preference": entries.get("", agreement["preference"])}


LONG_PARTS: Mapping[str, LongPart] = {
    "errors": LongPart("errors.segments", _without_segments, _with_segments),
    "agreement": LongPart("agreement.pairs", _with_pairs_of_a_page, _with_all_pairs),
}
