"""`./assay run` and `./assay manage`: make ready, then become Django."""

import os
from pathlib import Path
from typing import NoReturn

from bootstrap import environment, frontend, words
from bootstrap.places import ROOT, RUN_LOCK


def run(arguments: list[str]) -> NoReturn:
    python = environment.prepare(RUN_LOCK)
    words.compile_words(python)
    frontend.build()
    _become(python, ["serve", *arguments])


def manage(arguments: list[str]) -> NoReturn:
    _become(environment.prepare(RUN_LOCK), arguments)


def _become(python: Path, arguments: list[str]) -> NoReturn:
    """In the folder it was called from, so that files named on the command line are found."""
    os.execv(python, [str(python), str(ROOT / "manage.py"), *arguments])  # noqa: S606 - the arguments are a list
