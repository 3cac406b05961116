import uuid
from collections.abc import Callable
from typing import Any

from django.core.cache import caches

import pytest

from campaigns.models import Campaign, TestSet
from frontend.api.docs_page import whole_schema
from tests.cast import Cast
from tests.frontend.api.api_annotator import ApiAnnotator, by_session, by_token
from tests.planned_campaign import make_planned_campaign


@pytest.fixture
def plan_campaign(test_set: TestSet, cast: Cast) -> Callable[..., Campaign]:
    def make(**asked: Any) -> Campaign:
        return make_planned_campaign(test_set, cast, **asked)

    return make


@pytest.fixture
def planned(plan_campaign: Callable[..., Campaign]) -> Campaign:
    return plan_campaign()


@pytest.fixture(params=[by_session, by_token])
def anna(request: pytest.FixtureRequest, planned: Campaign, cast: Cast) -> ApiAnnotator:
    """Both ways of being known must do the same."""
    known: ApiAnnotator = request.param(cast.annotator)
    return known


@pytest.fixture
def page(planned: Campaign, cast: Cast) -> ApiAnnotator:
    return by_session(cast.annotator)


@pytest.fixture
def taken(page: ApiAnnotator) -> int:
    return page.take()


@pytest.fixture
def item(page: ApiAnnotator, taken: int) -> str:
    return str(page.items(taken)["items"][0]["id"])


@pytest.fixture
def olive(planned: Campaign, cast: Cast) -> ApiAnnotator:
    """The organiser's program."""
    return by_token(cast.organiser)


@pytest.fixture
def rhea(planned: Campaign, cast: Cast) -> ApiAnnotator:
    """The researcher's program."""
    return by_token(cast.researcher)


@pytest.fixture(autouse=True)
def _nothing_counted_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests of one test do not count against another's limit; what else is in the servers' Redis stays."""
    monkeypatch.setattr(caches["counts"], "key_prefix", uuid.uuid4().hex)


@pytest.fixture(scope="session")
def schema_of() -> Callable[[], dict[str, Any]]:
    return whole_schema
