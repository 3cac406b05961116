from collections.abc import Callable
from typing import Any

import pytest

from campaigns.models import Campaign, TestSet
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
