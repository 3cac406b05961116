"""One client of the web server: collects its request, and stores the part of the answer that it has not read yet."""

import errno
import io
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from enum import Enum
from typing import IO, Any

from gunicorn.http.body import LengthReader
from gunicorn.http.parser import RequestParser

# Seconds. A client that is slower than these is cut off, so that others need not wait.
HEAD_SECONDS = 10.0
BODY_SECONDS = 20.0
LEAVING_SECONDS = 2.0
READING_SECONDS = 30.0
STILL_SECONDS = 1.0  # a client that read nothing for so long may be cut off
SLOWEST_BYTES_PER_SECOND = 20_000  # what a body or an answer beyond the first seconds must reach

LONGEST_HEAD = 64 * 1024
PIECE = 256 * 1024
MOST_IN_MEMORY = 256 * 1024  # of an answer that is not read, and of a body; the rest waits in a temporary file
MOST_UNREAD = 1024**3  # of an answer: beyond that, the writer waits for the client
_END_OF_HEAD = b"\r\n\r\n"


class Phase(Enum):
    IDLE = "between two requests"
    ARRIVING = "a request is being sent"
    WORKING = "a thread answers"
    READING = "the answer is being read"
    LEAVING = "the answer is sent; what the client still sends is thrown away"
    GONE = "closed"


class LongHead(Exception):
    """A head without an end."""


class UnknownLength(Exception):
    """A body in chunks: Django does not read it, so its data would be lost."""


class Answer:
    """Replaces the socket for the writer of an answer, who waits for the client only beyond `MOST_UNREAD`."""

    def __init__(self, client: socket.socket, *, on_waiting: Callable[[], None]) -> None:
        self._client = client
        self._on_waiting = on_waiting
        self._unread: IO[bytes] | None = None
        self._read_to = self._written_to = 0
        self._changed = threading.Condition()
        self.is_broken = False
        self.begin()

    @property
    def is_waiting(self) -> bool:
        return self._unread is not None

    def sendall(self, data: bytes) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self.is_broken or self._written_to < MOST_UNREAD)
            if self.is_broken:
                raise BrokenPipeError(errno.EPIPE, "the client is gone")
            was_waiting = self.is_waiting
            rest = memoryview(data) if was_waiting else memoryview(data)[self._send(data) :]
            if not rest:
                return
            self._store(rest)
        if not was_waiting:
            self._on_waiting()

    def sendfile(self, file: IO[bytes], offset: int = 0, count: int | None = None) -> None:
        file.seek(offset)
        while count is None or count > 0:
            piece = file.read(PIECE if count is None else min(PIECE, count))
            if not piece:
                return
            self.sendall(piece)
            count = None if count is None else count - len(piece)

    def flush(self) -> bool:
        """Sends as much of the stored answer as the client takes; returns whether that was all."""
        with self._changed:
            while self._unread is not None and not self.is_broken:
                self._unread.seek(self._read_to)
                piece = self._unread.read(PIECE)
                sent = self._send(piece)
                self._read_to += sent
                if self._read_to == self._written_to:
                    self._drop_unread()
                elif sent < len(piece):
                    return False
        return True

    def begin(self) -> None:
        self.taken_at = time.monotonic()
        self.taken = 0
        self.deadline = self.taken_at + READING_SECONDS

    def give_up(self) -> None:
        """The client has stopped reading; the writer gets an error at once."""
        with self._changed:
            self.is_broken = True
            self._drop_unread()

    # The other methods that gunicorn calls on a socket.
    close = give_up

    def gettimeout(self) -> float:
        return 0.0

    def shutdown(self, _how: int) -> None:
        raise OSError(errno.ENOTSUP, "the worker closes the connection")

    def _send(self, data: bytes) -> int:
        try:
            sent = self._client.send(data)
        except BlockingIOError:
            return 0
        except OSError:
            self.is_broken = True
            self._drop_unread()
            raise
        self.taken += sent
        if sent:
            self.taken_at = time.monotonic()
            self.deadline = _later(self.deadline, sent, READING_SECONDS)
        return sent

    def _store(self, data: memoryview) -> None:
        if self._unread is None:
            self._unread = tempfile.SpooledTemporaryFile(MOST_IN_MEMORY)  # noqa: SIM115 - closed by `_drop_unread`
            self.deadline = time.monotonic() + READING_SECONDS  # until now the client waited for us
        self._unread.seek(self._written_to)
        self._unread.write(data)
        self._written_to += len(data)

    def _drop_unread(self) -> None:
        if self._unread is not None:
            self._unread.close()
        self._unread, self._read_to, self._written_to = None, 0, 0
        self._changed.notify_all()


