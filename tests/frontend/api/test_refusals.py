"""What is wrong with a request is told as JSON, whatever it is and wherever it is noticed."""

from typing import Any

from django.core.cache import caches
from django.test import Client

import pytest
from pytest_django import Settings
from redis.exceptions import ConnectionError as NoRedis

from campaigns.models import Campaign
from tests.cast import Cast
from tests.frontend.api.api_annotator import JSON, ApiAnnotator, by_session


@pytest.mark.parametrize(
    "path", ["/api/", "/api/v1/", "/api/v1/nothing", "/api/v1/assignments/x/items", "/api/v2/runs"]
)
def test_an_address_that_is_none_is_told_as_json(db: None, path: str) -> None:
    response = Client().get(path)
    assert (response.status_code, response["Content-Type"]) == (404, "application/json")
    assert response.json()["detail"]


def test_a_page_that_is_none_stays_a_page(db: None) -> None:
    response = Client().get("/campaigns/none/nothing/", headers={"Accept": "application/json"})
    assert (response.status_code, response["Content-Type"]) == (404, "text/html; charset=utf-8")


def test_refusals_of_the_frame_are_json(planned: Campaign, olive: ApiAnnotator, cast: Cast) -> None:
    client, place = olive.client, f"/api/v1/campaigns/{planned.slug}"
    page = by_session(cast.organiser)
    page.client.handler.enforce_csrf_checks = True
    answers: dict[str, Any] = {
        "method": client.generic("PUT", "/api/v1/account", headers=olive.headers),
        "type": client.generic("PATCH", place, "x", content_type="text/plain", headers=olive.headers),
        "size": client.generic("PATCH", place, b" " * 2_100_000, content_type=JSON, headers=olive.headers),
        "form": client.generic("PATCH", place, b"{", content_type=JSON, headers=olive.headers),
        "wanted": client.get(place, headers={**olive.headers, "Accept": "application/xml"}),
        "csrf": page.patch(f"campaigns/{planned.slug}", {}),
        "length": client.generic("PATCH", place, "{}", JSON, headers={**olive.headers, "Transfer-Encoding": "chunked"}),
        "host": client.get(place, headers={"Host": "elsewhere.example"}),
    }
    codes = {"method": 405, "type": 415, "size": 413, "form": 422, "wanted": 406, "length": 411}
    assert {name: answer.status_code for name, answer in answers.items()} == codes | {"csrf": 403, "host": 400}
    for answer in answers.values():
        assert answer["Content-Type"] == "application/json"
        assert set(answer.json()) in ({"detail", "code"}, {"errors"})


def test_a_name_that_is_misspelt_is_refused_with_those_there_are(planned: Campaign, olive: ApiAnnotator) -> None:
    changed = olive.patch(f"campaigns/{planned.slug}", {"guideline": "Read."})
    found = olive.get(f"campaigns/{planned.slug}/judgments?annotater=anna")
    assert (changed.status_code, found.status_code) == (422, 422)
    assert "guidelines" in changed.json()["errors"]["guideline"][0]
    assert "annotator" in found.json()["errors"]["annotater"][0]


def test_a_tokenizer_that_is_unknown_or_missing_is_refused_with_those_there_are(
    planned: Campaign, olive: ApiAnnotator
) -> None:
    address = f"test-sets/{planned.test_set.slug}/metrics"
    for name, said in (
        ("moses", "Known: 13a, intl, zh"),
        ("flores200", "ASSAY_FLORES200_MODEL. Those that can be used: 13a"),
    ):
        refused = olive.post(address, {"metrics": ["bleu"], "tokenizer": name})
        assert refused.status_code == 422
        assert said in str(refused.json()["errors"])
    accepted = olive.post(address, {"metrics": ["bleu"], "tokenizer": "ja-mecab"})
    assert (accepted.status_code, accepted.json()["arguments"]["tokenizer"]) == (202, "ja-mecab")


def test_nothing_that_was_judged_is_refused_for_what_stands_beside_it(
    taken: int, item: str, page: ApiAnnotator
) -> None:
    kept = page.put(f"assignments/{taken}/items/{item}/draft", {"answer": {}, "base_revision": 0, "device": "phone"})
    assert kept.status_code == 204


def test_all_processes_count_together_and_nobody_waits_for_a_count(
    planned: Campaign, olive: ApiAnnotator, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.API_REQUESTS_PER_MINUTE = 1
    counts = caches["counts"]
    assert olive.get("account").status_code == 200
    kept = counts.incr
    monkeypatch.setattr(counts, "incr", lambda key: kept(key, 5))  # as others count meanwhile
    assert olive.get("account").status_code == 429

    def gone(*_arguments: Any, **_named: Any) -> None:
        raise NoRedis

    monkeypatch.setattr(counts, "add", gone)
    assert olive.get("account").status_code == 200
