"""The scoring of a test set by automatic metrics as a background run."""

from collections.abc import Mapping
from typing import Any

from campaigns.models import Campaign, TestSet
from jobs.models import Run
from jobs.run_kinds import InvalidRun, OnProgress, RunFailed, RunKind
from metrics.automatic import has_model_name
from metrics.automatic.tokenizers import TokenizerMissing, name_of
from metrics.recipes import HIGHEST, LOWEST
from metrics.results.codec import to_json
from metrics.scoring import ScoringError, check_request, check_tokenizer, score_test_set
from metrics.scoring.names import DEFAULT_METRICS
from metrics.scoring.neural_states import QUEUE, Unavailable, whole_name

MOST_RESAMPLED = 10_000  # of translations: all are drawn at once
_NUMBERS = {"seed": HIGHEST["seed"], "resamples": MOST_RESAMPLED}


def _check(arguments: Mapping[str, Any]) -> dict[str, Any]:
    unknown = sorted(set(arguments) - {"metrics", "references", "seed", "resamples", "by", "tokenizer"})
    if unknown:
        raise InvalidRun(
            f"Scoring has no argument {', '.join(unknown)}. "
            "Allowed: metrics, references, seed, resamples, by, tokenizer."
        )
    for name in ("metrics", "references"):
        values = arguments.get(name)
        if values is not None and not (isinstance(values, list) and all(isinstance(value, str) for value in values)):
            raise InvalidRun(f"The {name} must be a list of names.")
    numbers = {name: arguments[name] for name in _NUMBERS if arguments.get(name) is not None}
    if not all(type(each) is int and LOWEST[name] <= each <= _NUMBERS[name] for name, each in numbers.items()):
        raise InvalidRun(
            f"Seed and resamples must be whole numbers: resamples from 1 to {MOST_RESAMPLED}, "
            f"seed from 0 to {HIGHEST['seed']}."
        )
    by = arguments.get("by")
    if by is not None and not isinstance(by, str):
        raise InvalidRun("What to slice by must be a name.")
    return (
        {"metrics": _with_models(arguments.get("metrics")), "references": arguments.get("references"), "by": by}
        | numbers
        | _tokenizer_of(arguments)
    )


def _with_models(names: list[str] | None) -> list[str] | None:
    """The run says which model it is, whatever is installed when it is performed."""
    try:
        return names and [whole_name(name) for name in names]
    except Unavailable as error:
        raise InvalidRun(str(error)) from error


def _queue_of(arguments: Mapping[str, Any]) -> str:
    """Those with an operator's model have workers of their own, which may be on a machine with a GPU."""
    return QUEUE if any(map(has_model_name, arguments.get("metrics") or ())) else "metrics"


def _tokenizer_of(arguments: Mapping[str, Any]) -> dict[str, str]:
    written = arguments.get("tokenizer")
    if written is None:
        return {}
    if not isinstance(written, str):
        raise InvalidRun("The tokenizer must be a name.")
    if "bleu" not in (arguments.get("metrics") or DEFAULT_METRICS):
        raise InvalidRun("Only BLEU takes a tokenizer. Add bleu to the metrics, or leave the tokenizer out.")
    try:
        return {"tokenizer": name_of(written)}
    except ValueError as error:
        raise InvalidRun(str(error)) from error


def _check_for(arguments: Mapping[str, Any], _campaign: Campaign | None, test_set: TestSet | None) -> None:
    if test_set is not None:
        try:
            check_request(test_set, **{name: arguments[name] for name in ("metrics", "references", "by")})
            if "tokenizer" in arguments:
                check_tokenizer(arguments["tokenizer"])
        except (ScoringError, TokenizerMissing) as error:
            raise InvalidRun(str(error)) from error


def _perform(run: Run, on_progress: OnProgress) -> dict[str, Any]:
    if run.test_set is None:
        raise RunFailed("The test set to score has been deleted.")
    try:
        scored = score_test_set(run.test_set, **run.arguments, on_progress=on_progress)
    except ScoringError as error:
        raise RunFailed(str(error)) from error
    result: dict[str, Any] = to_json(scored)
    return result


METRIC_SCORES = RunKind(_check, _perform, check_for=_check_for, needs_test_set=True, queue=_queue_of)
