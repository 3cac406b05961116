"""An organiser meanwhile: overviews all the time; now and then two analyses and an export at once."""

import random
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle

from benchmarks._wmt26.page_requests import Browser, Failed, Times

LOOKS_EVERY, COMPUTES_EVERY = 3.0, 60.0
ANALYSES = (["ranking"], ["agreement"])


@dataclass
class OrganiserAtWork:
    port: int
    session: str
    campaigns: Sequence[str]
    times: Times
    rng: random.Random

    def work(self, until: float) -> None:
        threads = [threading.Thread(target=act, args=(until,)) for act in (self._look, self._compute, self._export)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _look(self, until: float) -> None:
        browser = self._browser()
        while time.monotonic() < until:
            self._ask(browser, "GET", f"/campaigns/{self.rng.choice(self.campaigns)}/overview/", kind="overview")
            _rest(LOOKS_EVERY, until)

    def _compute(self, until: float) -> None:
        """Each time of another campaign, so that nothing is found computed."""
        browser = self._browser()
        for slug in cycle(self.campaigns):
            for analyses in ANALYSES:
                body = {"analyses": analyses}
                self._ask(browser, "POST", f"/api/v1/campaigns/{slug}/runs", body, kind="run", expected=(200, 201, 202))
            _rest(COMPUTES_EVERY, until)
            if time.monotonic() >= until:
                return

    def _export(self, until: float) -> None:
        browser = self._browser()
        for slug in cycle(self.campaigns):
            self._ask(browser, "GET", f"/api/v1/campaigns/{slug}/exports/csv", kind="export")
            _rest(COMPUTES_EVERY, until)
            if time.monotonic() >= until:
                return

    def _browser(self) -> Browser:
        return Browser(self.port, self.session, self.times)

    def _ask(
        self,
        browser: Browser,
        method: str,
        path: str,
        body: object = None,
        *,
        kind: str,
        expected: tuple[int, ...] = (200,),
    ) -> None:
        try:
            browser.ask(method, path, body, kinds=(kind,), expected=expected)
        except Failed:
            return  # it has been noted


def _rest(seconds: float, until: float) -> None:
    time.sleep(max(0.0, min(seconds, until - time.monotonic())))
