"""Clients that are slow or silent cost a site nothing: `/health/` answers, judging goes on, others' files arrive."""

import http.client
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from config.buffering_worker import MOST_LARGE_BODIES, MOST_OF_ONE_ACCOUNT
from config.client_connection import BODY_SECONDS, HEAD_SECONDS
from config.web_server import PROCESSES
from tests.config.slow_clients import ask_to_send, health, seconds_until_closed, strangers
from tests.crash.annotator import at_work
from tests.crash.campaign import Plan, annotators_of, open_campaign
from tests.crash.sites import Site, gunicorn_on_postgres, served_on_sqlite
from tests.plugins.postgres import PostgresServer

pytestmark = pytest.mark.servers
MANY = 200
SMALL = Plan(outputs=4000, redundancy=1, items_per_assignment=50, annotators=3)
COOKIE = "a" * 32
FORM = f"Content-Type: multipart/form-data; boundary=b\r\nCookie: csrftoken={COOKIE}\r\nOrigin: http://127.0.0.1\r\n"
KINDS = {
    "half a head": f"POST /sign-in/ HTTP/1.1\r\nHost: 127.0.0.1\r\n{FORM}",
    "a byte of a small body": f"POST /sign-in/ HTTP/1.1\r\nHost: 127.0.0.1\r\n{FORM}Content-Length: 60000\r\n\r\n-",
    "a byte of a large body": f"POST /sign-in/ HTTP/1.1\r\nHost: 127.0.0.1\r\n{FORM}Content-Length: 6000000\r\n\r\n-",
    "a byte for the API": "POST /api/v1/accounts HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 900\r\n\r\n{",
    "files nobody reads": "GET /static/css/assay.css HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 150,
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return served_on_sqlite(tmp_path_factory.mktemp("slow"))


def test_two_hundred_strangers_of_each_kind_hold_up_nobody(site: Site, tmp_path: Path) -> None:
    site.start()
    try:
        annotators = annotators_of(site, open_campaign(site, tmp_path, SMALL), seed=7)

        def judged() -> int:
            return sum(len(annotator.ledger.judgments) for annotator in annotators)

        with at_work(annotators):
            for kind, first in KINDS.items():
                with strangers(site.port, MANY, first.encode()):
                    time.sleep(0.5)
                    before = judged()
                    # who is held up waits for strangers to be cut off: twice as long
                    assert health(site.port, 20, patience=HEAD_SECONDS / 2) == [200] * 20, kind
                    if judged() == before:
                        time.sleep(2)
                    assert judged() > before, f"nobody judged while there was {kind}"
        assert [surprise for annotator in annotators for surprise in annotator.ledger.surprises] == []
        assert [refusal for annotator in annotators for refusal in annotator.program.refusals] == []
    finally:
        site.kill()


@pytest.fixture(params=["serve", "gunicorn"])
def open_site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Site]:
    postgres = PostgresServer() if request.param == "gunicorn" else None
    site = gunicorn_on_postgres(tmp_path, postgres) if postgres else served_on_sqlite(tmp_path)
    site.start()
    yield site
    site.kill()
    if postgres:
        postgres.stop()


@pytest.mark.drawn(2)
def test_who_stops_in_the_middle_of_large_files_keeps_nobody_elses_from_arriving(open_site: Site) -> None:
    people = ("holder", "other")
    made = open_site.manage(
        *(["create_account", name, "--organiser", "--json"] for name in people),
        *(["make_token", name] for name in people),
    )
    holder, other = made[-2:]
    with ExitStack() as stack:
        tries = 2 * PROCESSES * MOST_LARGE_BODIES
        ours = [stack.enter_context(strangers(open_site.port, 1, b""))[0] for _ in range(tries)]
        statuses = [ask_to_send(one, "/api/v1/uploads", 500_000_000, f"Authorization: Token {holder}") for one in ours]
        assert set(statuses) == {100, 429}
        assert MOST_OF_ONE_ACCOUNT <= statuses.count(100) <= PROCESSES * MOST_OF_ONE_ACCOUNT
        held = [one for one, status in zip(ours, statuses, strict=True) if status == 100]
        for one in held:
            one.sendall(b"a" * 3_000_000)  # at the slowest pace allowed it would be 150 s of sending
        began = time.monotonic()
        assert [send_file(open_site, other) for _ in range(10)] == [201] * 10
        for one in held:
            seconds_until_closed(one, patience=BODY_SECONDS + 5)
        assert time.monotonic() - began < BODY_SECONDS + 5
        assert send_file(open_site, holder) == 201


def send_file(site: Site, token: str) -> int:
    """A table of 300 kB, as any organiser sends one."""
    lines = ["document,segment,source,system:Heron", *(f"d{n},1,Sentence {n}.,Satz {n}." for n in range(10_000))]
    form = "\r\n".join(
        [
            "--b",
            'Content-Disposition: form-data; name="files"; filename="set.csv"',
            "Content-Type: text/csv",
            "",
            "\n".join(lines),
            "--b--",
            "",
        ]
    )
    headers = {"Authorization": f"Token {token}", "Content-Type": "multipart/form-data; boundary=b"}
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=20)
    try:
        connection.request("POST", "/api/v1/uploads", form.encode(), headers)
        return connection.getresponse().status
    finally:
        connection.close()
