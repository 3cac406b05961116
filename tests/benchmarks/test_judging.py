"""The judging benchmark: its promise, its likeness to production, and Assay's side of it with a few loops."""

import shlex
from pathlib import Path

import pytest

from benchmarks._judging.assay import GUNICORN, Assay
from benchmarks._judging.concurrent_annotators import measure
from benchmarks._judging.database_copies import SqliteShelf
from benchmarks._judging.figures import Cell, Figures, Spread, figures
from benchmarks._judging.pearmut import Pearmut
from benchmarks._judging.plan import Plan
from benchmarks.judging import ON_POSTGRES, ON_SQLITE, beside_pearmut, most_expensive
from tests.empty_databases import FILE, put_on_sqlite
from tests.production.compose import ENV_FILE, read_services

PLAN = Plan(sizes=(0, 40), crowds=(1, 3), loops=12, warm_up=1, rounds=1, assignment=20)


def told(server: float, *, speed: float = 1.0) -> Figures:
    some, fast = Spread(1.0, 1.0, 1.0), Spread(speed, speed, speed)
    return Figures(1, 1, fast, some, some, some, server=Spread(server, 0.0, 99.0), database=some, client=some)


def test_the_promise_is_held_against_the_worst_figure_on_postgresql_alone() -> None:
    cells = {
        Cell(ON_POSTGRES, 0, 1): told(7.0),
        Cell(ON_POSTGRES, 20_000, 8): told(9.0),
        Cell(ON_SQLITE, 0, 1): told(30.0),
    }
    assert most_expensive(cells) == 9.0


def test_pearmut_stands_beside_with_nothing_stored_by_cost_and_with_most_stored_by_speed() -> None:
    cells = {
        Cell(ON_SQLITE, 0, 1): told(9.0),
        Cell(Pearmut.name, 0, 1): told(3.0),
        Cell(ON_SQLITE, 20_000, 1): told(50.0, speed=60.0),
        Cell(Pearmut.name, 20_000, 1): told(50.0, speed=15.0),
        Cell(ON_SQLITE, 20_000, 8): told(99.0),
    }
    assert beside_pearmut(cells, ON_SQLITE) == (3.0, 4.0)
    assert (
        beside_pearmut({cell: each for cell, each in cells.items() if cell.contestant == ON_SQLITE}, ON_SQLITE) is None
    )


def test_gunicorn_has_the_options_of_production() -> None:
    command = read_services(ENV_FILE)["web"]["command"][-1]
    options = shlex.split(command.partition("config.wsgi:application")[2])
    for ours in ("--bind", "--workers"):
        place = options.index(ours)
        del options[place : place + 2]
    assert set(options) == set(GUNICORN.split())


@pytest.mark.servers
def test_loops_on_sqlite_are_counted_and_every_confirmed_judgment_is_stored(tmp_path: Path) -> None:
    home = tmp_path / "sqlite"
    assay = Assay(ON_SQLITE, shelf=SqliteShelf(home), home=home, plan=PLAN, variables={})
    put_on_sqlite(tmp_path)
    (tmp_path / FILE).rename(home / "planned.sqlite3")  # or its migrations would take longer than all the rest
    assay.prepare()
    for stored, annotators in ((0, 1), (40, 3)):
        with_figures = figures([measure(assay, stored=stored, annotators=annotators, plan=PLAN)])
        assert with_figures.loops == 12
        assert 0 < with_figures.p50.median <= with_figures.p99.median
        assert with_figures.server.median > 0
