"""Which models of the operator there are, what can be computed with them now, and if not, why and what to do."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.languages import language_name
from campaigns.models import TestSet
from jobs.models import Run, RunStatus
from metrics.automatic import KINDS_OF_MODELS, METRICS, ONLY_WITH_MODELS, has_model_name, model_in
from metrics.automatic.operator_metric import OperatorMetric
from metrics.neural.environment import NeuralEnvironment, free_megabytes, read_environment
from metrics.neural.light_model import ModelDamaged
from metrics.neural.operator_models import (
    KNOWN_MODELS,
    BadManifest,
    OperatorModel,
    bad_manifests,
    check_files,
    installed_models,
)

READY, LOADING, NO_MODEL, NO_ENVIRONMENT = "ready", "loading", "no model", "no environment"
NO_WORKER, WRONG_LANGUAGE, LITTLE_MEMORY = "no worker", "wrong language", "not enough memory"
CHANGED, FAILED = "changed files", "failed"
STATES = {
    READY: gettext_lazy("ready"),
    LOADING: gettext_lazy("loading"),
    NO_MODEL: gettext_lazy("no model"),
    NO_ENVIRONMENT: gettext_lazy("no environment"),
    NO_WORKER: gettext_lazy("no worker"),
    WRONG_LANGUAGE: gettext_lazy("wrong language"),
    LITTLE_MEMORY: gettext_lazy("not enough memory"),
    CHANGED: gettext_lazy("changed files"),
    FAILED: gettext_lazy("failed"),
}
QUEUE = "neural"
LOADING_NOTE = "…"  # ends the note of a run whose model is being read
SUGGESTED = {
    "comet": "wmt22-comet-da",
    "bleurt": "BLEURT-20-D12",
    "prism": "m2m100_418M",
    "encoder": "roberta-large",
}
INSTALL = "./assay neural install"
_PATIENCE = timedelta(seconds=60)


class Unavailable(Exception):
    """A metric that cannot be computed now: `state` is one of STATES, the message is for whoever requested it."""

    def __init__(self, state: str, message: str) -> None:
        super().__init__(message)
        self.state = state


@dataclass(frozen=True)
class NeuralMetric:
    """A metric with a model of the operator's, or one that has none yet (`model` is None): what pages and API list."""

    name: str
    model: OperatorModel | None
    state: str
    reason: str

    @property
    def title(self) -> str:
        return METRICS[self.name].title if self.model else titles_without_model()[self.name]

    @property
    def shown_state(self) -> str:
        return str(STATES[self.state])

    @property
    def is_ready(self) -> bool:
        return self.state in (READY, LOADING, NO_WORKER)

    @property
    def needs_no_reference(self) -> bool:
        return self.model is not None and needs_no_reference(self.name)


def titles_without_model() -> dict[str, str]:
    return {"comet": "COMET", "bleurt": "BLEURT", "prism": "Prism", "prism_src": "Prism-src"}


def model_named(name: str) -> OperatorModel | None:
    """The installed model in a metric's name, if it is of the kind that the metric needs."""
    kind = KINDS_OF_MODELS[name.partition(":")[0]]
    wanted = model_in(name)
    return next((each for each in installed() if (each.name, each.kind) == (wanted, kind)), None)


def names_with_models() -> list[str]:
    """Every metric that an installed model computes, whether or not it can now."""
    there = installed()
    return [
        f"{metric}:{model.name}" for metric, kind in KINDS_OF_MODELS.items() for model in there if model.kind == kind
    ]


def whole_name(name: str) -> str:
    """`comet` alone is the only installed one. Unavailable with those to choose from, or with what to do."""
    if name not in ONLY_WITH_MODELS:
        return name
    names = [each for each in names_with_models() if each.partition(":")[0] == name]
    if len(names) == 1:
        return names[0]
    if names:
        message = _("There are several models for %(metric)s. Name one: %(names)s.")
        raise Unavailable(NO_MODEL, message % {"metric": name, "names": ", ".join(names)})
    raise Unavailable(NO_MODEL, _no_model_for(name))


