"""What was added to a campaign while it ran: systems and documents, by name, and when."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

from django.utils.dateparse import parse_datetime

from campaigns.models import Campaign


@dataclass(frozen=True)
class LateAddition:
    """`systems` and `documents` are names in the test set; `first_content` is the first content of its tasks."""

    at: datetime
    systems: tuple[str, ...]
    documents: tuple[str, ...]
    first_content: int

    @classmethod
    def from_json(cls, value: object) -> Self | None:
        """None for what no Assay wrote: archives come from anywhere."""
        entry = value if isinstance(value, Mapping) else {}
        at = _moment(entry.get("at"))
        first = entry.get("first_content")
        if at is None or not isinstance(first, int):
            return None
        return cls(at, _names(entry.get("systems")), _names(entry.get("documents")), first)

    def as_json(self) -> dict[str, Any]:
        names = {"systems": list(self.systems), "documents": list(self.documents)}
        return {"at": self.at.isoformat(), **names, "first_content": self.first_content}


def additions_of(campaign: Campaign) -> list[LateAddition]:
    """In the order in which they were made."""
    stored = campaign.additions if isinstance(campaign.additions, list) else []
    return [addition for each in stored if (addition := LateAddition.from_json(each)) is not None]


def _moment(value: object) -> datetime | None:
    try:
        moment = parse_datetime(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return moment if moment is not None and moment.tzinfo is not None else None


def _names(value: object) -> tuple[str, ...]:
    return tuple(name for name in value if isinstance(name, str)) if isinstance(value, list) else ()
