"""A metric as it scores a test set: made for its language, with what the operator provides."""

from django.conf import settings

from campaigns.models import TestSet
from metrics.automatic import METRICS
from metrics.automatic.base import Metric


def metric_for(test_set: TestSet, name: str) -> Metric:
    """ValueError or OSError where what the operator names cannot be used."""
    return METRICS[name].for_language(test_set.target_language).equipped(settings.METRIC_RESOURCES)
