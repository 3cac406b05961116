"""A campaign's archive, and its numbers, by which a rebuilt campaign is compared with it."""

from pathlib import Path
from typing import Any

from campaigns.models import Campaign
from exchange.archive.writing import write_archive
from tests.metrics.analyses.as_json import analyse

QUICK = {"resamples": 40, "interval_resamples": 40}
NAMES = {"campaign", "name"}


def written(campaign: Campaign, path: Path, *, pseudonymised: bool = False) -> Path:
    path.write_bytes(b"".join(write_archive(campaign, pseudonymised=pseudonymised)))
    return path


def numbers_of(campaign: Campaign) -> dict[str, Any]:
    results = analyse(campaign, options=QUICK)
    return {name: value for name, value in results.items() if name not in NAMES}
