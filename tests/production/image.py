"""What the Dockerfile puts into the image of the application, laid out in a folder."""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from tests.production.compose import ROOT


@dataclass(frozen=True)
class Copy:
    sources: list[str]
    target: str
    stage: str


def instructions(stage: str) -> list[tuple[str, str]]:
    """Of the named stage, or of the application's for ""."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    layers: list[tuple[str, str]] = []
    current = ""
    for line in lines:
        word, rest = line.split(maxsplit=1)
        if word == "FROM":
            current = rest.partition(" AS ")[2]
            continue
        if current == (stage or "assay"):
            layers.append((word, rest))
    return layers


def copies(stage: str = "") -> list[Copy]:
    made = []
    for word, rest in instructions(stage):
        if word == "COPY":
            origin = re.match(r"--from=(\S+) ", rest)
            *sources, target = rest[origin.end() if origin else 0 :].split()
            made.append(Copy(sources, target, origin[1] if origin else ""))
    return made


def lay_out(folder: Path) -> None:
    left_out = shutil.ignore_patterns("node_modules", "__pycache__", "build")
    for copy in copies():
        for source in copy.sources:
            # the other stage has the same folders, under /assay
            origin = ROOT / source.removeprefix("/assay/")
            target = folder / copy.target
            if origin.is_dir():
                shutil.copytree(origin, target, ignore=None if copy.stage else left_out, dirs_exist_ok=True)
            else:
                shutil.copy(origin, target)
