"""What ranking and agreement of a million judgments cost, from the first query to the stored result."""

import resource
import time
from typing import Any

from campaigns.models import Campaign
from jobs.actions import perform_now
from jobs.models import RunStatus
from metrics.actions.deriving import derive_scores


def analysis_cost(name: str) -> dict[str, Any]:
    """Wall and processor seconds, and the most memory of this process, in MB."""
    campaign = Campaign.objects.get(name=name)
    began = time.perf_counter()
    derive_scores(campaign)  # once for all: each answer is processed when it is new
    derived = time.perf_counter() - began
    began, used = time.perf_counter(), time.process_time()
    arguments = {"analyses": ["ranking", "agreement"]}
    run = perform_now(kind="analysis", campaign=campaign, arguments=arguments, created_by=None)
    if run.status != RunStatus.DONE:
        raise RuntimeError(run.error)
    return {
        "campaign": name,
        "derived_s": derived,
        "seconds": time.perf_counter() - began,
        "cpu_s": time.process_time() - used,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
