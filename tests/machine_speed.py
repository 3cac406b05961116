"""How fast this machine is just now, for promises of time: it changes by half within minutes where others work too."""

import sys
import time
from statistics import median

_QUIET_MILLISECONDS = 9.0  # of the loop below, on the machine that the promises were made on, quiet


def times_slower() -> float:
    """Processor time of work that never changes, now, over then."""
    began = time.process_time()
    total = 0
    for number in range(200_000):
        total += number * number % 7
    return (time.process_time() - began) * 1000 / _QUIET_MILLISECONDS


def usually_times_slower(loops: int = 9) -> float:
    """The middle one of several, for figures that are printed."""
    return median(times_slower() for _loop in range(loops))


if __name__ == "__main__":
    sys.stdout.write(f"{usually_times_slower():.1f}\n")
