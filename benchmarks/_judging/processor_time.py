"""What processes have cost, as the kernel counts it."""

import os
from pathlib import Path
from typing import NamedTuple

PROC = Path("/proc")


class Accounts(NamedTuple):
    """`ticks` are a process's own and those of its children that have ended."""

    parent: int
    ticks: int


def seconds_used(root: int) -> float:
    """By a process and everything it has started, in user mode and in the kernel."""
    accounts = _all_accounts()
    family = [root]
    for member in family:
        family += [process for process, account in accounts.items() if account.parent == member]
    return sum(accounts[member].ticks for member in family) / os.sysconf("SC_CLK_TCK")


def read_accounts(stat: str) -> Accounts:
    """Of a line of /proc/PID/stat, in which a name may contain anything, even brackets."""
    fields = stat.rpartition(")")[2].split()
    return Accounts(parent=int(fields[1]), ticks=sum(map(int, fields[11:15])))


def _all_accounts() -> dict[int, Accounts]:
    accounts = {}
    for folder in PROC.glob("[0-9]*"):
        try:
            accounts[int(folder.name)] = read_accounts((folder / "stat").read_text())
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has ended meanwhile
    return accounts
