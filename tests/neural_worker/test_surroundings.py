"""What the child may do, and how much memory it finds."""

import os
from pathlib import Path

import pytest

from neural_worker import surroundings


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(surroundings, "MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr(surroundings, "CGROUP", tmp_path)
    (tmp_path / "meminfo").write_text("MemTotal:  9000 kB\nMemAvailable:   4000 kB\n")
    return tmp_path


def _limit(machine: Path, most: str) -> None:
    for name, content in {
        "memory.max": most,
        "memory.current": "1500000",
        "memory.stat": "inactive_file 500000",
    }.items():
        (machine / name).write_text(content + "\n")


def test_memory_is_that_of_the_machine_where_there_is_no_container(machine: Path) -> None:
    assert surroundings.free_memory() == 4_000 * 1024
    _limit(machine, "max")
    assert surroundings.free_memory() == 4_000 * 1024


def test_memory_is_that_of_the_container_where_it_has_less(machine: Path) -> None:
    _limit(machine, "3000000")
    assert surroundings.free_memory() == 2_000_000


def test_a_machine_that_does_not_say_it_has_no_limit(machine: Path) -> None:
    (machine / "meminfo").unlink()
    assert surroundings.free_memory() is None


def test_the_hub_and_unsafe_loading_are_switched_off_and_threads_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "environ", {surroundings.UNSAFE: "1", "HF_HUB_OFFLINE": "0"})
    surroundings.restrict()
    assert surroundings.UNSAFE not in os.environ
    assert os.environ["HF_HUB_OFFLINE"] == os.environ["TRANSFORMERS_OFFLINE"] == "1"
    assert 1 <= surroundings.threads() <= 4


def test_threads_are_those_that_the_parent_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "environ", {surroundings.THREADS: "3"})
    surroundings.restrict()
    assert surroundings.threads() == 3
