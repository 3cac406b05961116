"""Strangers who hold a web server's connections: they send slowly, or not on, or do not read."""

import http.client
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

HEAD = b"POST /sign-in/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\n"
HALF_A_HEAD = HEAD
A_BYTE_OF_BODY = HEAD + b"Content-Length: 30000\r\n\r\n1"


@contextmanager
def strangers(port: int, count: int, first: bytes) -> Iterator[list[socket.socket]]:
    """So many connections that have sent these bytes, and are gone afterwards."""
    with ExitStack() as stack:
        yield [_connect(stack, port, first) for _ in range(count)]


def _connect(stack: ExitStack, port: int, first: bytes) -> socket.socket:
    connection = stack.enter_context(socket.socket())
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)  # who does not read is noticed soon
    connection.settimeout(20)
    connection.connect(("127.0.0.1", port))
    connection.sendall(first)
    return connection


def ask_to_send(connection: socket.socket, path: str, size: int, *lines: str) -> int:
    """What is said to a head that asks for leave: 100, or why its body may not come."""
    head = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {size}", "Expect: 100-continue", *lines]
    connection.settimeout(20)
    connection.sendall("\r\n".join([*head, "", ""]).encode())
    return int(connection.recv(4096).split()[1])


def health(port: int, times: int, *, patience: float = 2.0) -> list[int]:
    """The answers of `/health/`, one new connection each; 0 where none came in time."""
    return [_ask_for_health(port, patience) for _ in range(times)]


def _ask_for_health(port: int, patience: float) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=patience)
    try:
        connection.request("GET", "/health/")
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return 0
    finally:
        connection.close()


def seconds_until_closed(connection: socket.socket, *, patience: float) -> float:
    """How long the server keeps it; what it says before is read."""
    began = time.monotonic()
    connection.settimeout(patience)
    try:
        while connection.recv(65536):
            pass
    except TimeoutError as error:
        raise AssertionError(f"still open after {patience:g} s") from error
    except ConnectionResetError:
        pass
    return time.monotonic() - began
