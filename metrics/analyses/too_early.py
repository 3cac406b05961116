"""When there is too little to rank by: numbers are computed all the same, and said to be early."""

import math
from collections.abc import Mapping
from typing import Any

FEWEST_SYSTEMS = 2
FEWEST_PER_SYSTEM = 10
SMALLEST_SHARE_OF_PLAN = 0.1


def too_early(per_system: Mapping[str, int], *, judgments: int, planned: int | None) -> dict[str, Any] | None:
    """Why a ranking is too early, and how many judgments there are of how many needed; None when it is not.

    `per_system` counts the judgments that rank each system; `judgments` those of every kind, as `planned` does.
    """
    if len(per_system) < FEWEST_SYSTEMS:
        needed = max(FEWEST_SYSTEMS * FEWEST_PER_SYSTEM, _share_of(planned))
        return {"reason": "too_few_systems", "judgments": judgments, "needed": needed}
    if judgments < _share_of(planned):
        return {"reason": "too_little_of_plan", "judgments": judgments, "needed": _share_of(planned)}
    fewest = min(per_system.values())
    if fewest < FEWEST_PER_SYSTEM:
        return {"reason": "too_few_per_system", "judgments": fewest, "needed": FEWEST_PER_SYSTEM}
    return None


def _share_of(planned: int | None) -> int:
    return math.ceil(SMALLEST_SHARE_OF_PLAN * planned) if planned else 0
