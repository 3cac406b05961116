"""The editing of one translation as its stored steps tell it: kinds of steps, pauses between them, texts to play."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from annotation.protocols.post_editing import EditStep, InvalidSteps, read_steps, replay

PAUSE_MS = 1000  # shorter gaps are typing
_HEIGHT, _WIDTH = 24, 300


@dataclass(frozen=True)
class EditReplay:
    """`kinds` has how many steps are of each kind, in `KINDS`; `pauses` are (end in ms, length in ms)."""

    shown: str
    steps: Sequence[EditStep]
    kinds: Sequence[tuple[str, int]]
    pauses: Sequence[tuple[int, int]]

    @property
    def seconds(self) -> float:
        """From the editor's opening to the last step."""
        return self.steps[-1].milliseconds / 1000

    @property
    def longest_pause(self) -> float:
        """In seconds; 0 without pauses."""
        return max((length for _end, length in self.pauses), default=0) / 1000

    @property
    def steps_text(self) -> str:
        """For the script that plays them, as JSON: milliseconds, position, removed, inserted of each."""
        return json.dumps([step.as_json()[:4] for step in self.steps], ensure_ascii=False)

    @property
    def pause_path(self) -> str:
        """Of a drawing 300 wide and 24 high: a line at the end of each pause, as high as it is long."""
        last = max(1, self.steps[-1].milliseconds)
        longest = max((length for _end, length in self.pauses), default=1)
        return "".join(
            f"M{end * _WIDTH / last:.1f} {_HEIGHT}v{-length * _HEIGHT / longest:.1f}" for end, length in self.pauses
        )


KINDS = ("insert", "delete", "replace", "move", "paste", "reset", "restore")
_MARKS = {"pasted": "paste", "reset": "reset", "restored": "restore"}


def kinds_of(shown: str, steps: Sequence[EditStep]) -> list[str]:
    """The kind of each step. Moved is what was removed by the step before and inserted again elsewhere.

    Where the caret went and which keys were pressed is not stored: only what became of the text.

    >>> kinds_of("ab cd", [EditStep(0, 0, 3, ""), EditStep(900, 2, 0, "ab ")])
    ['delete', 'move']
    """
    kinds, text, removed_before, place_before = [], shown, "", -1
    for step in steps:
        removed = text[step.position : step.position + step.removed]
        is_moved = len(step.inserted) > 1 and step.inserted == removed_before and step.position != place_before
        if is_moved and not removed:
            kinds.append("move")
        elif step.mark:
            kinds.append(_MARKS[step.mark])
        else:
            kinds.append("delete" if not step.inserted else "replace" if removed else "insert")
        text = text[: step.position] + step.inserted + text[step.position + step.removed :]
        removed_before, place_before = removed, step.position
    return kinds


def edit_replay(shown: str, values: Any) -> EditReplay | None:
    """`values` is what an answer says about a slot; None without steps, or where they do not lead to its text."""
    try:
        steps = read_steps(values.get("steps") or [])
        if not steps or replay(shown, steps) != values.get("text"):
            return None
    except InvalidSteps:
        return None
    counts = Counter(kinds_of(shown, steps))
    times = [0, *(step.milliseconds for step in steps)]
    gaps = [(end, end - begin) for begin, end in pairwise(times)]
    return EditReplay(
        shown=shown,
        steps=steps,
        kinds=[(kind, counts[kind]) for kind in KINDS if counts[kind]],
        pauses=[(end, length) for end, length in gaps if length >= PAUSE_MS],
    )
