"""What a CSV file of all judgments costs: its first byte, its speed beside PostgreSQL's own COPY, and its memory."""

import os
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from django.db import connection

from benchmarks._million.layout import SCORED
from campaigns.models import Campaign
from exchange.exports import export_rows

# The columns of the CSV file, in its order of rows.
_COPY = """
COPY (
    SELECT j.client_id, u.username, c.protocol, d.name, s.name, y.name, i.kind, m.measure, m.value, a.name, i.position,
        l.label, j.revision, j.started_at, j.submitted_at, j.elapsed_ms, j.active_ms, j.answer, s.source,
        COALESCE(l.damaged, t.text),
        (SELECT r.text FROM campaigns_reference r WHERE r.segment_id = s.id ORDER BY r.name LIMIT 1), s.domain
    FROM annotation_judgment j
    JOIN annotation_item i ON i.id = j.item_id
    JOIN annotation_assignment a ON a.id = i.assignment_id
    JOIN campaigns_campaign c ON c.id = a.campaign_id
    JOIN campaigns_account u ON u.id = j.annotator_id
    JOIN campaigns_document d ON d.id = i.document_id
    LEFT JOIN campaigns_segment s ON s.id = i.segment_id
    LEFT JOIN annotation_slot l ON l.item_id = i.id
    LEFT JOIN campaigns_system y ON y.id = l.system_id
    LEFT JOIN campaigns_translation t ON t.id = l.translation_id
    LEFT JOIN annotation_score m ON m.judgment_id = j.id AND m.translation_id = l.translation_id
    WHERE c.id = %s ORDER BY j.id, l.label
) TO STDOUT WITH (FORMAT csv, HEADER)
"""


@dataclass(frozen=True)
class FileCost:
    """Seconds are processor time of Assay and, where it has processes of its own, of the database."""

    first_ms: float
    seconds: float
    megabytes: float
    file_megabytes: float
    copy_seconds: float | None


class _Counted:
    def __init__(self) -> None:
        self.size = 0

    def write(self, data: bytes) -> None:
        self.size += len(data)


def file_cost() -> FileCost:
    campaign = Campaign.objects.get(name=SCORED)
    sink = _Counted()
    first: list[float] = []
    began = time.process_time()

    def export() -> None:
        for piece in export_rows(campaign, "csv"):
            if not first:
                first.append(1_000 * (time.process_time() - began))
            sink.write(piece)

    seconds = _processor_time(export)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    copied = _processor_time(lambda: _copy(campaign)) if connection.vendor == "postgresql" else None
    return FileCost(first[0], seconds, memory, sink.size / 1e6, copied)


def _copy(campaign: Campaign) -> None:
    with connection.cursor() as cursor:
        statement = cursor.cursor.mogrify(_COPY, [campaign.pk])
        cursor.cursor.copy_expert(statement.decode(), _Counted())


def _processor_time(work: Callable[[], None]) -> float:
    server = server_process()
    before = time.process_time() + seconds_of(server)
    work()
    return time.process_time() + seconds_of(server) - before


def server_process() -> int | None:
    if connection.vendor != "postgresql":
        return None
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def seconds_of(process: int | None) -> float:
    """With the processes that helped it and have ended: they are children of its parent, as it is."""
    if process is None:
        return 0.0
    own = _fields(process)
    helpers = _fields(int(own[1]))
    return sum(map(int, (*own[11:13], *helpers[13:15]))) / os.sysconf("SC_CLK_TCK")


def _fields(process: int) -> list[str]:
    """Of `/proc/PID/stat`, from the state on."""
    return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
