"""The kinds of runs by name: what each takes, what performs it, which queue it waits in. Adding one is a line."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from campaigns.models import Campaign, TestSet
from metrics.long_parts import LONG_PARTS, LongPart
from metrics.models import ImportedScores, Run
from metrics.recipes import HIGHEST, LOWEST, AnalysisError
from metrics.running import OnProgress, RunFailed

MOST_RESAMPLED = 10_000  # of translations: all are drawn at once
_SCORING_NUMBERS = {"seed": HIGHEST["seed"], "resamples": MOST_RESAMPLED}
QUEUES = ("default", "metrics", "neural")


class InvalidRun(Exception):
    """A run that cannot be queued as asked, with a sentence fit for who asked."""


@dataclass(frozen=True)
class RunKind:
    """`check` returns the arguments as they are stored or raises `InvalidRun`; `perform` returns the result as JSON.

    `check_for` raises `InvalidRun` where such arguments cannot be met for that campaign or test set: what somebody
    mistyped is refused where they asked, and is no failure for others to read.

    `parts` names the key of the result under which parts stand by name; each is stored in a row of its own. So is, of
    the parts named in `apart`, what is long and no page shows.
    """

    check: Callable[[Mapping[str, Any]], dict[str, Any]]
    perform: Callable[[Run, OnProgress], dict[str, Any]]
    needs_campaign: bool = False
    needs_test_set: bool = False
    check_for: Callable[[Mapping[str, Any], Campaign | None, TestSet | None], None] | None = None
    queue: str = "default"
    parts: str | None = None
    apart: Mapping[str, LongPart] = field(default_factory=lambda: LONG_PARTS)

    def rows_of(self, result: Mapping[str, Any]) -> dict[str, Any]:
        """The parts of a result by the names of their rows."""
        rows = dict(result.get(self.parts, {})) if self.parts else {}
        for name, long in self.apart.items():
            if name in rows:
                rows[name], rest = long.split(rows[name])
                rows |= {} if rest is None else {long.row: rest}
        return rows

    def whole(self, result: Mapping[str, Any], rows: Mapping[str, Any]) -> dict[str, Any]:
        """The result as it was before it was laid in rows."""
        parts = dict(rows)
        for name, long in self.apart.items():
            if long.row in parts:
                parts[name] = long.join(parts[name], parts.pop(long.row))
        return {**result, **({self.parts: parts} if self.parts else {})}


def _check_analysis(arguments: Mapping[str, Any]) -> dict[str, Any]:
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


def _check_analysis_for(arguments: Mapping[str, Any], campaign: Campaign | None, _test_set: TestSet | None) -> None:
    from metrics.analyses import check_request  # noqa: PLC0415 - scipy costs commands that ask for nothing their start

    if campaign is not None:
        try:
            check_request(campaign, **arguments)
        except AnalysisError as error:
            raise InvalidRun(str(error)) from error


def _perform_analysis(run: Run, on_progress: OnProgress) -> dict[str, Any]:
    from metrics.analyses import analyse  # noqa: PLC0415 - scipy costs a second, and only workers need it

    if run.campaign is None:
        raise RunFailed("The campaign of this analysis is gone.")
    try:
        return analyse(run.campaign, **run.arguments, on_progress=on_progress)
    except AnalysisError as error:
        raise RunFailed(str(error)) from error


def _check_upload(arguments: Mapping[str, Any]) -> dict[str, Any]:
    if not arguments.get("files") and not arguments.get("test_set"):
        raise InvalidRun("There are no files to read.")
    return dict(arguments)


def _perform_inspection(run: Run, on_progress: OnProgress) -> dict[str, Any]:
    from metrics.preparation import perform_inspection  # noqa: PLC0415 - only workers read files

    return perform_inspection(run, on_progress)


def _perform_creation(run: Run, on_progress: OnProgress) -> dict[str, Any]:
    from metrics.preparation import perform_creation  # noqa: PLC0415 - only workers plan campaigns

    return perform_creation(run, on_progress)


def _check_rebuilding(arguments: Mapping[str, Any]) -> dict[str, Any]:
    if not arguments.get("files") or not arguments.get("name"):
        raise InvalidRun("To rebuild a campaign takes an archive and a name.")
    return dict(arguments)


def _perform_rebuilding(run: Run, on_progress: OnProgress) -> dict[str, Any]:
    from exchange.archive.rebuilding import perform_rebuilding  # noqa: PLC0415 - only workers read files

    return perform_rebuilding(run, on_progress)


def _check_extension(arguments: Mapping[str, Any]) -> dict[str, Any]:
    redundancy = arguments.get("redundancy")
    if set(arguments) != {"redundancy"} or not isinstance(redundancy, int) or redundancy < 1:
        raise InvalidRun("An extension has one argument: redundancy, the judgments of each segment from then on.")
    return {"redundancy": redundancy}


def _perform_extension(run: Run, on_progress: OnProgress) -> dict[str, Any]:
    from metrics.preparation import perform_extension  # noqa: PLC0415 - only workers plan campaigns

    return perform_extension(run, on_progress)


def _perform_test_set(run: Run, on_progress: OnProgress) -> dict[str, Any]:
    from metrics.preparation import perform_test_set  # noqa: PLC0415 - only workers read files

    return perform_test_set(run, on_progress)


def _check_scoring(arguments: Mapping[str, Any]) -> dict[str, Any]:
    unknown = sorted(set(arguments) - {"metrics", "references", "seed", "resamples", "by", "tokenizer"})
    if unknown:
        raise InvalidRun(
            f"Scoring has no argument {', '.join(unknown)}; "
            "it takes metrics, references, seed, resamples, by, tokenizer."
        )
    for name in ("metrics", "references"):
        values = arguments.get(name)
        if values is not None and not (isinstance(values, list) and all(isinstance(value, str) for value in values)):
            raise InvalidRun(f"The {name} to score with are a list of names.")
    numbers = {name: arguments[name] for name in _SCORING_NUMBERS if arguments.get(name) is not None}
    if not all(type(each) is int and LOWEST[name] <= each <= _SCORING_NUMBERS[name] for name, each in numbers.items()):
        raise InvalidRun(
            f"Seed and resamples are whole numbers, resamples from 1 to {MOST_RESAMPLED}, "
            f"seed from 0 to {HIGHEST['seed']}."
        )
    by = arguments.get("by")
    if by is not None and not isinstance(by, str):
        raise InvalidRun("Slices are by a name.")
    return (
        {"metrics": arguments.get("metrics"), "references": arguments.get("references"), "by": by}
        | numbers
        | _tokenizer_of(arguments)
    )


def _tokenizer_of(arguments: Mapping[str, Any]) -> dict[str, str]:
    """By its name; no entry where none is named."""
    from metrics.automatic.tokenizers import name_of  # noqa: PLC0415 - as below
    from metrics.scoring import DEFAULT_METRICS  # noqa: PLC0415

    written = arguments.get("tokenizer")
    if written is None:
        return {}
    if not isinstance(written, str):
        raise InvalidRun("The tokenizer to score with is a name.")
    if "bleu" not in (arguments.get("metrics") or DEFAULT_METRICS):
        raise InvalidRun("Only BLEU takes a tokenizer. Score with bleu too, or name no tokenizer.")
    try:
        return {"tokenizer": name_of(written)}
    except ValueError as error:
        raise InvalidRun(str(error)) from error


def _check_scoring_for(arguments: Mapping[str, Any], _campaign: Campaign | None, test_set: TestSet | None) -> None:
    from metrics.automatic.tokenizers import TokenizerMissing  # noqa: PLC0415 - as above
    from metrics.scoring import ScoringError, check_request  # noqa: PLC0415
    from metrics.scoring.equipping import check_tokenizer  # noqa: PLC0415

    if test_set is not None:
        try:
            check_request(test_set, **{name: arguments[name] for name in ("metrics", "references", "by")})
            if "tokenizer" in arguments:
                check_tokenizer(arguments["tokenizer"])
        except (ScoringError, TokenizerMissing) as error:
            raise InvalidRun(str(error)) from error


def _perform_scoring(run: Run, on_progress: OnProgress) -> dict[str, Any]:
    from metrics.scoring import ScoringError, score_test_set  # noqa: PLC0415 - only workers count words

    if run.test_set is None:
        raise RunFailed("The test set to score is gone.")
    try:
        return score_test_set(run.test_set, **run.arguments, on_progress=on_progress)
    except ScoringError as error:
        raise RunFailed(str(error)) from error


def _check_disagreement(arguments: Mapping[str, Any]) -> dict[str, Any]:
    metric = arguments.get("metric")
    if set(arguments) - {"metric"} or not (metric is None or isinstance(metric, str)):
        raise InvalidRun("Disagreement is looked for with one argument at most: metric, a name.")
    return {"metric": metric or None}


def _check_disagreement_for(arguments: Mapping[str, Any], campaign: Campaign | None, _test_set: TestSet | None) -> None:
    from metrics.scoring import SCORING_METRICS  # noqa: PLC0415 - as above

    name = arguments["metric"]
    if campaign is None or name is None or name in SCORING_METRICS:
        return
    imported = ImportedScores.objects.filter(test_set=campaign.test_set_id, is_whole=True)
    others = sorted(set(imported.values_list("metric", flat=True)))
    if name not in others:
        known = ", ".join([*SCORING_METRICS, *others])
        raise InvalidRun(
            _("There is no metric “%(name)s” to compare people with. Known: %(known)s.")
            % {"name": name, "known": known}
        )


def _perform_disagreement(run: Run, on_progress: OnProgress) -> dict[str, Any]:
    from metrics.segments.disagreement import perform_disagreement  # noqa: PLC0415 - scipy again

    if run.campaign is None:
        raise RunFailed("The campaign of this computation is gone.")
    return perform_disagreement(run, run.campaign, on_progress)


KINDS: dict[str, RunKind] = {
    "inspection": RunKind(_check_upload, _perform_inspection),
    "new_campaign": RunKind(_check_upload, _perform_creation),
    "extension": RunKind(_check_extension, _perform_extension, needs_campaign=True),
    "rebuilding": RunKind(_check_rebuilding, _perform_rebuilding),
    "new_test_set": RunKind(_check_upload, _perform_test_set),
    "analysis": RunKind(
        _check_analysis, _perform_analysis, check_for=_check_analysis_for, needs_campaign=True, parts="analyses"
    ),
    "disagreement": RunKind(
        _check_disagreement, _perform_disagreement, check_for=_check_disagreement_for, needs_campaign=True
    ),
    "metric_scores": RunKind(
        _check_scoring, _perform_scoring, check_for=_check_scoring_for, needs_test_set=True, queue="metrics"
    ),
}
