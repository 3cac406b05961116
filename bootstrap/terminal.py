"""What is said to the person at the terminal: progress and failures on stderr, so that stdout is the commands'."""

import sys


class SetUpError(Exception):
    """Something stands in the way; the message says what, where, and what to do."""


def say(line: str) -> None:
    sys.stderr.write(f"assay: {line}\n")
    sys.stderr.flush()
