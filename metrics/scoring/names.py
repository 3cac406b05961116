"""What metrics are called: by programs, and by people."""

from django.utils.translation import gettext as _

from metrics.automatic import METRICS, has_model_name, in_order, metric_title
from metrics.automatic.base import cells_of
from metrics.neural.light_model import LIGHT_MODELS
from metrics.scoring.light_models import uses_model
from metrics.scoring.neural_states import licence_of, names_with_models, needs_no_reference

DEFAULT_METRICS = ("bleu", "chrf", "chrf++", "ter")
SCORING_METRICS = tuple(name for name in METRICS if name != "hter")  # that needs a post-edit, not a reference


def is_scoring_metric(name: str) -> bool:
    """Whether a test set can be scored with it, wherever its model is."""
    return name in SCORING_METRICS or has_model_name(name)


def known_names() -> list[str]:
    """Those that can be computed without a model, or with one that is installed."""
    return in_order([*SCORING_METRICS, *names_with_models()])


def title_of(name: str, signature: str = "") -> str:
    """As people write it; one that needs no reference says so wherever it is named.

    The signature of a score tells it of a model that is not installed any more.
    """
    title = metric_title(name)
    is_without = needs_no_reference(name) or (has_model_name(name) and cells_of(signature).get("nrefs") == "0")
    return _("%(metric)s (no reference)") % {"metric": title} if is_without else title


def remark_on(metric: str, signature: str) -> str:
    """What to show with a score of this signature: what the metric lacked, its model or licence; usually empty."""
    if metric == "meteor" and signature and "synonym" not in cells_of(signature).get("modules", ""):
        return _("without synonyms")
    if uses_model(metric):
        model = LIGHT_MODELS.get(cells_of(signature).get("model", ""))
        return model.title if model else ""
    return licence_of(metric)
