"""Fetches the light model while the site is already served: nobody waits for it, and nothing stops if it fails.

Then the demo, where there is one, is scored by its metrics.
"""

import os
import subprocess
import sys

from django.conf import settings

from metrics.neural.light_model import LIGHT

LEAVING_SECONDS = 5.0


class LightModelChild:
    """A process of low priority that ends when the file is there; it says in one line how it went."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def is_needed(self) -> bool:
        return settings.FETCHES_LIGHT_MODEL and not LIGHT.is_there(settings.MODELS_DIR)

    def start(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, settings.BASE_DIR / "manage.py", "fetch_light_model"],
            cwd=settings.BASE_DIR,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            start_new_session=True,  # Ctrl-C is the parent's to hear
        )

    def stop(self) -> None:
        """Half a download is deleted by the process itself."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(LEAVING_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