class Connection:
    """A connection for gunicorn's worker, which reads `sock`, `client`, `server` and `request`."""

    def __init__(
        self, client_socket: socket.socket, client: Any, server: Any, *, on_waiting: Callable[..., None]
    ) -> None:
        client_socket.setblocking(False)
        self.socket = client_socket
        self.client, self.server = client, server
        self.sock = Answer(client_socket, on_waiting=lambda: on_waiting(self))
        self.received = bytearray()
        self.watched = 0  # the poller's events
        self.keeps_alive = False
        self.phase = Phase.ARRIVING
        self.wait_for_request(HEAD_SECONDS)

    def wait_for_request(self, seconds: float) -> None:
        self.request: Any = None
        self.body: IO[bytes] = io.BytesIO()
        self.missing, self.is_admitted, self.expects_leave = 0, False, False
        self.sender = ""  # of a large body that may come
        self.deadline = time.monotonic() + seconds

    def receive(self) -> bool:
        """False when the client has gone."""
        data = self.socket.recv(PIECE)
        if self.phase is Phase.LEAVING:
            return bool(data)
        if self.phase is Phase.IDLE and data:
            self.phase, self.deadline = Phase.ARRIVING, time.monotonic() + HEAD_SECONDS
        self.received += data
        return bool(data)

    def read_head(self, settings: Any) -> bool:
        """Whether the head is complete; then gunicorn's own parser reads it, or raises."""
        end = self.received.find(_END_OF_HEAD)
        if end < 0 or end > LONGEST_HEAD:
            if len(self.received) > LONGEST_HEAD:
                raise LongHead
            return False
        size = end + len(_END_OF_HEAD)
        self.request = next(RequestParser(settings, iter([bytes(self.received[:size])]), self.client))
        del self.received[:size]
        # gunicorn itself would give leave when the body has arrived
        self.expects_leave, self.request._expected_100_continue = self.request._expected_100_continue, False  # noqa: SLF001
        reader = self.request.body.reader
        if not isinstance(reader, LengthReader):
            raise UnknownLength
        self.missing = reader.length
        self.wait_for_body()
        return True

    def wait_for_body(self) -> None:
        """Time is granted for bytes that arrive, not for the announced length."""
        self.deadline = time.monotonic() + BODY_SECONDS

    def continue_if_expected(self) -> None:
        """A client may wait for leave before it sends a body."""
        if self.expects_leave and self.missing > len(self.received):
            self.sock.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")

    def take_body(self) -> bool:
        """Whether the body is complete and ready to be read."""
        if self.missing:
            piece = self.received[: self.missing]
            if self.missing + self.body.tell() > MOST_IN_MEMORY and isinstance(self.body, io.BytesIO):
                self.body = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `forget_body`
            self.body.write(piece)
            self.missing -= len(piece)
            self.deadline = _later(self.deadline, len(piece), BODY_SECONDS)
            del self.received[: len(piece)]
        if self.missing:
            return False
        self.body.seek(0)
        self.request.body = self.body
        return True

    def forget_body(self) -> None:
        self.body.close()

    def is_late(self, now: float) -> bool:
        if self.sock.is_waiting:
            return now > self.sock.deadline
        return self.phase is not Phase.WORKING and now > self.deadline

    def close(self) -> None:
        if self.phase is not Phase.WORKING:  # a thread may still read it
            self.forget_body()
        self.phase = Phase.GONE
        self.sock.give_up()
        self.socket.close()


def _later(deadline: float, count: int, seconds: float) -> float:
    """Bytes that moved extend the deadline, but never beyond the first one, so a client that stops is cut off."""
    return min(deadline + count / SLOWEST_BYTES_PER_SECOND, time.monotonic() + seconds)


def longest_waiting(connections: Iterator[Connection]) -> Connection | None:
    """The one to close when there are too many: never one that is being answered, uploads a file, or reads on."""
    order = (Phase.LEAVING, Phase.IDLE, Phase.ARRIVING, Phase.READING)
    still = time.monotonic() - STILL_SECONDS

    def rank(one: Connection) -> tuple[int, float]:
        return order.index(one.phase), one.sock.taken if one.phase is Phase.READING else one.deadline

    def may_go(one: Connection) -> bool:
        return one.sock.taken_at < still if one.phase is Phase.READING else not one.is_admitted

    return min((one for one in connections if one.phase in order and may_go(one)), key=rank, default=None)
