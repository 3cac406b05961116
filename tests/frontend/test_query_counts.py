"""No page takes more than 20 queries, nor more of a larger campaign: every address that is read, twice."""

from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from django.test import Client

import pytest
from pytest_django import Settings

from benchmarks._pages.addresses import ANNOTATOR, ELSEWHERE, ORGANISER, READ, SENT, Address, addresses, unlisted
from benchmarks._pages.invented_texts import Size
from benchmarks._pages.measured_campaign import Made, add_others, compute, make_whole, places_of
from benchmarks._pages.request_costs import clients_of, queries_of
from metrics.recipes import RECIPES
from tests.cast import Cast
from tests.frontend.places import placed
from tests.frontend.site_map import site_map
from tests.plugins.drawing import Draw

MOST = 20
PARTS = 4
WITH_A_NOTE = "researcher-segments"  # one more for the organiser's own note
SMALL = Size(documents=5, per_document=3, systems=2, annotators=4, per_output=2, per_assignment=6, beside=4)
LARGE = Size(documents=10, per_document=3, systems=4, annotators=8, per_output=2, per_assignment=6, beside=30)
HOW = """
{missing}: nothing says how these are read. Add a line for each to benchmarks/_pages/addresses.py: to the list of what
is read, with its filters and orders, or to SENT where it answers no GET.
"""


def test_every_address_is_measured_or_answers_no_get() -> None:
    site = site_map()
    missing = unlisted(site)
    assert not missing, HOW.format(missing=", ".join(missing))
    assert sorted({*READ, *SENT, *ELSEWHERE} - set(site)) == [], "these are no addresses"
    assert sorted(SENT & set(READ)) == []


def test_no_page_takes_more_than_20_queries_or_more_of_a_larger_campaign(
    cast: Cast, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, drawn: Draw
) -> None:
    """Whole suites draw a fourth of the addresses; four seeds in a row leave none out."""
    settings.UPLOAD_DIR = tmp_path
    settings.API_REQUESTS_PER_MINUTE = 1_000_000
    monkeypatch.setattr(import_module("metrics.analyses.ranking"), "FEWEST_PER_SYSTEM", 1)
    monkeypatch.setattr("exchange.export_sizes.SAMPLED", 10)
    monkeypatch.setattr("metrics.progress.controls._CACHED_SECONDS", None)  # on any machine they are read once
    monkeypatch.setattr("frontend.service.health.TRIED_EVERY", float("inf"))  # room to write is tried now and then
    monkeypatch.setitem(RECIPES, "assay", replace(RECIPES["assay"], resamples=20, interval_resamples=20))
    few = _counts(_made("Small", SMALL, cast), drawn)
    many = _counts(_made("Large", LARGE, cast), drawn)
    problems = [f"{name}: {count} queries" for name, count in many.items() if count > MOST + name.endswith(WITH_A_NOTE)]
    problems += [
        f"{name}: {few[name]} queries, {count} of a larger campaign"
        for name, count in many.items()
        if count > few[name]
    ]
    assert problems == [], "\n".join(problems)


def _made(name: str, size: Size, cast: Cast) -> Made:
    """When everything has been computed once: then pages ask for most."""
    made = make_whole(name, "esa", size, cast.organiser, cast.researcher)
    add_others(made, size)
    compute(made)
    return made


def _counts(made: Made, drawn: Draw) -> dict[str, int]:
    """By address, the same for both campaigns."""
    clients = clients_of({ORGANISER: made.organiser, ANNOTATOR: made.annotator})
    requests = list(enumerate(addresses(site_map(), places_of(made), placed)))
    return {f"{place} {address.name}": _count(clients, address) for place, address in drawn(requests, PARTS)}


def _count(clients: Mapping[str, Client], address: Address) -> int:
    client = clients[address.read.by]
    status, statements = queries_of(client, address)
    assert address.expects(status, has_run=True), f"{address.path} answers {status}"
    return len(statements)
