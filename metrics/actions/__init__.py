"""Every write of this room: runs are queued, claimed, performed and cancelled here."""

from metrics.actions.claiming import claim_run, fail_exhausted_runs, release_run
from metrics.actions.deriving import derive_scores
from metrics.actions.forgetting import (
    Forgotten,
    campaigns_to_forget_in,
    forget_expired,
    forget_person,
    withdraw_consent,
)
from metrics.actions.performing import perform_now, perform_run, release_own_runs
from metrics.actions.queueing import cancel_run, hint_worker, queue_run
from metrics.actions.refreshing import refresh_run

__all__ = [
    "Forgotten",
    "campaigns_to_forget_in",
    "cancel_run",
    "claim_run",
    "derive_scores",
    "fail_exhausted_runs",
    "forget_expired",
    "forget_person",
    "hint_worker",
    "perform_now",
    "perform_run",
    "queue_run",
    "refresh_run",
    "release_own_runs",
    "release_run",
    "withdraw_consent",
]
