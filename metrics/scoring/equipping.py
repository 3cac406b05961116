"""A metric as it scores a test set: made for its language, with what the operator provides."""

from django.conf import settings
from django.utils.translation import gettext as _

from campaigns.models import TestSet
from metrics.automatic import METRICS
from metrics.automatic.base import Metric, cells_of
from metrics.scoring.wordnet_folder import wordnet_in_use


def metric_for(test_set: TestSet, name: str) -> Metric:
    """ValueError or OSError where what the operator names cannot be used."""
    resources = {**settings.METRIC_RESOURCES, "wordnet": wordnet_in_use()}
    return METRICS[name].for_language(test_set.target_language).equipped(resources)


def remark_on(metric: str, signature: str) -> str:
    """What the metric did without, to stand beside a score with this signature; mostly nothing."""
    if metric == "meteor" and signature and "synonym" not in cells_of(signature).get("modules", ""):
        return _("without synonyms")
    return ""
