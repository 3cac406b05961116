"""One address requested again and again, by the same person in this process: what each answer costs the server."""

import statistics
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchmarks._pages.addresses import Address
from campaigns.models import Account

BACKEND = "django.contrib.auth.backends.ModelBackend"


@dataclass(frozen=True)
class Cost:
    """`wall_ms` and `cpu_ms` are medians; of what streams, the time until it begins. The database's own processes are
    in the wall alone."""

    name: str
    path: str
    status: int
    queries: int
    wall_ms: float
    cpu_ms: float
    size: int

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def clients_of(people: Mapping[str, Account]) -> dict[str, Client]:
    """A browser for each, by role; one for nobody under the empty name."""
    clients = {"": Client(SERVER_NAME="localhost", raise_request_exception=False)}
    for role, account in people.items():
        clients[role] = Client(SERVER_NAME="localhost", raise_request_exception=False)
        clients[role].force_login(account, backend=BACKEND)
    return clients


def queries_of(client: Client, address: Address) -> tuple[int, list[dict[str, str]]]:
    """Its status, and the queries of one answer; of what streams, until it begins."""
    with CaptureQueriesContext(connection) as captured:
        status, _size = answer(client, address)
    return status, captured.captured_queries


def cost_of(client: Client, address: Address, times: int) -> Cost:
    status, statements = queries_of(client, address)
    walls, cpus, size = [], [], 0
    for _ in range(times):
        wall, cpu = time.perf_counter(), time.thread_time()
        _status, size = answer(client, address)
        walls.append(time.perf_counter() - wall)
        cpus.append(time.thread_time() - cpu)
    wall_ms, cpu_ms = (1_000 * statistics.median(each) for each in (walls, cpus))
    return Cost(address.name, address.path, status, len(statements), wall_ms, cpu_ms, size)


def answer(client: Client, address: Address) -> tuple[int, int]:
    """Its status and its size, or that of its first piece."""
    answer: Any = client.get(address.path)
    if answer.streaming:
        first = next(iter(answer.streaming_content), b"")
        answer._resource_closers[-1]()  # noqa: SLF001 - as the client itself ends a stream; `close` ends the connection, too
        return answer.status_code, len(first)
    return answer.status_code, len(answer.content)
