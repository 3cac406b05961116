"""docs/api.md names every address, and its program judges."""

import re
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from annotation.models import Assignment, AssignmentStatus, Judgment
from campaigns.actions import make_api_token
from tests.cast import make_cast
from tests.frontend.api.test_schema import FROZEN
from tests.planned_campaign import make_planned_campaign
from tests.sample_test_set import make_test_set

TEXT = (Path(__file__).parents[3] / "docs" / "api.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted(FROZEN))
def test_every_address_is_described(path: str) -> None:
    for method in FROZEN[path]:
        assert re.search(rf"^\| `{method.upper()} {re.escape(path)}[`?]", TEXT, re.MULTILINE)


@pytest.mark.usefixtures("transactional_db")
def test_the_program_judges_everything(live_server: LiveServer) -> None:
    cast = make_cast()
    campaign = make_planned_campaign(make_test_set(), cast, items_per_assignment=6)
    _token, secret = make_api_token(account=cast.annotator, name="program", by=None)
    (program,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    program = program.replace("http://127.0.0.1:8000", live_server.url).replace("Token …", f"Token {secret}")
    exec(program.replace("news-2026", campaign.slug), {})  # noqa: S102 - it is ours
    assert set(Assignment.objects.values_list("status", flat=True)) == {AssignmentStatus.DONE}
    assert Judgment.objects.count() == sum(Assignment.objects.values_list("total", flat=True)) == 17
