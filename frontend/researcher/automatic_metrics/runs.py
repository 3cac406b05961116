"""Which runs the page of metrics shows: the scoring of the test set, and the correlation with the campaign's people."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from zlib import crc32

from django.http import HttpRequest

from campaigns.models import Campaign
from frontend.run_pages import PageRuns, analysis_runs
from jobs.models import PENDING, Run, RunPart, RunStatus
from metrics.analyses.correlation import Correlations
from metrics.queries import has_newer_evidence, has_newer_scores, newest_part, scorings_of
from metrics.results.codec import read_part
from metrics.scoring.names import is_scoring_metric
from metrics.scoring.neural_states import QUEUE, is_no_worker_there, no_worker_reason

ANALYSIS = "correlation"
LOOKED_AT = 50


def _asks_as_the_page(arguments: Mapping[str, Any]) -> bool:
    """Existing metrics, without any other choice."""
    return all(map(is_scoring_metric, arguments.get("metrics") or ())) and not any(
        arguments.get(name) is not None for name in ("references", "by", "seed", "resamples")
    )


@dataclass(frozen=True)
class MetricRuns:
    """`chosen` comes from the page's address; a correlation alone is as good as one among all analyses."""

    campaign: Campaign
    chosen: PageRuns

    @cached_property
    def correlations(self) -> PageRuns:
        return replace(self.chosen, arguments={**self.chosen.arguments, "analyses": [ANALYSIS]})

    @cached_property
    def scoring(self) -> Run | None:
        """The running one, else the last that fits the page; other people's trials are left out."""
        newest = scorings_of(self.campaign.test_set_id)[:LOOKED_AT]
        return next((run for run in newest if run.status in PENDING or _asks_as_the_page(run.arguments)), None)

    @property
    def correlating(self) -> Run | None:
        return self.correlations.newest

    @cached_property
    def part(self) -> RunPart | None:
        return newest_part(self.campaign, ANALYSIS, self.correlations.arguments, self.chosen.arguments)

    @property
    def correlation(self) -> Correlations | None:
        return read_part(Correlations, {ANALYSIS: self.part.result}, ANALYSIS) if self.part else None

    @property
    def pending(self) -> list[str]:
        """Running ones, by their names in the address of the page's state."""
        runs = {"scoring": self.scoring, "correlating": self.correlating}
        return [name for name, run in runs.items() if run is not None and run.status in PENDING]

    @cached_property
    def is_stale(self) -> bool:
        run = self.part.run if self.part else None
        if run is None:
            return False
        run.campaign = self.campaign
        return has_newer_evidence(run) or has_newer_scores(run)

    @property
    def no_worker(self) -> str:
        """Why the scoring has not begun, where only a worker for neural metrics would do."""
        run = self.scoring
        is_waiting = run is not None and run.status == RunStatus.QUEUED and run.queue == QUEUE
        return no_worker_reason() if is_waiting and is_no_worker_there() else ""

    @property
    def etag(self) -> str:
        runs = (self.scoring, self.correlating)
        states = [
            f"{run.pk}-{run.status}-{crc32(run.progress_note.encode())}-{run.progress:.2f}" if run else "none"
            for run in runs
        ]
        return f'"{"|".join([*states, *(["no-worker"] if self.no_worker else [])])}"'


def metric_runs(request: HttpRequest, campaign: Campaign) -> MetricRuns:
    return MetricRuns(campaign, analysis_runs(request, campaign))
