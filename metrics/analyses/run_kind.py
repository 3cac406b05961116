"""The analysis of a campaign as a background run, and how its result is stored.

Long parts that no page shows in full are stored in rows of their own, beside the part that pages read.
"""

from collections.abc import Mapping
from typing import Any

from campaigns.models import Campaign, TestSet
from jobs.models import Run
from jobs.run_kinds import InvalidRun, LongPart, OnProgress, Part, RunFailed, RunKind
from metrics.analyses import analyse, check_request
from metrics.analyses.shared_ratings import MOST_IN_A_MATRIX, shared_by_annotator, who_share_most
from metrics.recipes import AnalysisError

_OF_PAIRS = ("pairs", "few_shared")


def _check(arguments: Mapping[str, Any]) -> dict[str, Any]:
    unknown = sorted(set(arguments) - {"recipe", "analyses", "options"})
    if unknown:
        raise InvalidRun(f"An analysis has no argument {', '.join(unknown)}; it takes recipe, analyses and options.")
    recipe, analyses, options = (arguments.get(name) for name in ("recipe", "analyses", "options"))
    if recipe is not None and not isinstance(recipe, str):
        raise InvalidRun("The recipe of an analysis is a name.")
    if analyses is not None and not (isinstance(analyses, list) and all(isinstance(name, str) for name in analyses)):
        raise InvalidRun("The analyses to perform are a list of names.")
    if options is not None and not isinstance(options, dict):
        raise InvalidRun("The options of an analysis are values by name.")
    return {"recipe": recipe, "analyses": analyses, "options": dict(sorted((options or {}).items()))}


def _check_for(arguments: Mapping[str, Any], campaign: Campaign | None, _test_set: TestSet | None) -> None:
    if campaign is not None:
        try:
            check_request(campaign, **arguments)
        except AnalysisError as error:
            raise InvalidRun(str(error)) from error


def _perform(run: Run, on_progress: OnProgress) -> dict[str, Any]:
    if run.campaign is None:
        raise RunFailed("The campaign of this analysis is gone.")
    try:
        return analyse(run.campaign, **run.arguments, on_progress=on_progress)
    except AnalysisError as error:
        raise RunFailed(str(error)) from error


def _sharing(entry: Part) -> dict[str, int]:
    pairs = (*entry["pairs"], *entry.get("few_shared", []))
    return shared_by_annotator((pair["annotators"], pair["n"]) for pair in pairs)


def _without_segments(errors: Part) -> tuple[Part, Any]:
    return {name: value for name, value in errors.items() if name != "segments"}, errors.get("segments")


def _with_segments(errors: Part, segments: Any) -> Part:
    return {**errors, "segments": segments}


def _with_pairs_of_a_page(agreement: Part) -> tuple[Part, Any]:
    """All pairs are the long part: by measure, those of preferences under an empty name."""
    entries = _entries(agreement)
    if all(len(_sharing(entry)) <= MOST_IN_A_MATRIX for entry in entries.values()):
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
    shared = _sharing(entry)
    shown = set(who_share_most(shared))
    shortened = {
        key: [pair for pair in entry[key] if shown.issuperset(pair["annotators"])] for key in _OF_PAIRS if key in entry
    }
    return {**entry, **shortened, "sharing": len(shared)}


def _entries(agreement: Part) -> dict[str, Part]:
    measures: dict[str, Part] = {entry["measure"]: entry for entry in agreement["measures"]}
    return {**measures, "": agreement["preference"]} if agreement["preference"] else measures


def _changed(agreement: Part, entries: Mapping[str, Part]) -> Part:
    measures = [entries[entry["measure"]] for entry in agreement["measures"]]
    return {**agreement, "measures": measures, "preference": entries.get("", agreement["preference"])}


LONG_PARTS: Mapping[str, LongPart] = {
    "errors": LongPart("errors.segments", _without_segments, _with_segments),
    "agreement": LongPart("agreement.pairs", _with_pairs_of_a_page, _with_all_pairs),
}
ANALYSIS = RunKind(_check, _perform, check_for=_check_for, needs_campaign=True, parts="analyses", long_parts=LONG_PARTS)
