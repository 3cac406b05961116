"""Cells of the calibration, a part at a time: in processes of their own, each part on disk as soon as it is done."""

import json
import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

AT_ONCE = 25  # campaigns of a part


@dataclass(frozen=True)
class Job:
    """The campaigns from `first` of one design and world, by the recipes that have not judged them yet."""

    design: str
    world: str
    first: int
    recipes: tuple[str, ...]


def jobs_left(path: Path, wanted: Mapping[str, int], designs: list[str], worlds: list[str]) -> list[Job]:
    """In rounds over all cells, so that a run that is cut has about as many campaigns of each.

    `wanted` is how many campaigns each recipe is to judge.
    """
    done = {(part["design"], part["world"], part["recipe"], part["first"]) for part in parts_of(path)}
    left = []
    for first in range(0, max(wanted.values()), AT_ONCE):
        for design in designs:
            for world in worlds:
                missing = [
                    name
                    for name, campaigns in wanted.items()
                    if first < campaigns and (design, world, name, first) not in done
                ]
                if missing:
                    left.append(Job(design, world, first, tuple(missing)))
    return left


def parts_of(path: Path) -> Iterator[dict[str, Any]]:
    """What is on disk; the last line of a run that was cut may not be whole."""
    if not path.exists():
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            continue


def perform(jobs: list[Job], path: Path, processes: int) -> Iterator[int]:
    """How many are done, after each."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # read by the new processes: matrices are small
    path.parent.mkdir(parents=True, exist_ok=True)
    context = get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context, initializer=_begin) as pool:
        futures = [pool.submit(_counted, job) for job in jobs]
        for done, future in enumerate(as_completed(futures), start=1):
            with path.open("a", encoding="utf-8") as file:
                file.write("".join(json.dumps(part) + "\n" for part in future.result()))
            yield done


def _begin() -> None:
    import django  # noqa: PLC0415 - settings must stand before models

    os.nice(19)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()


def _counted(job: Job) -> list[dict[str, Any]]:
    from metrics.calibration.outcomes import calibrated  # noqa: PLC0415

    counts = calibrated(job.design, job.world, job.recipes, first=job.first, campaigns=AT_ONCE)
    of_job = {"design": job.design, "world": job.world, "first": job.first}
    return [{**of_job, "recipe": recipe, **asdict(one)} for recipe, one in counts.items()]
