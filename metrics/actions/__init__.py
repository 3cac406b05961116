"""Every write of this room: scores derived and imported, people forgotten, stale numbers computed anew."""

from metrics.actions.deriving import derive_scores
from metrics.actions.forgetting import (
    Forgotten,
    campaigns_to_forget_in,
    forget_expired,
    forget_person,
    withdraw_consent,
)
from metrics.actions.imported_scores import NewScores, forget_scores, store_scores
from metrics.actions.refreshing import refresh_run

__all__ = [
    "Forgotten",
    "NewScores",
    "campaigns_to_forget_in",
    "derive_scores",
    "forget_expired",
    "forget_person",
    "forget_scores",
    "refresh_run",
    "store_scores",
    "withdraw_consent",
]
