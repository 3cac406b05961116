"""Whether metrics that need a model can be computed on this installation, why not, and how well they follow people."""

from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext as _

from metrics.automatic import METRICS
from metrics.neural.light_model import LIGHT, LIGHT_MODELS, LightModel, ModelDamaged, ModelMissing

INSTALL = "./assay neural install light"
READY, NOT_INSTALLED, CHANGED = "ready", "no model", "changed files"


@dataclass(frozen=True)
class MeasuredOnWmt23:
    """How a metric correlates with MQM scores by people: WMT23 English-German, 12 systems, 120 segments.

    `pearson` and `kendall` over all 1,440 translations, `systems` is Pearson's over the 12 systems.
    Source: our computation with the published weights; the others are the published scores of WMT23.
    """

    metric: str
    title: str
    pearson: float
    kendall: float
    systems: float


MEASURED = (
    MeasuredOnWmt23("bertscore", "BERTScore", 0.326, 0.230, 0.840),
    MeasuredOnWmt23("yisi_1", "YiSi-1", 0.323, 0.239, 0.822),
    MeasuredOnWmt23("yisi_2", "YiSi-2", 0.205, 0.143, -0.089),
    MeasuredOnWmt23("", "chrF", 0.263, 0.192, 0.820),
    MeasuredOnWmt23("", "BLEU", 0.171, 0.134, 0.844),
    MeasuredOnWmt23("", "BLEURT-20", 0.442, 0.354, 0.974),
    MeasuredOnWmt23("", "COMET", 0.461, 0.355, 0.984),
    MeasuredOnWmt23("", "MetricX-23", 0.579, 0.427, 0.957),
)


@dataclass(frozen=True)
class ModelState:
    """`state` is READY, NOT_INSTALLED or CHANGED; `reason` says what to do, empty where it is ready."""

    model: LightModel
    state: str
    reason: str

    @property
    def listed(self) -> "ListedModel":
        return ListedModel(
            name=self.model.name,
            kind="light",
            state=self.state,
            reason=self.reason,
            licence=self.model.licence,
            revision=self.model.version,
            sha256=self.model.sha256,
            memory_mb=self.model.memory_megabytes,
        )


@dataclass(frozen=True, kw_only=True)
class ListedModel:
    """As `neural_models --json` has it."""

    name: str
    kind: str
    state: str
    reason: str
    licence: str
    revision: str
    sha256: str
    memory_mb: int


def uses_model(name: str) -> bool:
    return name in METRICS and METRICS[name].uses_model


def is_model_there() -> bool:
    """By its size alone: quick enough for a page."""
    return LIGHT.is_there(settings.MODELS_DIR)


def why_unavailable(name: str) -> str:
    """Why the metric cannot be computed now, and what to do; empty where it can."""
    if not uses_model(name) or is_model_there():
        return ""
    words = {"metric": METRICS[name].title, "model": LIGHT.title, "command": INSTALL}
    if LIGHT.path(settings.MODELS_DIR).exists():
        return _("%(metric)s cannot be computed: the file of %(model)s is damaged. Run %(command)s.") % words
    return _("%(metric)s cannot be computed: %(model)s is not installed. Run %(command)s.") % words


def no_memory_for(name: str) -> str:
    return _("%(metric)s could not be computed: its process ended. It needs %(megabytes)d MB of free memory.") % {
        "metric": METRICS[name].title,
        "megabytes": 2 * LIGHT.memory_megabytes,  # the model, and what it has encoded
    }


def models() -> list[ModelState]:
    """Every model that Assay knows, its file read and its sum checked."""
    return [_state(model) for model in LIGHT_MODELS.values()]


def _state(model: LightModel) -> ModelState:
    path = model.path(settings.MODELS_DIR)
    try:
        model.check(path)
    except ModelMissing:
        reason = _("not installed; run %(command)s") % {"command": INSTALL}
        return ModelState(model, NOT_INSTALLED, reason)
    except (ModelDamaged, OSError) as error:
        reason = _("%(reason)s Run %(command)s.") % {"reason": error, "command": INSTALL}
        return ModelState(model, CHANGED, reason)
    return ModelState(model, READY, "")
