"""Every address that is read, on a million judgments: queries, how they are performed, and what an answer costs."""

import os
import statistics
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from django.core.cache import cache
from django.test.utils import override_settings

from annotation.actions.work_sums import store_work_sums
from benchmarks._million.layout import MARKED, SCORED
from benchmarks._million.plans import looked_through_by
from benchmarks._pages.addresses import ANNOTATOR, ORGANISER, Address, addresses
from benchmarks._pages.measured_campaign import Made, compute, places_of
from benchmarks._pages.request_costs import answer, clients_of, queries_of
from campaigns.models import Account, Campaign
from tests.frontend.places import placed
from tests.frontend.site_map import site_map

CHEAP = 0.1  # seconds: asked once more, an address that takes less would say the same


@dataclass(frozen=True)
class PageCost:
    """`first_ms` is with an empty cache, `slowest_ms` the slowest of the others, `cpu_ms` the median of this process.

    `scans` are the tables that a query looked through.
    """

    name: str
    path: str
    campaign: str
    is_answered: bool
    queries: int
    scans: tuple[str, ...]
    first_ms: float
    slowest_ms: float
    cpu_ms: float
    size: int

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def page_costs(times: int, names: set[str], *, has_runs: bool) -> Iterator[PageCost]:
    """Of both campaigns, as workers keep them; what pages show of runs is computed where it was not, if wanted."""
    store_work_sums(least=1, seconds=600)
    for made in (made_of(SCORED), made_of(MARKED)):
        with override_settings(UPLOAD_DIR=f"{os.environ['ASSAY_DATA_DIR']}/uploads"):
            if has_runs:
                compute(made)
            yield from costs_of(made, times, names, explains=True)


def made_of(name: str) -> Made:
    campaign = Campaign.objects.get(name=name)
    people = list(Account.objects.filter(username__startswith=f"{campaign.slug}-").order_by("pk"))
    return Made(campaign, Account.objects.get(username="olive"), people)


def costs_of(made: Made, times: int, names: set[str], *, explains: bool) -> Iterator[PageCost]:
    clients = clients_of({ORGANISER: made.organiser, ANNOTATOR: made.annotator})
    for address in addresses(site_map(), places_of(made), placed):
        if not names or address.name in names:
            yield _cost(clients[address.read.by], address, made.campaign.name, times, explains=explains)


def _cost(client: Any, address: Address, campaign: str, times: int, *, explains: bool) -> PageCost:
    cache.clear()
    began = time.perf_counter()
    status, statements = queries_of(client, address)
    first = time.perf_counter() - began
    explains = explains and not address.read.streams  # a file has all judgments in it
    scans = looked_through_by([each["sql"] for each in statements]) if explains else ()
    walls, cpus, size = [0.0], [0.0], 0
    for _ in range(times):
        wall, cpu = time.perf_counter(), time.process_time()
        _status, size = answer(client, address)
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
        if max(walls) < CHEAP:
            break
    return PageCost(
        name=address.name,
        path=address.path,
        campaign=campaign,
        is_answered=status < 500,  # a file that this protocol does not have is not found
        queries=len(statements),
        scans=tuple(sorted(scans)),
        first_ms=1_000 * first,
        slowest_ms=1_000 * max(walls),
        cpu_ms=1_000 * statistics.median(cpus[1:] or [first]),
        size=size,
    )
