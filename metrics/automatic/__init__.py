"""Automatic metrics: texts in, numbers out. One module each; adding one is a line here and a docs heading.

`METRICS[name](**options).score(hypotheses, references)` is all a caller needs. A module is imported when its metric is
first used, so that listing the names costs nothing.
"""

from collections.abc import Iterator, Mapping
from pkgutil import resolve_name

from metrics.automatic.base import Metric


class _Modules(Mapping[str, type[Metric]]):
    """Metric classes by name, each imported from its module on demand."""

    def __init__(self, homes: dict[str, str]) -> None:
        self._homes = homes

    def __getitem__(self, name: str) -> type[Metric]:
        metric: type[Metric] = resolve_name(f"metrics.automatic.{self._homes[name]}")
        return metric

    def __contains__(self, name: object) -> bool:
        return name in self._homes

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
OF_A_HUNDRED = frozenset({"bleu", "chrf", "chrf++", "ter"})  # usually reported with one decimal, however low


def metric_title(name: str) -> str:
    """What people call a metric: "chrF++" for `chrf++`; an imported one is called as it was at its import."""
    return str(METRICS[name].title) if name in METRICS else name
