"""A worker of gunicorn whose threads never wait for a client (docs/decisions/0020-no-thread-waits-for-a-client.md).

The main loop gathers each request whole before a thread answers it, and sends what the client did not read at once.
It builds on gunicorn's gthread worker, some of which is private: tests/config/test_buffering_worker.py watches that.
"""

import errno
import io
import resource
import selectors
import socket
import time
from collections.abc import Callable
from concurrent.futures import Future
from enum import Enum
from functools import partial
from typing import Any

from gunicorn.http import wsgi
from gunicorn.workers.gthread import ThreadWorker

from config.client_connection import (
    BODY_SECONDS,
    LEAVING_SECONDS,
    Connection,
    LongHead,
    Phase,
    UnknownLength,
    longest_waiting,
)
from frontend.large_bodies import BODY_FROM_ANYBODY, BODY_WAITS, GO_ON, SENDER

MOST_CONNECTIONS = 500  # of one process; beyond that, the longest-waiting one is closed
MOST_LARGE_BODIES = 8  # at a time in one process; each may fill a temporary file
MOST_OF_ONE_ACCOUNT = 2  # of these, so that others can still send theirs
OPEN_FILES = 4096
LOOKED_EVERY = 0.5  # seconds between two looks for connections that are late


class After(Enum):
    """The result of a thread for its connection."""

    KEEP = "the next request may come"
    CLOSE = "this was the last"
    ADMIT = "the large body may be sent"


