"""What the figures were measured on."""

import os
import platform
from pathlib import Path

from tests.machine_speed import usually_times_slower


def describe_machine() -> str:
    cores = len(os.sched_getaffinity(0))
    gibibytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    kernel = ".".join(platform.release().split(".")[:2])
    return (
        f"{cores} cores ({_processor()}), {gibibytes:.0f} GiB of memory, {platform.system()} {kernel}, "
        f"where a loop took {usually_times_slower():.1f} times its time"
    )


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            return value.strip()
    return platform.machine()
