"""What became of everything that was sent while somebody pulled the plug."""

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Figures:
    """`times` it was stopped; `arrived`: stored, though the end came before the answer; `wrong` must stay empty.

    `unanswered` are judgments after a kill, and attempts of whatever kind where the server itself ran on.
    """

    times: int = 0
    acknowledged: int = 0
    unanswered: int = 0
    arrived: int | None = None
    lost: int = 0
    doubled: int = 0
    kept_drafts: int = 0
    restarts: list[float] = field(default_factory=list)
    wrong: list[dict[str, Any]] = field(default_factory=list)
