"""The table of a post-editing campaign: how much was changed, and how long that took."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class CorrectedSystem:
    """Shares in percent, time in hours; None where there is no number."""

    system: str
    hter: float | None
    capped: float | None
    corpus: float | None
    words_per_hour: float | None
    hours: float | None
    unchanged: float | None


@dataclass(frozen=True)
class Corrections:
    """`systems` as the analysis `post_editing` gives them."""

    systems: Sequence[Mapping[str, Any]]

    @property
    def rows(self) -> list[CorrectedSystem]:
        return [
            CorrectedSystem(
                system=entry["system"],
                hter=_percent(entry["hter"]),
                capped=_percent(entry["hter_capped"]),
                corpus=_percent(entry["hter_corpus"]),
                words_per_hour=entry["words_per_hour"],
                hours=None if entry["seconds"] is None else entry["seconds"] / 3600,
                unchanged=_percent(entry["unchanged"]),
            )
            for entry in self.systems
        ]

    @property
    def dropped(self) -> float:
        """The largest share of judgments, in percent, whose time was taken for a pause."""
        return max((100 * (entry["seconds_dropped"] or 0) for entry in self.systems), default=0.0)


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share
