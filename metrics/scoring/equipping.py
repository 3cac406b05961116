"""A metric as it scores a test set: made for its language, with what the operator provides."""

from django.conf import settings
from django.utils.translation import gettext as _

from campaigns.models import TestSet
from metrics.automatic import METRICS
from metrics.automatic.base import Metric, cells_of
from metrics.automatic.tokenizers import NAMES, TokenizerMissing, demand
from metrics.scoring.wordnet_folder import wordnet_in_use


def metric_for(test_set: TestSet, name: str, *, tokenizer: str | None = None) -> Metric:
    """`tokenizer` instead of the usual one of the language. ValueError or OSError where something cannot be used."""
    resources = {**settings.METRIC_RESOURCES, "wordnet": wordnet_in_use(), "tokenizer": tokenizer or ""}
    return METRICS[name].for_language(test_set.target_language).equipped(resources)


def why_no_tokenizer(name: str) -> str:
    """Why the tokenizer cannot be used on this installation; empty where it can."""
    try:
        demand(name, settings.METRIC_RESOURCES.get(f"{name}_model", ""))
    except TokenizerMissing as error:
        return str(error)
    return ""


def check_tokenizer(name: str) -> None:
    """TokenizerMissing with those that can be used on this installation, where this one cannot."""
    why_not = why_no_tokenizer(name)
    if why_not:
        usable = [each for each in NAMES if not why_no_tokenizer(each)]
        raise TokenizerMissing(f"{why_not} Those that can be used: {', '.join(usable)}.")


def remark_on(metric: str, signature: str) -> str:
    """What the metric did without, to stand beside a score with this signature; mostly nothing."""
    if metric == "meteor" and signature and "synonym" not in cells_of(signature).get("modules", ""):
        return _("without synonyms")
    return ""
