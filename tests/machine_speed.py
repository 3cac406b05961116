"""How fast this machine is just now, for promises of time: it changes by half within minutes where others work too."""

import time

_QUIET_MILLISECONDS = 9.0  # of the loop below, on the machine that the promises were made on, quiet


def times_slower() -> float:
    """Processor time of work that never changes, now, over then."""
    began = time.process_time()
    total = 0
    for number in range(200_000):
        total += number * number % 7
    return (time.process_time() - began) * 1000 / _QUIET_MILLISECONDS
