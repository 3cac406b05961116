from collections.abc import Callable
from typing import Any

import pytest

from campaigns.models import Campaign, TestSet
from tests.cast import Cast
from tests.planned_campaign import make_planned_campaign


@pytest.fixture
def plan_campaign(test_set: TestSet, cast: Cast) -> Callable[..., Campaign]:
    def make(**parameters: Any) -> Campaign:
        return make_planned_campaign(test_set, cast, **parameters)

    return make


@pytest.fixture
def planned(plan_campaign: Callable[..., Campaign]) -> Campaign:
    return plan_campaign()