def operator_metric(name: str) -> OperatorMetric:
    """With its model, where that is installed, and the libraries of this machine."""
    metric = METRICS[name]()
    assert isinstance(metric, OperatorMetric)  # noqa: S101 - its name has a model
    environment = environment_here()
    return metric.installed_as(model_named(name), libraries=environment.libraries if environment else {})


def needs_no_reference(name: str) -> bool:
    """Whether it can score a test set that has no reference, and never reads one."""
    if name not in METRICS:
        return False
    if METRICS[name].compares_with_source:
        return True
    if not has_model_name(name) or name.partition(":")[0] != "comet":
        return False
    model = model_named(name) or KNOWN_MODELS.get(model_in(name))
    return model is not None and not model.takes_reference


def can_do_without_reference(name: str) -> bool:
    if needs_no_reference(name):
        return True
    model = (model_named(name) or KNOWN_MODELS.get(model_in(name))) if has_model_name(name) else None
    return model is not None and name.partition(":")[0] == "comet" and not model.needs_reference


def licence_of(name: str) -> str:
    """Of the model in a metric's name, with what it forbids; empty where it is not known."""
    model = (model_named(name) or KNOWN_MODELS.get(model_in(name))) if has_model_name(name) else None
    if model is None or not model.licence:
        return ""
    if "NC" in model.licence.upper().replace("-", " ").split():
        return _("weights %(licence)s: not for commercial use") % {"licence": model.licence}
    return _("weights %(licence)s") % {"licence": model.licence}


def environment_here() -> NeuralEnvironment | None:
    return read_environment(settings.NEURAL_ENVIRONMENT)


def listed_metrics(test_set: TestSet | None = None) -> list[NeuralMetric]:
    """All that can be named, and those without any model: what a page of choices shows."""
    names = names_with_models()
    with_model = {name.partition(":")[0] for name in names}
    waiting = is_no_worker_there()
    listed = [state_of(name, test_set, is_unattended=waiting) for name in names]
    missing = [NeuralMetric(name, None, NO_MODEL, _no_model_for(name)) for name in ONLY_WITH_MODELS]
    return [*listed, *(each for each in missing if each.name not in with_model)]


def state_of(
    name: str, test_set: TestSet | None = None, *, is_thorough: bool = False, is_unattended: bool = False
) -> NeuralMetric:
    """Of one metric with its model. Without `is_thorough` files are looked for, but not read."""
    model = model_named(name)
    if model is None:
        return NeuralMetric(name, None, NO_MODEL, _no_model_named(name))
    for state, reason in _problems(name, model, test_set, is_thorough=is_thorough, is_unattended=is_unattended):
        return NeuralMetric(name, model, state, reason)
    return NeuralMetric(name, model, LOADING if _is_loading(model.name) else READY, "")


def why_refused(name: str, test_set: TestSet) -> str:
    """Why a run with this metric would be in vain; empty where a worker may be able to compute it."""
    state = state_of(name, test_set)
    return "" if state.is_ready or state.state == LITTLE_MEMORY else state.reason


def is_no_worker_there() -> bool:
    """Whether a run with a neural metric has been waiting for a minute while none is performed."""
    runs = Run.objects.filter(queue=QUEUE)
    waiting = runs.filter(status=RunStatus.QUEUED, created_at__lt=timezone.now() - _PATIENCE)
    with suppress(DatabaseError):  # a new installation has no database yet, but models to list
        return waiting.exists() and not runs.filter(status=RunStatus.RUNNING).exists()
    return False


def no_worker_reason() -> str:
    if settings.REDIS_URL:
        command = "docker compose --profile neural up --detach"
        return _("No worker for neural metrics has answered for a minute. Start one: %(command)s.") % {
            "command": command
        }
    return _("No worker for neural metrics has answered for a minute. Start Assay again: %(command)s.") % {
        "command": "./assay run"
    }


