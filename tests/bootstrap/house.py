"""A clone in a folder of its own, on a machine that has only what a test puts there."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.processes import ROOT

TOOLS = ("sh", "dirname", "readlink", "echo", "cat", "mkdir", "touch")
# Where nothing listens; few retries, so that the test need not wait for what a person would.
OFFLINE = {
    "PIP_CONFIG_FILE": os.devnull,
    "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
    "PIP_RETRIES": "1",
    "UV_DEFAULT_INDEX": "http://127.0.0.1:9/simple",
    "npm_config_registry": "http://127.0.0.1:9/",
    "npm_config_fetch_retries": "0",
}


@dataclass(frozen=True)
class House:
    root: Path
    bin: Path  # all of PATH

    def assay(
        self, *arguments: str, folder: Path | None = None, **environment: str
    ) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [self.root / "assay", *arguments],
            cwd=folder or self.root,
            env=self.environment() | environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def environment(self) -> dict[str, str]:
        return {"PATH": str(self.bin), "HOME": str(self.root), **OFFLINE}

    def python(self, code: str) -> str:
        """A few lines with this clone's own `bootstrap`."""
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=self.root,
            env=self.environment(),
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    def has_program(self, name: str, script: str) -> None:
        program = self.bin / name
        program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        program.chmod(0o755)

    def has_python(self) -> None:
        self.has_program("python3", f'exec "{sys.executable}" "$@"')

    def has_filled_environment(self) -> None:
        """What the test runs in, under the clone's own name."""
        venv = self.root / ".venv"
        (venv / "bin").mkdir(parents=True)
        (venv / "bin" / "python").symlink_to(Path(sys.executable).resolve())
        shutil.copy(Path(sys.prefix) / "pyvenv.cfg", venv)
        (venv / "lib").symlink_to(Path(sys.prefix) / "lib")
        (self.root / "manage.py").symlink_to(ROOT / "manage.py")
        self.python(
            "from bootstrap import environment as e, places as p\n"
            "e.put_stamp(e._stamp(p.RUN_LOCK), e.digest_of([p.RUN_LOCK]))"
        )

    def has_front_end(self) -> None:
        """Sources, and a Node that only notes what it is asked to do."""
        frontend = self.root / "frontend"
        (frontend / "src").mkdir(parents=True)
        for name in ("package.json", "package-lock.json", "build.mjs", "bundles.mjs", "tsconfig.json", "src/main.ts"):
            (frontend / name).write_text("{}", encoding="utf-8")
        calls = self.root / "calls"
        made = "mkdir -p static/build; touch static/build/main.js"
        self.has_program("node", f'if [ "$1" = --version ]; then echo v20.19.0; else echo "$1" >> {calls}; {made}; fi')
        self.has_program("npm", f'echo "npm $1" >> {calls}; mkdir -p node_modules')

    def has_been_made_ready(self) -> None:
        """Words and static files, all of them empty, are where `./assay run` looks for them, so that it makes none."""
        script = self.root / "frontend" / "static" / "build" / "main.js"
        script.parent.mkdir(parents=True)
        script.touch()
        self.python(
            "from bootstrap import frontend as f, places as p\n"
            "from bootstrap.steps import digest_of, put_stamp\n"
            f"script = f.FRONTEND / {str(script.relative_to(self.root / 'frontend'))!r}\n"
            "put_stamp(f.WORDS_STAMP, digest_of([]))\n"
            "put_stamp(f.COLLECTED_STAMP, digest_of([script, p.RUN_LOCK], salt=str(f.COLLECTED)))\n"
            "f.COLLECTED.mkdir()\n"
            "(f.COLLECTED / 'staticfiles.json').touch()"
        )

    def calls(self) -> list[str]:
        """What Node and npm were asked since the last look."""
        noted = self.root / "calls"
        lines = noted.read_text().splitlines() if noted.exists() else []
        noted.unlink(missing_ok=True)
        return lines


def make_house(folder: Path) -> House:
    root, programs = folder / "clone", folder / "bin"
    programs.mkdir(parents=True)
    shutil.copytree(ROOT / "bootstrap", root / "bootstrap", ignore=shutil.ignore_patterns("__pycache__"))
    for source in [ROOT / "assay", *ROOT.glob("requirements*.txt")]:
        shutil.copy(source, root)
    for tool in TOOLS:
        (programs / tool).symlink_to(str(shutil.which(tool)))
    return House(root, programs)
