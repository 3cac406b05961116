"""The web server's worker under a small application: what HTTP demands of it, and what no client can do to it."""

import http.client
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from config.buffering_worker import MOST_CONNECTIONS, MOST_LARGE_BODIES, MOST_OF_ONE_ACCOUNT
from config.client_connection import BODY_SECONDS, HEAD_SECONDS, READING_SECONDS, SLOWEST_BYTES_PER_SECOND, Connection
from tests.config.plain_application import PIECE
from tests.config.slow_clients import ask_to_send, seconds_until_closed, strangers
from tests.processes import free_port, started, wait_for

pytestmark = pytest.mark.servers
THREADS = 2
LARGE = 3_000_000


class Server:
    def __init__(self, port: int, process: "subprocess.Popen[bytes]", home: Path) -> None:
        self.port, self.process, self.home = port, process, home

    def ask(self, path: str, body: bytes = b"", *, patience: float = 10.0, sender: str = "") -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=patience)
        try:
            connection.request("POST", path, body, {"X-Sender": sender})
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()

    def worker(self) -> int:
        command = ["ps", "-o", "pid=", "--ppid", str(self.process.pid)]
        return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()[0])

    def is_ready(self) -> bool:
        try:
            return self.ask("/ready")[0] == 200
        except OSError:
            return False

    def wait_for_held(self, name: str) -> None:
        """Until a thread serves the request for `held/` with this name."""
        wait_for((self.home / f"{name}.held").exists, what=f"the request for {name} to be served")

    def let_go(self, name: str) -> None:
        (self.home / f"{name}.let_go").touch()

    def is_leaving(self) -> bool:
        return b"Handling signal: term" in (self.home / "log").read_bytes()

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)


@contextmanager
def running(home: Path) -> Iterator[Server]:
    port = free_port()
    command = ["-m", "gunicorn", "tests.config.plain_application:application", "--bind", f"127.0.0.1:{port}"]
    command += ["--worker-class", "config.buffering_worker.BufferingWorker", "--threads", str(THREADS)]
    command += ["--no-control-socket", "--keep-alive", "1", "--graceful-timeout", "5"]
    environment = {**os.environ, "TMPDIR": str(home), "DJANGO_SETTINGS_MODULE": "config.settings"}
    with started(command, environment=environment, log=home / "log") as process:
        server = Server(port, process, home)
        wait_for(server.is_ready, what="gunicorn to answer")
        yield server


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """For those who do it no harm."""
    with running(tmp_path_factory.mktemp("shared")) as server:
        yield server


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with running(tmp_path) as server:
        yield server


def answer_to(connection: socket.socket) -> bytes:
    response = http.client.HTTPResponse(connection)
    response.begin()
    return f"{response.status} ".encode() + response.read()


def is_open(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        return connection.recv(1) != b""
    except BlockingIOError:
        return True
    except ConnectionResetError:
        return False


def head(path: str, *lines: str) -> bytes:
    return "\r\n".join([f"POST /{path} HTTP/1.1", "Host: h", *lines, "", ""]).encode()


def test_a_connection_is_used_again_and_closed_when_it_stays_idle(shared: Server) -> None:
    with shared.connect() as connection:
        for number in range(3):
            connection.sendall(head(f"again{number}", "Content-Length: 2") + b"ab")
            assert answer_to(connection).startswith(f"200 POST again{number} 2 195".encode())
        assert 0.5 < seconds_until_closed(connection, patience=5) < 3


def test_requests_that_were_sent_together_are_answered_in_their_order(shared: Server) -> None:
    with shared.connect() as connection:
        connection.sendall(b"".join(head(f"n{number}", "Content-Length: 1") + b"a" for number in range(5)))
        stream = connection.makefile("rb")
        for number in range(5):
            while (line := stream.readline()) != b"\r\n":
                assert line
            assert stream.read(len(f"POST n{number} 1 97 0")).startswith(f"POST n{number} 1 97".encode())


def test_a_request_that_comes_in_single_bytes_is_whole(shared: Server) -> None:
    with shared.connect() as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in head("drops", "Content-Length: 3") + b"abc":
            connection.send(bytes([byte]))
            time.sleep(0.002)
        assert answer_to(connection).startswith(b"200 POST drops 3 294")


def test_a_large_body_arrives_whole(shared: Server) -> None:
    body = os.urandom(LARGE)
    status, text = shared.ask("/large", body)
    assert (status, text.split()[2:4]) == (200, [str(len(body)).encode(), str(sum(body)).encode()])


def test_a_large_body_that_is_not_wanted_is_refused_before_it_is_sent(shared: Server) -> None:
    with shared.connect() as connection:
        connection.sendall(head("refused", f"Content-Length: {LARGE}"))
        assert answer_to(connection).startswith(b"403")


def test_who_asks_for_leave_to_send_gets_it(shared: Server) -> None:
    for size in (10, LARGE):
        with shared.connect() as connection:
            connection.sendall(head("leave", f"Content-Length: {size}", "Expect: 100-continue"))
            assert connection.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
            connection.sendall(b"a" * size)
            assert answer_to(connection).startswith(f"200 POST leave {size} {97 * size}".encode())
    with shared.connect() as connection:
        connection.sendall(head("refused", f"Content-Length: {LARGE}", "Expect: 100-continue"))
        assert answer_to(connection).startswith(b"403")


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (head("chunks", "Transfer-Encoding: chunked") + b"1\r\na\r\n0\r\n\r\n", b"411"),
        (head("both", "Transfer-Encoding: chunked", "Content-Length: 3") + b"abc", b"400"),
        (head("twice", "Content-Length: 3", "Content-Length: 5") + b"abc", b"400"),
        (head("minus", "Content-Length: -3"), b"400"),
        (b"nonsense\r\n\r\n", b"400"),
        (head("long", *(f"X-{number}: {'x' * 8000}" for number in range(12))), b"431"),
    ],
)
def test_what_has_no_clear_end_is_refused_and_the_connection_closed(shared: Server, sent: bytes, status: bytes) -> None:
    with shared.connect() as connection:
        connection.sendall(sent)
        assert answer_to(connection).startswith(status)
        assert seconds_until_closed(connection, patience=5) < 3


