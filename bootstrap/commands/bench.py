"""`./assay bench [NAME…] [--option …]`: the figures we promise, measured by the scripts in benchmarks/."""

import os
import subprocess
from itertools import takewhile

from bootstrap import environment, frontend, words
from bootstrap.places import DEV_LOCK, ROOT
from bootstrap.terminal import say


def bench(arguments: list[str]) -> int:
    """Options, which come after the names, are for the benchmark that is named."""
    os.chdir(ROOT)
    scripts = {path.stem: path for path in sorted((ROOT / "benchmarks").glob("[!_]*.py"))}
    names = list(takewhile(lambda argument: not argument.startswith("-"), arguments))
    options = arguments[len(names) :]
    unknown = [name for name in names if name not in scripts]
    if unknown:
        say(f"there is no benchmark {unknown[0]!r}; there are {', '.join(scripts)}.")
        return 2
    if options and len(names) != 1:
        say("options are for one benchmark: name it before them.")
        return 2
    python = environment.prepare(DEV_LOCK)
    words.compile_words(python)
    frontend.build()
    codes = []
    for name in names or scripts:
        say(f"measuring {name.replace('_', ' ')} …")
        codes.append(subprocess.run([python, "-m", f"benchmarks.{name}", *options], check=False).returncode)
    return max(codes, default=0)
