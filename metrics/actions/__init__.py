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
from metrics.actions.imported_scores import NewScores, forget_scores, store_scores
from metrics.actions.performing import perform_now, perform_run, release_own_runs
from metrics.actions.queueing import cancel_run, hint_worker, queue_run
from metrics.actions.refreshing import refresh_run

__all__ = [
    "Forgotten",
    "NewScores",
    "campaigns_to_forget_in",
    "cancel_run",
    "claim_run",
    "derive_scores",
    "fail_exhausted_runs",
    "forget_expired",
    "forget_person",
    "forget_scores",
    "hint_worker",
    "perform_now",
    "perform_run",
    "queue_run",
    "refresh_run",
    "release_own_runs",
    "release_run",
    "store_scores",
    "withdraw_consent",
]
