"""`./assay bench`: the figures we promise, measured by the scripts in benchmarks/."""

import os
import subprocess

from bootstrap import environment, frontend
from bootstrap.places import DEV_LOCK, ROOT
from bootstrap.terminal import say


def bench(arguments: list[str]) -> int:
    os.chdir(ROOT)
    scripts = {path.stem: path for path in sorted((ROOT / "benchmarks").glob("[!_]*.py"))}
    unknown = [name for name in arguments if name not in scripts]
    if unknown:
        say(f"there is no benchmark {unknown[0]!r}; there are {', '.join(scripts)}.")
        return 2
    python = environment.prepare(DEV_LOCK)
    frontend.build()
    codes = []
    for name in arguments or scripts:
        say(f"measuring {name.replace('_', ' ')} …")
        codes.append(subprocess.run([python, "-m", f"benchmarks.{name}"], check=False).returncode)
    return max(codes, default=0)
