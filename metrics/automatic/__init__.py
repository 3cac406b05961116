"""Automatic metrics: texts in, numbers out. One module each; adding one is a line here and a docs heading.

`METRICS[name](**options).score(hypotheses, references)` is all a caller needs. A module is imported when its metric is
first used, so that listing the names costs nothing. A metric that an operator's model computes has the model in its
name, `comet:wmt22-comet-da`: such names are in METRICS too, but are not listed, because any number of models can be
installed.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pkgutil import resolve_name

from metrics.automatic.base import Metric

_MODEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class _Modules(Mapping[str, type[Metric]]):
    """Metric classes by name, each imported from its module on demand."""

    def __init__(self, homes: dict[str, str]) -> None:
        self._homes = homes

    def __getitem__(self, name: str) -> type[Metric]:
        if has_model_name(name):
            return _with_model(*name.split(":"))
        metric: type[Metric] = resolve_name(f"metrics.automatic.{self._homes[name]}")
        return metric

    def __contains__(self, name: object) -> bool:
        return name in self._homes or (isinstance(name, str) and has_model_name(name))

    def __iter__(self) -> Iterator[str]:
        return iter(self._homes)

    def __len__(self) -> int:
        return len(self._homes)


METRICS: Mapping[str, type[Metric]] = _Modules(
    {
        "bleu": "bleu:Bleu",
        "chrf": "chrf:Chrf",
        "chrf++": "chrf:ChrfPlusPlus",
        "ter": "ter:Ter",
        "hter": "hter:Hter",
        "wer": "wer:Wer",
        "unigram_f": "unigram_f:UnigramF",
        "rouge_1": "rouge:Rouge1",
        "rouge_2": "rouge:Rouge2",
        "rouge_l": "rouge:RougeL",
        "character": "character:Character",
        "eed": "eed:Eed",
        "meteor": "meteor:Meteor",
        "beer": "beer:Beer",
        "mms": "mms:Mms",
        "yisi_0": "yisi_0:Yisi0",
        "bertscore": "bertscore:BertScore",
        "yisi_1": "yisi_1:Yisi1",
        "yisi_2": "yisi_2:Yisi2",
    }
)
# Metrics that an operator's model computes, by the name before the colon, and the kind of model that each needs.
WITH_MODELS: Mapping[str, str] = {
    "bertscore": "encoder_models:BertScoreOfModel",
    "yisi_1": "encoder_models:Yisi1OfModel",
    "yisi_2": "encoder_models:Yisi2OfModel",
    "comet": "comet:Comet",
    "bleurt": "bleurt:Bleurt",
    "prism": "prism:Prism",
    "prism_src": "prism:PrismSource",
}
KINDS_OF_MODELS: Mapping[str, str] = {
    "bertscore": "encoder",
    "yisi_1": "encoder",
    "yisi_2": "encoder",
    "comet": "comet",
    "bleurt": "bleurt",
    "prism": "prism",
    "prism_src": "prism",
}
ONLY_WITH_MODELS = ("comet", "bleurt", "prism", "prism_src")  # the others have the light model, too
OF_A_HUNDRED = frozenset({"bleu", "chrf", "chrf++", "ter"})  # usually reported with one decimal, however low


def metric_title(name: str) -> str:
    """What people call a metric: "chrF++" for `chrf++`; an imported one is called as it was at its import."""
    return str(METRICS[name].title) if name in METRICS else name


def has_model_name(name: str) -> bool:
    """Whether it is a metric and a model, such as `comet:wmt22-comet-da`; the model need not be installed."""
    metric, colon, model = name.partition(":")
    return bool(colon) and metric in WITH_MODELS and bool(_MODEL.fullmatch(model))


def model_in(name: str) -> str:
    """The model in a metric's name; empty where it has none."""
    return name.partition(":")[2] if has_model_name(name) else ""


def in_order(names: Iterable[str]) -> list[str]:
    """Those that are metrics, each once: as METRICS lists them, those with models after them by name."""
    places = {name: place for place, name in enumerate((*METRICS, *ONLY_WITH_MODELS))}
    known = {name for name in names if name in METRICS}
    return sorted(known, key=lambda name: (has_model_name(name), places[name.partition(":")[0]], name))


@cache
def _with_model(metric: str, model: str) -> type[Metric]:
    home: type[Metric] = resolve_name(f"metrics.automatic.{WITH_MODELS[metric]}")
    return type(home.__name__, (home,), {"name": f"{metric}:{model}", "title": f"{home.title} ({model})"})
