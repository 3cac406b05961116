"""What a run says while it scores: how much is done and, of a model, how many segments and how long the rest takes."""

import time
from collections.abc import Callable

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from jobs.run_kinds import OnProgress
from metrics.automatic.base import Metric
from metrics.scoring.counting import Report
from metrics.scoring.forecast import Forecast
from metrics.scoring.names import title_of
from metrics.scoring.neural_counters import Tick, Watch
from metrics.scoring.neural_states import LOADING_NOTE
from metrics.scoring.texts import SystemTexts

_MINUTE = 60.0


class Progress:
    """Counts up to the total; raises what its callback raises: this is how a run is cancelled."""

    def __init__(self, total: int, listener: OnProgress | None, clock: Callable[[], float] = time.monotonic) -> None:
        self.total, self.done, self._listener, self._clock = total, 0, listener, clock

    def of(self, metric: Metric) -> Report:
        def report(system: SystemTexts, count: int, /) -> None:
            self.done += count
            self._say(f"{title_of(metric.name)}: {system.name}")

        return report

    def of_model(self, metric: Metric, total: int) -> tuple[Report, Watch]:
        """Two listeners of one metric: what has been stored, and what its process says in between."""
        title, stored, forecast = title_of(metric.name), 0, Forecast()
        seen = 0  # of the request under way

        def note(scored: int) -> str:
            done = stored + scored
            words = {"metric": title, "done": number_format(done), "total": number_format(total)}
            said = ngettext(
                "%(metric)s: %(done)s of %(total)s segment", "%(metric)s: %(done)s of %(total)s segments", total
            )
            said %= words
            return f"{said}{left(forecast.seconds_for(total - done))}"

        def report(_system: SystemTexts, count: int, /) -> None:
            nonlocal stored, seen
            self.done += count
            stored, seen = stored + count, 0
            self._say(note(0))

        def watch(tick: Tick) -> None:
            nonlocal seen
            if tick.is_loading:
                self._say(_("%(metric)s: loading the model") % {"metric": title} + f" {LOADING_NOTE}")
                return
            if tick.scored is not None:
                forecast.see(max(0, tick.scored - seen), self._clock())
                seen = max(seen, tick.scored)
            self._say(note(seen), seen)

        return report, watch

    def skip(self, count: int) -> None:
        """What will not be scored."""
        self.done += count

    def _say(self, note: str, under_way: int = 0) -> None:
        if self._listener is not None:
            self._listener(min(1.0, (self.done + under_way) / self.total), note)


def left(seconds: float | None) -> str:
    if seconds is None:
        return ""
    if seconds < _MINUTE:
        return _(", less than a minute left")
    minutes = round(seconds / _MINUTE)
    return ngettext(", about %(count)d minute left", ", about %(count)d minutes left", minutes) % {"count": minutes}