class BufferingWorker(ThreadWorker):  # type: ignore[misc] # untyped
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.worker_connections = MOST_CONNECTIONS + 1  # at its own bound gunicorn would stop accepting
        self.connections: dict[int, Connection] = {}
        self.looked_at = 0.0
        self.is_full = False  # and nobody can be dropped

    def init_process(self) -> None:
        _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        limit = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
        super().init_process()

    # --- the main loop ------------------------------------------------------------------------

    def set_accept_enabled(self, enabled: bool) -> None:
        """Who cannot be let in waits outside: a listener that stays watched would wake the loop without end."""
        super().set_accept_enabled(enabled and not self.is_full)

    def accept(self, listener: Any) -> None:
        if len(self.connections) >= MOST_CONNECTIONS and not self._make_room():
            return
        try:
            client_socket, client = listener.accept()
        except BlockingIOError:
            return
        except OSError as error:
            self.log.warning("A connection could not be accepted: %s", error)
            if error.errno in (errno.EMFILE, errno.ENFILE):
                self._make_room()
            return
        connection = Connection(client_socket, client, listener.getsockname(), on_waiting=self._on_waiting)
        self.connections[id(connection)] = connection
        self.nr_conns += 1
        self._on_event(connection, None)

    def _make_room(self) -> bool:
        longest = longest_waiting(iter(self.connections.values()))
        if longest is None:
            self.is_full = True
            self.set_accept_enabled(False)
            return False
        self._drop(longest)
        return True

    def _on_event(self, connection: Connection, _socket: "socket.socket | None") -> None:
        if connection.phase is Phase.GONE:  # by another event of the same look
            return
        try:
            if connection.sock.is_waiting:
                if connection.sock.flush() and connection.phase is Phase.READING:
                    self._go_on(connection)
            elif connection.receive():
                self._advance(connection)
            else:
                self._drop(connection)
        except BlockingIOError:
            pass
        except OSError:
            self._drop(connection)
        except Exception:
            self.log.exception("A connection is given up")
            self._drop(connection)
        self._watch(connection)

    def _advance(self, connection: Connection) -> None:
        """As far as what has arrived reaches."""
        try:
            if connection.phase is not Phase.ARRIVING:
                return
            if connection.request is None:
                if not connection.read_head(self.cfg):
                    return
                if connection.missing > BODY_FROM_ANYBODY:
                    self._ask_for_admission(connection)
                    return
                connection.continue_if_expected()
            if connection.take_body():
                connection.phase = Phase.WORKING
                self._submit(self.handle, connection)
        except UnknownLength:
            self._refuse(connection, 411, "Length Required", "Send the length of the request's body (Content-Length).")
        except LongHead:
            self._refuse(connection, 431, "Request Header Fields Too Large", "The head of this request is too long.")
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            self._refuse(connection, 507, "Insufficient Storage", "The server's disk is full.")
        except Exception as error:
            connection.sock.begin()
            self.handle_error(connection.request, connection.sock, connection.client, error)
            connection.keeps_alive = False
            self._after_answer(connection)

    def _ask_for_admission(self, connection: Connection) -> None:
        """Who asks takes no place yet: strangers who ask without end would leave none."""
        connection.phase = Phase.WORKING
        self._submit(self._admit, connection)

    def _let_body_come(self, connection: Connection) -> None:
        connection.phase = Phase.ARRIVING
        senders = [other.sender for other in self.connections.values() if other.is_admitted]
        if senders.count(connection.sender) >= MOST_OF_ONE_ACCOUNT:
            sentence = f"{MOST_OF_ONE_ACCOUNT} of your files arrive already. Send this one when they have."
            self._refuse(connection, 429, "Too Many Requests", sentence)
        elif len(senders) >= MOST_LARGE_BODIES:
            self._refuse(connection, 503, "Service Unavailable", "Too many files arrive now. Try again in a minute.")
        else:
            connection.is_admitted = True
            connection.wait_for_body()
            connection.continue_if_expected()
            self._advance(connection)

    def _refuse(self, connection: Connection, status: int, reason: str, sentence: str) -> None:
        connection.sock.begin()
        text = f"{sentence}\n".encode()
        head = f"HTTP/1.1 {status} {reason}\r\nConnection: close\r\nContent-Type: text/plain\r\n"
        head += f"Retry-After: {BODY_SECONDS:.0f}\r\n" if status in (429, 503) else ""
        connection.sock.sendall(f"{head}Content-Length: {len(text)}\r\n\r\n".encode() + text)
        connection.keeps_alive = False
        self._after_answer(connection)

    def _submit(self, work: Any, connection: Connection) -> None:
        future = self.tpool.submit(work, connection)
        future.add_done_callback(lambda done: self.method_queue.defer(self.finish_request, connection, done))

    def finish_request(self, connection: Connection, fs: "Future[After]") -> None:
        after = After.CLOSE if fs.cancelled() or fs.exception() else fs.result()
        if connection.phase is Phase.GONE:
            return
        try:
            if after is After.ADMIT:
                self._let_body_come(connection)
            else:
                connection.keeps_alive = after is After.KEEP
                connection.forget_body()
                connection.is_admitted = False
                self._after_answer(connection)
        except OSError:
            self._drop(connection)
        self._watch(connection)

    def _after_answer(self, connection: Connection) -> None:
        if connection.sock.is_broken:
            self._drop(connection)
        elif connection.sock.is_waiting:
            connection.phase = Phase.READING
        else:
            self._go_on(connection)

    def _go_on(self, connection: Connection) -> None:
        """All was sent: the next request, or the end."""
        if connection.keeps_alive:
            connection.phase = Phase.ARRIVING if connection.received else Phase.IDLE
            connection.wait_for_request(self.cfg.keepalive if self.alive else LEAVING_SECONDS)
            self._advance(connection)
            return
        connection.phase, connection.deadline = Phase.LEAVING, time.monotonic() + LEAVING_SECONDS
        connection.socket.shutdown(socket.SHUT_WR)

    def _on_waiting(self, connection: Connection) -> None:
        """Called by a thread: its client does not read as fast as it writes."""
        self.method_queue.defer(self._watch, connection)

    def _watch(self, connection: Connection) -> None:
        events = _events_of(connection)
        if events == connection.watched:
            return
        if connection.watched:
            self.poller.unregister(connection.socket)
        if events:
            self.poller.register(connection.socket, events, partial(self._on_event, connection))
        connection.watched = events

    def _drop(self, connection: Connection) -> None:
        if self.connections.pop(id(connection), None) is None:
            return
        if connection.watched:
            self.poller.unregister(connection.socket)
            connection.watched = 0
        self.nr_conns -= 1
        self.is_full = False
        connection.close()

    def murder_pending(self) -> None:
        now = time.monotonic()
        if now - self.looked_at < LOOKED_EVERY:
            return
        self.looked_at = now
        self.is_full = False  # an answer may be sent by now, or its reader be still
        for connection in [one for one in self.connections.values() if one.is_late(now)]:
            self._drop(connection)

    def murder_keepalived(self, force: bool = False) -> None:  # noqa: ARG002 - gunicorn's signature
        """`murder_pending` looks at all of them."""
        idle = [one for one in self.connections.values() if one.phase is Phase.IDLE] if not self.alive else []
        for connection in idle:
            connection.deadline = min(connection.deadline, time.monotonic() + LEAVING_SECONDS)

    # --- in a thread ----------------------------------------------------------------------------

    def handle(self, connection: Connection) -> After:
        return self._answer(connection, self._respond)

    def _admit(self, connection: Connection) -> After:
        return self._answer(connection, self._ask_application)

    def _respond(self, connection: Connection) -> After:
        return After.KEEP if self.handle_request(connection.request, connection) else After.CLOSE

    def _ask_application(self, connection: Connection) -> After:
        """The application without the body: frontend/large_bodies.py answers whether it may come."""
        response, environ = wsgi.create(
            connection.request, connection.sock, connection.client, connection.server, self.cfg
        )
        environ |= {"wsgi.input": io.BytesIO(), BODY_WAITS: True}
        answer = self.wsgi(environ, response.start_response)
        try:
            if response.status_code == GO_ON:
                connection.sender = dict(response.headers).get(SENDER, "")
                return After.ADMIT
            response.force_close()
            for piece in answer:
                response.write(piece)
            response.close()
        finally:
            answer.close()
        return After.CLOSE

    def _answer(self, connection: Connection, respond: Callable[[Connection], After]) -> After:
        connection.sock.begin()
        try:
            return respond(connection)
        except StopIteration:
            pass  # gunicorn has logged the reason
        except OSError as error:
            if error.errno not in (errno.EPIPE, errno.ECONNRESET, errno.ENOTCONN):
                self.log.exception("Socket error processing request.")
        except Exception as error:
            self.handle_error(connection.request, connection.sock, connection.client, error)
        return After.CLOSE


def _events_of(connection: Connection) -> int:
    if connection.phase is Phase.GONE:
        return 0
    if connection.sock.is_waiting:
        return selectors.EVENT_WRITE
    return 0 if connection.phase is Phase.WORKING else selectors.EVENT_READ
