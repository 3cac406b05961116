"""The analysis of a campaign as a background run, and how its result is stored."""

from collections.abc import Mapping
from typing import Any

from campaigns.models import Campaign, TestSet
from jobs.models import Run
from jobs.run_kinds import InvalidRun, OnProgress, RunFailed, RunKind
from metrics.analyses import LONG_PARTS, PARTS, analyse, check_request
from metrics.recipes import AnalysisError
from metrics.results.codec import from_json, to_json


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


def _split(results: Mapping[str, Any]) -> dict[str, Any]:
    rows = dict(results)
    for name, row in LONG_PARTS.items():
        if name in rows:
            rows[name], long = rows[name].split()
            rows |= {} if long is None else {row: long}
    return {name: to_json(row) for name, row in rows.items()}


def _join(rows: Mapping[str, Any]) -> dict[str, Any]:
    parts = dict(rows)
    for name, row in LONG_PARTS.items():
        if row in parts:
            short, long = from_json(PARTS[name], parts[name]), from_json(PARTS[row], parts.pop(row))
            parts[name] = to_json(short.join(long))
    return parts


ANALYSIS = RunKind(
    _check, _perform, check_for=_check_for, needs_campaign=True, parts="analyses", split=_split, join=_join
)
