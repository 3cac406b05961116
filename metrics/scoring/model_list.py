"""Every model of metrics with its state: the light one, and those of the operator."""

from collections.abc import Iterator

from metrics.automatic import KINDS_OF_MODELS
from metrics.scoring.light_models import ListedModel, models
from metrics.scoring.neural_states import (
    CHANGED,
    bad_models,
    installed,
    is_no_worker_there,
    state_of,
)


def listed_models() -> list[ListedModel]:
    """Files are read and their sums checked where size or time has changed."""
    return [*(each.listed for each in models()), *_of_operator()]


def metrics_of(model: str) -> list[str]:
    """The names of the metrics that an installed model computes."""
    return [
        f"{metric}:{each.name}"
        for each in installed()
        for metric, kind in KINDS_OF_MODELS.items()
        if (each.name, each.kind) == (model, kind)
    ]


def _of_operator() -> Iterator[ListedModel]:
    is_unattended = is_no_worker_there()
    for model in installed():
        state = state_of(metrics_of(model.name)[0], is_thorough=True, is_unattended=is_unattended)
        yield ListedModel(
            name=model.name,
            kind=model.kind,
            state=state.state,
            reason=state.reason,
            licence=model.licence,
            revision=model.revision,
            sha256=model.sha,
            memory_mb=model.memory_megabytes,
        )
    for bad in bad_models():
        yield ListedModel(
            name=bad.name, kind="", state=CHANGED, reason=bad.reason, licence="", revision="", sha256="", memory_mb=0
        )