def little_memory_reason(model: OperatorModel, free: int) -> str:
    return _(
        "%(model)s needs %(needed)d MB of free memory; there are %(free)d MB. Take a smaller model or close others."
    ) % {
        "model": model.name,
        "needed": model.memory_megabytes,
        "free": free,
    }


def no_environment_reason() -> str:
    return _("The environment of the neural libraries is not installed. Run %(command)s.") % {
        "command": f"{INSTALL} environment"
    }


def bad_models() -> list[BadManifest]:
    """Folders of models that cannot be used."""
    return bad_manifests(settings.MODELS_DIR)


def installed() -> list[OperatorModel]:
    return installed_models(settings.MODELS_DIR)


def _problems(
    name: str, model: OperatorModel, test_set: TestSet | None, *, is_thorough: bool, is_unattended: bool
) -> Iterator[tuple[str, str]]:
    try:
        _check(model, is_thorough=is_thorough)
    except ModelDamaged as error:
        yield CHANGED, _("%(reason)s Install it again: %(command)s.") % {"reason": error, "command": _install(model)}
    if not settings.REDIS_URL and environment_here() is None:  # with a broker the worker may be another machine
        yield NO_ENVIRONMENT, no_environment_reason()
    uncovered = _uncovered(name, model, test_set)
    if uncovered:
        words = {"model": model.name, "languages": ", ".join(map(language_name, uncovered))}
        yield WRONG_LANGUAGE, _("%(model)s was not trained on %(languages)s. Choose a model that covers it.") % words
    if is_unattended:
        yield NO_WORKER, no_worker_reason()
    free = None if settings.REDIS_URL else free_megabytes()
    if free is not None and free < model.memory_megabytes and not _is_loading(model.name):
        yield LITTLE_MEMORY, little_memory_reason(model, free)


def _check(model: OperatorModel, *, is_thorough: bool) -> None:
    if is_thorough:
        check_files(model)
        return
    missing = [path for path in model.files if not (model.folder / path).is_file()]
    if missing:
        raise ModelDamaged(f"{model.name} is damaged: {', '.join(missing)} is missing.")


def _uncovered(name: str, model: OperatorModel, test_set: TestSet | None) -> Sequence[str]:
    if test_set is None:
        return ()
    metric = METRICS[name]()
    assert isinstance(metric, OperatorMetric)  # noqa: S101 - its name has a model
    languages = {"source_language": test_set.source_language, "target_language": test_set.target_language}
    return model.uncovered(metric.installed_as(model, libraries={}).about(**languages, has_references=True).covered)


def _is_loading(model: str) -> bool:
    running = Run.objects.filter(queue=QUEUE, status=RunStatus.RUNNING, progress_note__endswith=LOADING_NOTE)
    with suppress(DatabaseError):
        return any(f"({model})" in note for note in running.values_list("progress_note", flat=True))
    return False


def _install(model: OperatorModel) -> str:
    return f"{INSTALL} {model.name}" if model.name in KNOWN_MODELS else f"./assay neural add {model.folder}"


def _no_model_for(metric: str) -> str:
    suggested = SUGGESTED[KINDS_OF_MODELS[metric]]
    return _("No model for %(metric)s is installed. Run, for example, %(command)s.") % {
        "metric": titles_without_model()[metric],
        "command": f"{INSTALL} {suggested}",
    }


def _no_model_named(name: str) -> str:
    wanted = model_in(name)
    others = [each for each in names_with_models() if each.partition(":")[0] == name.partition(":")[0]]
    known = KNOWN_MODELS.get(wanted)
    is_right = known is not None and known.kind == KINDS_OF_MODELS[name.partition(":")[0]]
    words = {"model": wanted, "names": ", ".join(others) or "–", "command": f"{INSTALL} {wanted}"}
    if is_right:
        return _("The model %(model)s is not installed. Run %(command)s. Installed: %(names)s.") % words
    return _("There is no model %(model)s for this metric. Installed: %(names)s.") % words