def test_clients_that_do_not_read_hold_no_thread_and_get_all_in_the_end(server: Server) -> None:
    pieces = 200  # 13 MB, more than any socket keeps
    with strangers(server.port, 3 * THREADS, b"GET /pieces/200 HTTP/1.0\r\n\r\n") as readers:
        began = time.monotonic()
        assert [server.ask(f"/{number}", patience=5)[0] for number in range(5)] == [200] * 5
        assert time.monotonic() - began < 5
        for reader in readers[:2]:
            reader.settimeout(20)
            with reader.makefile("rb") as stream:
                assert len(stream.read().partition(b"\r\n\r\n")[2]) == pieces * len(PIECE)


def test_clients_that_vanish_leave_nothing_behind(server: Server) -> None:
    def open_files() -> int:
        return len(os.listdir(f"/proc/{server.worker()}/fd"))  # noqa: PTH208

    before = open_files()
    for first in (b"GET /pieces/200 HTTP/1.0\r\n\r\n", head("gone", f"Content-Length: {LARGE}") + b"a" * 300_000, b"G"):
        with strangers(server.port, 10, first):
            assert server.ask("/meanwhile")[0] == 200
    wait_for(lambda: open_files() <= before + 1, what="all files to be closed", seconds=10)


def test_a_head_that_does_not_end_is_cut_off(server: Server) -> None:
    with strangers(server.port, 1, b"GET / HTTP/1.1\r\n") as [one], strangers(server.port, 1, b"") as [silent]:
        assert HEAD_SECONDS - 1 < seconds_until_closed(one, patience=HEAD_SECONDS + 3) < HEAD_SECONDS + 3
        assert seconds_until_closed(silent, patience=3) < 3


def test_one_account_has_two_places_and_loses_them_when_it_stops_sending(server: Server) -> None:
    with ExitStack() as stack:
        ours = [stack.enter_context(server.connect()) for _ in range(MOST_LARGE_BODIES + 2)]
        statuses = [ask_to_send(one, "/upload", 500_000_000, "X-Sender: a") for one in ours]
        assert statuses == [100] * MOST_OF_ONE_ACCOUNT + [429] * (len(ours) - MOST_OF_ONE_ACCOUNT)
        for one in ours[:MOST_OF_ONE_ACCOUNT]:
            one.sendall(b"a" * LARGE)  # quickly; at the slowest pace allowed it would be 150 s of sending
        assert server.ask("/others", b"a" * LARGE, sender="b")[0] == 200
        for one in ours[:MOST_OF_ONE_ACCOUNT]:
            assert seconds_until_closed(one, patience=BODY_SECONDS + 5) < BODY_SECONDS + 3
        assert server.ask("/again", b"a" * LARGE, sender="a")[0] == 200


def late_is_let_in(server: Server) -> bool:
    """A place is free only after its client has read the answer."""
    with server.connect() as late:
        return ask_to_send(late, "/late", LARGE, "X-Sender: late") == 100


