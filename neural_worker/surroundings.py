"""What this process may do and what it has: no hub, no unsafe loading, few threads, so much memory."""

import os
from contextlib import suppress
from pathlib import Path

UNSAFE = "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD"
OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "TRANSFORMERS_VERBOSITY": "error",
}
THREADS = "OMP_NUM_THREADS"
MOST_THREADS = 4
CGROUP = Path("/sys/fs/cgroup")
MEMINFO = Path("/proc/meminfo")


def restrict() -> None:
    """Before any library is imported, whatever the parent has set."""
    os.environ.pop(UNSAFE, None)  # it would let checkpoints run code
    os.environ.update(OFFLINE)
    os.environ.setdefault(THREADS, str(max(1, min(MOST_THREADS, (os.cpu_count() or 1) // 2))))


def threads() -> int:
    with suppress(ValueError):
        return max(1, int(os.environ.get(THREADS, "1")))
    return 1


def free_memory() -> int | None:
    """Bytes, of the machine or of the container, whichever is less; None where neither says it."""
    return min(filter(None, (_of_machine(), _of_container())), default=None)


def _of_machine() -> int | None:
    with suppress(OSError, ValueError, IndexError):
        for line in MEMINFO.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return None


def _of_container() -> int | None:
    """What files occupy in its cache can be had."""
    with suppress(OSError, ValueError):
        limit, used = (int((CGROUP / name).read_text()) for name in ("memory.max", "memory.current"))
        stat = dict(line.split() for line in (CGROUP / "memory.stat").read_text().splitlines())
        return max(1, limit - used + int(stat.get("inactive_file", 0)))
    return None
