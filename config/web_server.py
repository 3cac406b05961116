"""The web server of `serve`: gunicorn inside this process, so that Django is loaded once and shared by its workers."""

import socket
import warnings
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter

from config.site_address import HOST

# Two processes on SQLite as on PostgreSQL: Python computes in one thread of a process at a time, so that a large export
# would hold up judging in a single one. Readers never wait for WAL's writer, and writers queue across processes
# as they do across threads. More would only cost memory: past this size, docker-compose.yml is the way.
PROCESSES = 2
THREADS = 8
GRACE_SECONDS = 5


def reserve_port(port: int) -> socket.socket:
    """Bound but not yet listening: the port is reserved before anything is changed, and no client waits at it."""
    if not 1 <= port <= 65_535:
        raise CommandError(f"There is no port {port}. Choose one from 1 to 65535: --port N.")
    reserved = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        reserved.bind((HOST, port))
    except OSError as error:
        reserved.close()
        raise CommandError(
            f"Port {port} of {HOST} is not available ({error.strerror}). Choose another: --port N."
        ) from error
    return reserved


class _Server(Arbiter):  # type: ignore[misc] # untyped
    handle_hup = Arbiter.handle_term  # a closed terminal ends a server that was started in it


class WebServer(BaseApplication):  # type: ignore[misc] # untyped
    def __init__(
        self, *, reserved: socket.socket, when_ready: Callable[[], None], in_each_process: Callable[[], None]
    ) -> None:
        self._settings: dict[str, Any] = {
            "bind": f"fd://{reserved.detach()}",
            "worker_class": "config.buffering_worker.BufferingWorker",
            "workers": PROCESSES,
            "threads": THREADS,
            "preload_app": True,
            "timeout": 120,
            "graceful_timeout": GRACE_SECONDS,
            "keepalive": 5,
            "control_socket_disable": True,
            "loglevel": "warning",
            "when_ready": lambda _server: when_ready(),
            "post_fork": lambda _server, _process: in_each_process(),
        }
        super().__init__()

    def load_config(self) -> None:
        for name, value in self._settings.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="No directory at")  # static files come from their sources here
            from config.wsgi import application  # noqa: PLC0415 - loaded when the database is ready
        if settings.COLLECTED:  # as `./assay run` serves people; tests and commands start sooner without
            from config.warm_up import warm_up  # noqa: PLC0415 - as above

            warm_up()
        return application

    def run(self) -> None:
        _Server(self).run()
