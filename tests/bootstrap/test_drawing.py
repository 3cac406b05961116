"""What the whole suite draws a part of: nothing is left out over as many seeds as a row has parts."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import settings

from bootstrap.commands.suite import PLUGINS, _drawing
from tests.plugins.drawing import ON_SQLITE, part_of, pytest_collection_modifyitems

SEEDS = range(60)  # a multiple of every number of parts below


@dataclass(eq=False)
class Item:
    """As much of a test as is looked at."""

    nodeid: str
    marks: dict[str, int] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        return Path("/root", self.nodeid.partition("::")[0])

    def get_closest_marker(self, name: str) -> Any:
        return SimpleNamespace(args=[self.marks[name]]) if name in self.marks else None


def case(test: str, number: int | None = None, **marks: int) -> Item:
    return Item(test if number is None else f"{test}[{number}]", marks)


def kept(items: Sequence[Item], **options: Any) -> list[str]:
    left_out: list[Any] = []

    def leave_out(items: list[Any]) -> None:
        left_out.extend(items)

    config: Any = SimpleNamespace(
        rootpath=Path("/root"),
        getoption={"draw": None, "only_database": False, "database": "postgresql", **options}.get,
        hook=SimpleNamespace(pytest_deselected=leave_out),
    )
    row: list[Any] = list(items)
    pytest_collection_modifyitems(config, row)
    assert len(row) + len(left_out) == len(items)
    return [item.nodeid for item in row]


CASES = [case("tests/a.py::test_row", number, drawn=3) for number in range(7)]
ALONE = case("tests/a.py::test_alone")


@pytest.mark.parametrize("parts", [1, 3, 10])
@pytest.mark.parametrize("length", [1, 2, 7, 30])
def test_every_seed_draws_something_and_as_many_seeds_as_parts_draw_all_once(parts: int, length: int) -> None:
    in_fact = min(parts, length)
    drawn = [part_of(range(length), parts, seed) for seed in range(100, 100 + in_fact)]
    assert all(drawn)
    assert Counter(one for row in drawn for one in row) == Counter(range(length))


def test_of_a_marked_test_cases_are_drawn_and_others_stay() -> None:
    assert kept([*CASES, ALONE]) == [item.nodeid for item in (*CASES, ALONE)]  # without a seed
    runs = [kept([*CASES, ALONE], draw=seed) for seed in SEEDS]
    assert {len(run) for run in runs} == {3, 4}
    assert all(run[-1] == ALONE.nodeid for run in runs)
    assert Counter(name for run in runs for name in run) == {item.nodeid: 20 for item in CASES} | {ALONE.nodeid: 60}


def test_cases_that_stand_apart_are_one_row() -> None:
    apart = [one for number in range(3) for one in (CASES[number], case("tests/a.py::test_other", number))]
    assert all(len(kept(apart, draw=seed)) == 4 for seed in SEEDS)


def test_in_browsers_all_cases_are_drawn() -> None:
    windows = [case("tests/browser/a.py::test_width", number, browser=1) for number in range(2)]
    assert {tuple(kept(windows, draw=seed)) for seed in SEEDS} == {(one.nodeid,) for one in windows}


def test_in_browsers_every_sixth_test_is_drawn_and_in_time_each_case() -> None:
    files = {"test_mqm": "abcdefg", "test_esa": "hi", "test_crowd": "j"}
    names = [f"tests/browser/{file}.py::test_{name}" for file, names in files.items() for name in names]
    tests = [case(name, number, browser=1, drawn=3) for name in names for number in range(3)]
    seeds = range(18)
    runs = [kept(tests, draw=seed) for seed in seeds]
    assert {len({name.partition("[")[0] for name in run}) for run in runs} == {1, 2}
    assert Counter(name for run in runs for name in run) == {item.nodeid: 1 for item in tests}
    saving = [case(f"tests/browser/test_saving.py::test_{name}", browser=1) for name in "abc"]
    assert all(len(kept(saving, draw=seed)) == 3 for seed in SEEDS)


def test_of_journeys_one_is_made_whichever_file_it_is_in() -> None:
    journeys = [case(f"tests/browser/test_journeys.py::test_{name}", browser=1, servers=1) for name in "ab"]
    journeys.append(case("tests/browser/test_whole_campaign.py::test_c", browser=1, servers=1))
    runs = [kept(journeys, draw=seed) for seed in SEEDS]
    assert {len(run) for run in runs} == {1}
    assert len({name for run in runs[:3] for name in run}) == 3


def test_of_slow_files_every_ninth_test_is_tried_and_no_crash_is_left_out() -> None:
    starts = [case(f"tests/config/test_serve.py::test_{name}", servers=1) for name in "abcdefgh"]
    measured = [case(f"tests/benchmarks/test_million.py::test_{name}") for name in "abcdefghij"]
    crashes = [case(f"tests/crash/test_kill.py::test_{name}", servers=1) for name in "ab"]
    runs = [kept([*starts, *measured, *crashes], draw=seed) for seed in SEEDS]
    assert {len(run) for run in runs} == {2 + 2}
    assert set().union(*runs[:9]) == {item.nodeid for item in (*starts, *measured, *crashes)}


def test_each_case_of_a_slow_file_comes_to_postgresql_though_sqlite_draws_of_it() -> None:
    slow = "tests/exchange/archive/test_foreign_results.py::test_"
    cases = [case(f"{slow}{name}", number, django_db=1) for name in "abcdefghijklmnopqrst" for number in range(5)]
    assert set().union(*(kept(cases, draw=seed) for seed in range(45))) == {item.nodeid for item in cases}


def test_on_sqlite_part_of_a_file_that_runs_whole_on_postgresql() -> None:
    tests = [case(f"tests/exchange/test_a.py::test_{number}") for number in range(10)]
    whole = [case(f"tests/annotation/queries/test_a.py::test_{number}") for number in range(10)]
    on_sqlite = {"only_database": True, "database": "sqlite"}
    assert len(kept([*tests, *whole], draw=4, **on_sqlite)) == 10 // ON_SQLITE + 10
    assert len(kept([*tests, *whole], **on_sqlite)) == 20
    assert len(kept([*tests, *whole], draw=4)) == 20


def test_what_sqlite_draws_of_a_file_postgresql_leaves_to_it() -> None:
    both = [case(f"tests/exchange/test_a.py::test_{number}", django_db=1) for number in range(12)]
    alone = case("tests/exchange/test_b.py::test_b", django_db=1)
    others = [
        case("tests/exchange/test_a.py::test_pure"),
        case("tests/exchange/formats/test_memory.py::test_a", django_db=1),
        case("tests/exchange/formats/test_memory.py::test_b", django_db=1),
        *(case(f"tests/annotation/queries/test_a.py::test_{number}", django_db=1) for number in range(4)),
    ]
    seen = Counter[str]()
    for seed in SEEDS:
        there = kept([*both, alone], draw=seed, only_database=True, database="sqlite")
        here = kept([*both, alone, *others], draw=seed)
        assert sorted([*here, *there]) == sorted([one.nodeid for one in [*both, alone, alone, *others]])
        seen.update(there)
    assert {seen[one.nodeid] for one in both} == {len(SEEDS) // ON_SQLITE}
    assert len(kept([*both, alone, *others])) == 12 + 1 + len(others)


def test_the_whole_suite_draws_a_seed_and_named_tests_are_run_whole() -> None:
    first = _drawing([])
    assert first is not None
    assert first[0] == "--draw"
    assert len({tuple(_drawing([]) or ()) for _ in range(20)}) > 1
    assert _drawing(first) == first
    assert _drawing(["--all"]) == []
    assert _drawing(["tests/jobs"]) is _drawing(["--draw", "4", "tests/jobs"]) is None
    assert "tests.plugins.drawing" in PLUGINS


def test_of_a_property_half_as_many_examples_are_tried_where_tests_are_drawn(request: pytest.FixtureRequest) -> None:
    is_drawn = request.config.getoption("draw") is not None
    assert settings().max_examples == (10 if is_drawn else 20)