def test_places_are_bounded_and_strangers_who_only_ask_take_none(server: Server) -> None:
    with ExitStack() as stack:
        many = [stack.enter_context(server.connect()) for _ in range(3 * MOST_LARGE_BODIES)]
        for one in many:
            one.sendall(head("refused", f"Content-Length: {LARGE}"))
        taken = [stack.enter_context(server.connect()) for _ in range(MOST_LARGE_BODIES)]
        statuses = [ask_to_send(one, "/upload", LARGE, f"X-Sender: {number}") for number, one in enumerate(taken)]
        assert statuses == [100] * MOST_LARGE_BODIES
        with server.connect() as late:
            assert ask_to_send(late, "/late", LARGE, "X-Sender: late") == 503
        taken[0].sendall(b"a" * LARGE)
        assert answer_to(taken[0]).startswith(b"200")
        wait_for(lambda: late_is_let_in(server), what="the place of an answered request to be free")


def test_a_page_that_took_long_to_make_may_still_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.client_connection.READING_SECONDS", 0.5)
    monkeypatch.setattr("config.client_connection.SLOWEST_BYTES_PER_SECOND", 1e9)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        connection = Connection(ours, "", "", on_waiting=lambda _connection: None)
        connection.sock.begin()
        time.sleep(0.6)  # so long does the application compute
        connection.sock.sendall(PIECE * 100)
        assert connection.sock.is_waiting
        assert not connection.is_late(time.monotonic())
        connection.close()


def test_no_pace_of_sending_or_reading_keeps_a_connection_for_long() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        connection = Connection(ours, "", "", on_waiting=lambda _connection: None)
        begun = time.monotonic()
        theirs.sendall(head("slow", "Content-Length: 512000000"))
        connection.receive()
        connection.read_head(_settings())
        assert not connection.is_late(begun + BODY_SECONDS - 1)
        assert connection.is_late(begun + BODY_SECONDS + 1), "who sends nothing has no time for what was announced"
        theirs.sendall(b"a" * 60_000)
        while connection.body.tell() < 60_000:
            connection.receive()
            connection.take_body()
        assert not connection.is_late(begun + BODY_SECONDS - 1)
        assert connection.is_late(time.monotonic() + BODY_SECONDS + 1), "what came quickly gives no time to be silent"
        connection.deadline = begun + 5
        theirs.sendall(b"a" * 60_000)
        while connection.body.tell() < 120_000:
            connection.receive()
            connection.take_body()
        longest = 5 + 60_000 / SLOWEST_BYTES_PER_SECOND
        assert not connection.is_late(begun + longest - 0.1)
        assert connection.is_late(begun + longest + 0.1)
        connection.sock.begin()
        connection.sock.sendall(PIECE * 100)
        assert connection.is_late(time.monotonic() + READING_SECONDS + 1)
        assert not connection.is_late(begun + READING_SECONDS - 1)
        connection.close()


def _settings() -> object:
    from gunicorn.config import Config

    return Config()


def test_too_many_connections_push_out_who_waited_longest_and_nobody_who_is_served(server: Server) -> None:
    with server.connect() as served:
        served.sendall(head("held/served", "Content-Length: 0"))
        server.wait_for_held("served")
        with strangers(server.port, MOST_CONNECTIONS + 50, b"G") as waiting:
            assert server.ask("/late")[0] == 200
            assert seconds_until_closed(waiting[0], patience=3) < 3
            assert is_open(waiting[-1])
            server.let_go("served")
            assert answer_to(served).startswith(b"200 POST held")


def test_clients_that_do_not_read_give_way_when_there_are_too_many(server: Server) -> None:
    with strangers(server.port, MOST_CONNECTIONS + 20, b"GET /pieces/44 HTTP/1.0\r\n\r\n"):
        assert [server.ask(f"/{number}", patience=READING_SECONDS - 5)[0] for number in range(5)] == [200] * 5


def test_a_server_full_of_requests_that_are_answered_waits_without_spinning(server: Server) -> None:
    def seconds_of_cpu() -> float:
        fields = Path(f"/proc/{server.worker()}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    with strangers(server.port, MOST_CONNECTIONS + 1, head("held/all", "Content-Length: 0")):
        server.wait_for_held("all")
        time.sleep(1)
        before = seconds_of_cpu()
        time.sleep(1.5)
        assert seconds_of_cpu() - before < 0.5
        os.kill(server.worker(), signal.SIGKILL)  # or it would answer all of them


def test_a_stop_waits_for_answers_and_not_for_who_sends_no_more(server: Server) -> None:
    with server.connect() as served, strangers(server.port, 5, b"GET / HT"):
        served.sendall(head("held/served", "Content-Length: 0"))
        server.wait_for_held("served")
        server.process.send_signal(signal.SIGTERM)
        wait_for(server.is_leaving, what="the server to hear the signal")
        time.sleep(0.3)  # its worker hears it as well; a shorter time would only show less
        server.let_go("served")
        assert answer_to(served).startswith(b"200 POST held")
        assert server.process.wait(20) == 0
