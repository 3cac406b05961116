"""The environment of the neural libraries, as it is on this machine: which Python, which versions, how much memory.

Uses the standard library alone; nothing of that environment is imported.
"""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

DESCRIPTION = "assay-environment.json"  # written last: where it is, the environment is complete
_MEMORY = Path("/proc/meminfo")
_GROUP = Path("/sys/fs/cgroup")
_MEGABYTE = 1_000_000


@dataclass(frozen=True)
class NeuralEnvironment:
    """`libraries` are versions by name."""

    python: Path
    libraries: Mapping[str, str]


def read_environment(folder: Path) -> NeuralEnvironment | None:
    """None where it is not installed, or not completely."""
    try:
        described = json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))
        libraries = {str(name): str(version) for name, version in described["libraries"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    python = folder / "bin" / "python"
    return NeuralEnvironment(python, MappingProxyType(libraries)) if python.exists() else None


def free_megabytes() -> int | None:
    """Memory that a new process can have, also inside a container; None where the machine does not say."""
    free = [each for each in (_of_machine(), _of_group()) if each is not None]
    return min(free, default=None)


def _of_machine() -> int | None:
    with suppress(OSError, ValueError):
        for line in _MEMORY.read_text(encoding="ascii").splitlines():
            name, _colon, amount = line.partition(":")
            if name == "MemAvailable":
                return int(amount.split()[0]) * 1024 // _MEGABYTE
    with suppress(OSError, ValueError, AttributeError):
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // _MEGABYTE
    return None


def _of_group() -> int | None:
    """The limit of a container less what it uses and cannot give back."""
    with suppress(OSError, ValueError, KeyError):
        limit = int((_GROUP / "memory.max").read_text(encoding="ascii"))
        used = int((_GROUP / "memory.current").read_text(encoding="ascii"))
        lines = (_GROUP / "memory.stat").read_text(encoding="ascii").splitlines()
        cached = int(dict(line.split() for line in lines)["inactive_file"])
        return max(0, limit - used + cached) // _MEGABYTE
    return None
