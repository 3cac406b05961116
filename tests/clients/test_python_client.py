"""The Python client: up to date with the schema, and its README runs against a real server."""

import io
import re
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from django.conf import settings

import pytest
from pytest_django.live_server_helper import LiveServer

from campaigns.actions.tokens import make_api_token
from campaigns.models import Campaign
from frontend.api.python_client import written_client
from tests.cast import Cast, make_cast
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take
from tests.sample_test_set import make_test_set

FOLDER = Path(settings.BASE_DIR) / "clients" / "python"


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The package as installed, without installing it."""
    monkeypatch.syspath_prepend(str(FOLDER))
    import assay_client

    yield assay_client
    for name in [name for name in sys.modules if name.partition(".")[0] == "assay_client"]:
        del sys.modules[name]


@pytest.fixture
def judged(transactional_db: None) -> tuple[Campaign, Cast]:
    cast = make_cast()
    campaign = make_planned_campaign(make_test_set(), cast, items_per_assignment=6)
    for score, item in enumerate(items_to_judge(take(campaign, cast.annotator)), start=40):
        judge(item, score)
    return campaign, cast


def test_the_client_is_up_to_date_with_the_schema() -> None:
    old = [path.name for path, text in written_client().items() if path.read_text(encoding="utf-8") != text]
    assert old == [], "./assay manage write_client writes them again"


def test_the_readme_and_the_client_work_with_a_real_server(
    judged: tuple[Campaign, Cast], live_server: LiveServer, client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign, cast = judged
    _token, secret = make_api_token(account=cast.organiser, name="program", by=None)
    monkeypatch.chdir(tmp_path)
    Path("more.jsonl").write_text("{}\n", encoding="utf-8")
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    program = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    program = program.replace("https://assay.example.org", live_server.url).replace("assay_…", secret)
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(program.replace("my-campaign", campaign.slug), {})  # noqa: S102 - ours
    lines = printed.getvalue().splitlines()
    assert lines[0] == cast.organiser.username
    assert lines[1].startswith(f"{campaign.name} 6 of ")
    assert lines[2].endswith("scores")
    assert lines[4].startswith("422 ")
    assert (tmp_path / f"{campaign.slug}.zip").read_bytes()[:2] == b"PK"

    assay = client.Assay(live_server.url, token=secret)
    one_by_one = [row["id"] for row in assay.campaign_judgments(campaign.slug, page_size=1)]
    assert one_by_one == [row["id"] for row in assay.campaign_judgments(campaign.slug)]
    assert len(one_by_one) == 6
    with pytest.raises(client.AssayError) as raised:
        assay.campaign("elsewhere")
    assert raised.value.status == 404
    with pytest.raises(client.AssayError) as raised:
        assay.set_status(campaign.slug, {"status": "gone"})
    assert (raised.value.status, list(raised.value.errors)) == (422, ["status"])
    with pytest.raises(client.AssayError) as raised:
        client.Assay(live_server.url, token="assay_wrong").account()
    assert raised.value.status == 401
    with pytest.raises(ValueError, match="not the address"):
        client.Assay("assay.example.org", token=secret)
