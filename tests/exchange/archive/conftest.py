"""An empty database, like that of another instance of Assay."""

from collections.abc import Callable

from django.db.models import Model

import pytest

from annotation.models import ErrorSpan, Exclusion, Item, Judgment, ProblemReport, Score
from campaigns.models import Account, Campaign, Membership, TestSet

EMPTIED: tuple[type[Model], ...] = (
    Score, ErrorSpan, ProblemReport, Judgment, Item, Exclusion, Membership, Campaign, TestSet,
)  # fmt: skip


@pytest.fixture
def emptied() -> Callable[[], None]:
    def empty() -> None:
        for model in EMPTIED:
            model._default_manager.all().delete()
        Account.objects.all().delete()

    return empty
