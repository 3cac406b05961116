"""`actions-csv`: one row for each action on a screen, in the order of judgments; docs/formats.md has its columns."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from itertools import islice
from typing import NamedTuple

from annotation.action_log import Action, actions_from
from annotation.models import ActionLog, Slot
from campaigns.models import Campaign
from exchange.cells import safe_name
from exchange.exported_judgments import EVERYTHING, ExportChoice
from exchange.tables.csv_and_json import Table, as_number, as_time

COLUMNS = ("judgment", "annotator", "document", "segment", "system", "slot", "time", "action", "value", "detail")
LOGS_AT_ONCE = 100
_Screen = tuple[int, int]  # assignment and block


class _Shown(NamedTuple):
    """Of a screen: the names of its segments in order, and the system of each slot by segment."""

    segments: list[str]
    systems: Mapping[tuple[str, str], str]


def actions_table(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> Table:
    return Table(COLUMNS, _rows(campaign, choice))


def _rows(campaign: Campaign, choice: ExportChoice) -> Iterator[list[str]]:
    logs = choice.of_judgments(ActionLog.objects.filter(judgment__item__assignment__campaign=campaign))
    item = "judgment__item__"
    names = ("judgment__client_id", "judgment__annotator__username", f"{item}document__name")
    rows = logs.order_by("judgment_id").values_list(f"{item}assignment_id", f"{item}block", *names, "actions")
    coming = rows.iterator(LOGS_AT_ONCE)
    while several := list(islice(coming, LOGS_AT_ONCE)):
        screens = _screens({(row[0], row[1]) for row in several})
        for assignment, block, judgment, annotator, document, stored in several:
            shared = [str(judgment), choice.called(annotator), document]
            for action in actions_from(stored):
                cells = [*shared, *_cells(action, screens[assignment, block])]
                yield [safe_name(cell) for cell in cells]


def _screens(keys: set[_Screen]) -> Mapping[_Screen, _Shown]:
    shown: dict[_Screen, _Shown] = defaultdict(lambda: _Shown([], {}))
    slots = Slot.objects.filter(
        item__assignment__in={assignment for assignment, _block in keys}, item__block__in={block for _, block in keys}
    )
    names = ("item__segment__name", "label", "system__name")
    rows = slots.order_by("item__segment__position").values_list("item__assignment_id", "item__block", *names)
    systems: dict[_Screen, dict[tuple[str, str], str]] = defaultdict(dict)
    for assignment, block, segment, label, system in rows:
        screen = assignment, block
        shown[screen] = _Shown(shown[screen].segments, systems[screen])
        if segment not in shown[screen].segments:
            shown[screen].segments.append(segment)
        systems[screen][segment, label] = system
    return shown


def _cells(action: Action, shown: _Shown) -> list[str]:
    is_known = action.row is not None and action.row < len(shown.segments)
    segment = shown.segments[action.row] if is_known and action.row is not None else ""
    value = action.value
    return [
        segment,
        shown.systems.get((segment, action.slot or ""), ""),
        action.slot or "",
        as_time(datetime.fromtimestamp(action.at / 1000, UTC)),
        action.name,
        "" if value is None or isinstance(value, str) else as_number(value),
        value if isinstance(value, str) else "",
    ]
