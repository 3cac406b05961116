"""Strangers that are slow or silent cost a site that is served nothing: `/health/` answers, and judging goes on."""

import time
from pathlib import Path

import pytest

from tests.config.slow_clients import health, strangers
from tests.crash.annotator import at_work
from tests.crash.campaign import Plan, annotators_of, open_campaign
from tests.crash.sites import Site, served_on_sqlite

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
        with at_work(annotators):
            for kind, first in KINDS.items():
                with strangers(site.port, MANY, first.encode()):
                    time.sleep(0.5)
                    before = sum(len(annotator.ledger.judgments) for annotator in annotators)
                    assert health(site.port, 20) == [200] * 20, kind
                    time.sleep(0.5)
                    after = sum(len(annotator.ledger.judgments) for annotator in annotators)
                assert after > before, f"nobody judged while there was {kind}"
        assert [surprise for annotator in annotators for surprise in annotator.ledger.surprises] == []
        assert [refusal for annotator in annotators for refusal in annotator.program.refusals] == []
    finally:
        site.kill()
