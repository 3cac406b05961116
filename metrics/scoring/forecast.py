"""How long the rest will take, from how long segments took so far. No Django, no clock of its own."""

from dataclasses import dataclass, field

FIRST = 32  # segments, before which nothing is promised


@dataclass
class Forecast:
    """`see` is told how many segments a model has scored; the time to read the model is not part of their rate."""

    _done: int = 0
    _first: tuple[int, float] | None = field(default=None)
    _last: tuple[int, float] = (0, 0.0)

    def see(self, count: int, at: float) -> None:
        """`count` more segments by the time `at`, in seconds."""
        self._done += count
        if self._first is None:
            self._first = self._done, at
        self._last = self._done, at

    def seconds_for(self, segments: int) -> float | None:
        """None before enough segments were scored."""
        if self._first is None or self._done < FIRST:
            return None
        count, seconds = self._last[0] - self._first[0], self._last[1] - self._first[1]
        return segments * seconds / count if count > 0 and seconds > 0 else None
