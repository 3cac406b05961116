"""What was done on a screen, as Pearmut logs it: its times, and its actions in our form."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from annotation.action_log import LONGEST_VALUE, MOST_ACTIONS, Action, is_action_name
from exchange import cells
from exchange.staging.judgments import slot_label

LONGEST_GAP = 60  # seconds of one pause that count as work


def times_of(logged: object, place: int, count: int) -> dict[str, Any]:
    """A screen has one clock: each of its items gets an equal part, so that the sum is right."""
    moments = sorted(moment for each in _entries(logged) if (moment := _moment(each)) is not None)
    if len(moments) < 2:
        return {}
    elapsed = moments[-1] - moments[0]
    active = sum(min(after - before, LONGEST_GAP) for before, after in pairwise(moments))
    started, submitted = (datetime.fromtimestamp(moment, tz=UTC) for moment in (moments[0], moments[-1]))
    parts = {"elapsed_ms": elapsed, "active_ms": active}
    shares = {name: _share(round(seconds * 1000), count, place) for name, seconds in parts.items()}
    return {"started": started, "submitted": submitted, **shares}


def actions_of(logged: object, columns: Sequence[str], rows: int) -> str:
    """As JSON text, empty without actions. Bounds of marks are left out: the answer has them.

    What is unknown of an action is left out, and its time still counts; without a time it is left out itself.
    """
    entries = []
    for each in _entries(logged):
        moment, name, row = _moment(each), each.get("action"), each.get("index")
        if moment is None:
            continue
        is_row = isinstance(row, int) and not isinstance(row, bool) and 0 <= row < rows
        model = each.get("model")
        slot = slot_label(columns.index(model) + 1) if is_row and model in columns else None
        action = Action(
            round(moment * 1000),
            str(name) if is_action_name(name) else "other",
            row if is_row else None,
            slot,
            _value(each.get("value")),
        )
        entries.append(action.as_json)
    return json.dumps(entries[-MOST_ACTIONS:]) if entries else ""


def _entries(logged: object) -> list[Mapping[str, Any]]:
    return [each for each in logged if isinstance(each, Mapping)] if isinstance(logged, list) else []


def _value(value: object) -> float | str | None:
    if isinstance(value, str):
        return value[:LONGEST_VALUE]
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e14
    return value if is_number else None  # type: ignore[return-value] # narrowed, which mypy does not see


def _share(milliseconds: int, count: int, place: int) -> int:
    part = milliseconds * (place + 1) // count - milliseconds * place // count
    return min(part, cells.LARGEST_MILLISECONDS)


def _moment(action: Mapping[str, Any]) -> float | None:
    """Seconds since 1970."""
    moment = action.get("time")
    is_time = isinstance(moment, int | float) and not isinstance(moment, bool) and 0 <= moment < 1e11
    return float(moment) if is_time and moment is not None else None
