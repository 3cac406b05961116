"""Scores by an operator's model, a chunk at a time, from the process that has it in memory."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from django.utils.translation import gettext as _

import numpy as np

from metrics.automatic.base import FloatArray, Metric
from metrics.automatic.operator_metric import OperatorMetric
from metrics.neural.environment import NeuralEnvironment, free_megabytes
from metrics.neural.light_model import ModelDamaged, ModelMissing
from metrics.neural.operator_models import OperatorModel
from metrics.scoring.counters import Chunk, most_threads
from metrics.scoring.neural_child import (
    DAMAGED,
    ENDED,
    LANGUAGE,
    MEMORY,
    REFUSED,
    Answers,
    ChildError,
    MetricMark,
    NeuralChild,
)
from metrics.scoring.neural_states import (
    CHANGED,
    FAILED,
    LITTLE_MEMORY,
    NO_ENVIRONMENT,
    NO_MODEL,
    WRONG_LANGUAGE,
    Unavailable,
    environment_here,
    little_memory_reason,
    no_environment_reason,
)

logger = logging.getLogger(__name__)

_TRIES = 2  # a process may be killed for another's want of memory
_STATES = {MEMORY: LITTLE_MEMORY, REFUSED: CHANGED, DAMAGED: CHANGED, LANGUAGE: WRONG_LANGUAGE}
_kept: list[NeuralChild] = []


@dataclass(frozen=True)
class Tick:
    """`scored`: segments so far of the request, None where there is no news."""

    scored: int | None
    is_loading: bool


Watch = Callable[[Tick], None]  # may raise to give up


class NeuralCounters:
    """While entered, counts chunks by models. The process stays for the next run, unless something went wrong.

    It ends by itself when it has had nothing to do for ten minutes, and with this process.
    """

    def __init__(self) -> None:
        self._child: NeuralChild | None = None
        self._marks: dict[int, list[Sequence[MetricMark]]] = {}
        self.watch: Watch = _no_watch

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error: object, *_rest: object) -> None:
        if self._child is None:
            return
        if error is None and self._child.is_alive and not _kept:
            _kept.append(self._child)
        else:
            self._child.end()
        self._child = None

    def counted(self, metric: Metric, chunks: Sequence[Chunk]) -> Iterator[tuple[Chunk, FloatArray]]:
        """Each chunk with its counts. Raises Unavailable where they cannot be had; those before it stay."""
        assert isinstance(metric, OperatorMetric)  # noqa: S101 - only these are counted here
        if not chunks:
            return
        environment, model = _checked(metric)
        for chunk in chunks:
            answers = self._answers(metric, model, environment, chunk)
            in_order = [answers.by_item[number] for number in range(len(chunk.hypotheses))]
            try:
                rows = [metric.row_of(each.score, each.values, is_cut=each.is_cut) for each in in_order]
            except ValueError as error:
                raise Unavailable(FAILED, _failed(metric, str(error))) from error
            if model.marks_spans:
                self._marks[id(chunk)] = [each.marks for each in in_order]
            yield chunk, np.array(rows, dtype=np.float64)

    def marks_of(self, chunk: Chunk) -> list[Sequence[MetricMark]] | None:
        """What the model marked in the chunk's translations; read once."""
        return self._marks.pop(id(chunk), None)

    def _answers(
        self, metric: OperatorMetric, model: OperatorModel, environment: NeuralEnvironment, chunk: Chunk
    ) -> Answers:
        """A process that ends is started again once."""
        request = request_for(metric, model, chunk)
        for attempt in range(1, _TRIES + 1):
            child = self._running(environment, model)
            try:
                answers = child.ask(request, self._watched(child, model))
            except ChildError as error:
                if error.code == ENDED and attempt < _TRIES:
                    logger.warning("The process of %s ended (%s); it is started again.", metric.name, error)
                    continue
                raise _unavailable(metric, model, error) from error
            if answers.precision and answers.precision != metric.precision:
                raise Unavailable(FAILED, _failed(metric, f"it computed in {answers.precision}"))
            return answers
        raise AssertionError  # the last attempt returns or raises

    def _running(self, environment: NeuralEnvironment, model: OperatorModel) -> NeuralChild:
        """The process that is there, or a new one where memory allows."""
        if self._child is None and _kept:
            self._child = _kept.pop()
        if self._child is not None and not (self._child.is_alive and self._child.environment == environment):
            self._child.end()
            self._child = None
        if self._child is None:
            free = free_megabytes()
            if free is not None and free < model.memory_megabytes:
                raise Unavailable(LITTLE_MEMORY, little_memory_reason(model, free))
            self._child = NeuralChild(environment, most_threads())
        return self._child

    def _watched(self, child: NeuralChild, model: OperatorModel) -> Callable[[int | None], None]:
        def on_progress(scored: int | None) -> None:
            if scored is not None:
                child.model = model.name
            self.watch(Tick(scored, is_loading=child.model != model.name))

        return on_progress


def let_children_go() -> None:
    """Ends the process that waits for another run, if there is one."""
    while _kept:
        _kept.pop().end()


def request_for(metric: OperatorMetric, model: OperatorModel, chunk: Chunk) -> dict[str, Any]:
    """As the conversation has it; a metric that compares with the source gets it as source, and no references."""
    if metric.needs_reference:
        sources = chunk.sources or [""] * len(chunk.hypotheses)
        references = [list(texts) for texts in chunk.references]
    else:
        sources, references = [texts[0] for texts in chunk.references], [[] for _texts in chunk.references]
    items = [
        {"id": number, "src": source, "mt": text, "refs": refs}
        for number, (source, text, refs) in enumerate(zip(sources, chunk.hypotheses, references, strict=True))
    ]
    languages = {"source_language": metric.source_language, "target_language": metric.target_language}
    corpus: Mapping[str, Any] = {"corpus": dict(chunk.corpus)} if chunk.corpus else {}
    return {
        "metric": metric.family,
        "model": {"name": model.name, "kind": model.kind, "folder": str(model.folder.resolve())},
        "options": {**languages, "precision": metric.precision, **metric.options},
        **corpus,
        "items": items,
    }


def _checked(metric: OperatorMetric) -> tuple[NeuralEnvironment, OperatorModel]:
    """Before the process is started: the environment, and the model with every file as it was installed."""
    environment = environment_here()
    if environment is None:
        raise Unavailable(NO_ENVIRONMENT, no_environment_reason())
    try:
        metric.demand()
    except ModelMissing as error:
        raise Unavailable(NO_MODEL, str(error)) from error
    except (ModelDamaged, OSError) as error:
        raise Unavailable(CHANGED, str(error)) from error
    assert metric.model is not None  # noqa: S101 - `demand` has looked
    return environment, metric.model


def _unavailable(metric: OperatorMetric, model: OperatorModel, error: ChildError) -> Unavailable:
    if error.code == ENDED:
        message = _(
            "The process of %(metric)s ended while it worked (%(reason)s). Often memory was too small: %(model)s needs "
            "%(megabytes)d MB. Segments scored before it are kept."
        )
        state = LITTLE_MEMORY if str(error) == "SIGKILL" else FAILED
        words = {"metric": metric.title, "reason": error, "model": model.name, "megabytes": model.memory_megabytes}
        return Unavailable(state, message % words)
    return Unavailable(_STATES.get(error.code, FAILED), _failed(metric, str(error)))


def _failed(metric: OperatorMetric, reason: str) -> str:
    return _("%(metric)s could not be computed: %(reason)s") % {"metric": metric.title, "reason": reason}


def _no_watch(_tick: Tick) -> None:
    pass
