"""The commands that make ready, then hand over to the application or its benchmarks: `run`, `manage`, `convert` …"""

import os
import subprocess
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NoReturn

from bootstrap import environment, frontend
from bootstrap.places import DEV_LOCK, OBJECT_STORE_LOCK, ROOT, RUN_LOCK, TOKENIZERS_LOCK
from bootstrap.steps import SetUpError, StepFailed, say

THROWAWAY = "throwaway.sqlite3"  # what `convert` knows the database by that it may fill


def run(arguments: list[str]) -> NoReturn:
    python = environment.prepare(RUN_LOCK)
    frontend.compile_words(python)
    frontend.build()
    os.environ |= frontend.collect(python)
    become(python, ["serve", *arguments])


def manage(arguments: list[str]) -> NoReturn:
    become(environment.prepare(RUN_LOCK), arguments)


def convert(arguments: list[str]) -> int:
    """In a folder that is thrown away, so that neither the data nor the database of this machine are touched."""
    python = environment.prepare(RUN_LOCK)
    with TemporaryDirectory(prefix="assay-convert-") as folder:
        database = {"ASSAY_DATA_DIR": folder, "DATABASE_URL": f"sqlite:///{folder}/{THROWAWAY}"}
        command = [str(python), str(ROOT / "manage.py"), "convert", *arguments]
        return subprocess.run(command, env=os.environ | database, check=False).returncode


def become(python: Path, arguments: list[str]) -> NoReturn:
    """In the folder it was called from, so that files named on the command line are found."""
    os.execv(python, [str(python), str(ROOT / "manage.py"), *arguments])  # noqa: S606 - the arguments are a list


def install(arguments: list[str]) -> int:
    """Packages that not every installation wants, each set from a lock of its own."""
    if arguments == ["object-store"]:
        environment.prepare(RUN_LOCK)
        environment.prepare(OBJECT_STORE_LOCK)
        say("the client of object stores is installed. Start Assay again.")
        return 0
    if arguments != ["tokenizers"]:
        say("name what to install: tokenizers or object-store.")
        return 2
    environment.prepare(RUN_LOCK)
    try:
        environment.prepare(TOKENIZERS_LOCK)
    except StepFailed as error:
        raise SetUpError(
            f"{error} There are ready-made packages for Linux (glibc; not Alpine), macOS and Windows. "
            "Everything else of Assay works without them."
        ) from error
    say("the tokenizers are installed. Start Assay again.")
    return 0


def bench(arguments: list[str]) -> int:
    """Options, which come after the names, are for the benchmark that is named."""
    os.chdir(ROOT)
    scripts = {path.stem: path for path in sorted((ROOT / "benchmarks").glob("[!_]*.py"))}
    names = list(takewhile(lambda argument: not argument.startswith("-"), arguments))
    options = arguments[len(names) :]
    unknown = [name for name in names if name not in scripts]
    if unknown:
        say(f"unknown benchmark {unknown[0]!r}. Choose from {', '.join(scripts)}.")
        return 2
    if options and len(names) != 1:
        say("options need one benchmark: name it before them.")
        return 2
    python = environment.prepare(DEV_LOCK)
    frontend.compile_words(python)
    frontend.build()
    codes = []
    for name in names or scripts:
        say(f"measuring {name.replace('_', ' ')} …")
        codes.append(subprocess.run([python, "-m", f"benchmarks.{name}", *options], check=False).returncode)
    return max(codes, default=0)
