"""Whether an installed model can be used here: its files, the process that runs it, and how fast it is."""

import time
from dataclasses import dataclass

from django.conf import settings

from metrics.automatic.operator_metric import OperatorMetric
from metrics.scoring.counters import Chunk
from metrics.scoring.model_list import metrics_of
from metrics.scoring.neural_counters import NeuralCounters
from metrics.scoring.neural_states import NO_MODEL, Unavailable, operator_metric, state_of

# Our own sentences: a source, a reference, a good translation and one that has nothing to do with them.
_TEXTS = {
    "en": ("The talks will continue on Friday.", "The discussions continue on Friday.", "Bananas are yellow."),
    "de": (
        "Die Gespräche werden am Freitag fortgesetzt.",
        "Die Gespräche gehen am Freitag weiter.",
        "Bananen sind gelb.",
    ),
}
_MEASURED = 64


@dataclass(frozen=True)
class CheckedModel:
    """By one of its metrics: what a good and an unrelated translation score, and segments a second."""

    metric: str
    good: float
    unrelated: float
    rate: float


def checked_model(name: str) -> list[CheckedModel]:
    """By each metric that it computes. Raises Unavailable with the reason where it cannot be used."""
    names = metrics_of(name)
    if not names:
        raise Unavailable(NO_MODEL, state_of(f"comet:{name}").reason)
    with NeuralCounters() as counters:
        return [_checked(metric, counters) for metric in names]


def _checked(name: str, counters: NeuralCounters) -> CheckedModel:
    state = state_of(name, is_thorough=True)
    if state.model is None or not state.is_ready:
        raise Unavailable(state.state, state.reason)
    target = "de" if not state.model.uncovered(["de"]) else "en"
    metric = operator_metric(name).about(
        source_language="en", target_language=target, has_references=True, precision=settings.NEURAL_PRECISION
    )
    (source, *_rest), (reference, good, unrelated) = _TEXTS["en"], _TEXTS[target]
    against = [reference] if metric.needs_reference else [source]
    texts = [good, unrelated]
    _chunk, counts = next(counters.counted(metric, [_chunk_of(metric, texts, against, source)]))
    values = metric.segment_values(counts)
    many = [f"{good} {number}" for number in range(_MEASURED)]
    began = time.monotonic()
    next(counters.counted(metric, [_chunk_of(metric, many, against, source)]))
    return CheckedModel(name, float(values[0]), float(values[1]), _MEASURED / (time.monotonic() - began))


def _chunk_of(metric: OperatorMetric, texts: list[str], against: list[str], source: str) -> Chunk:
    references = [against] * len(texts)
    corpus = metric.corpus(texts, references)
    return Chunk(0, range(len(texts)), texts, references, [source] * len(texts), corpus)
