"""Export → import into an emptied database → export: the same bytes."""

from collections.abc import Callable
from pathlib import Path

from django.db.models import Model

import pytest

from annotation.importing.load import import_judgments
from annotation.models import Assignment, Credit, Draft, ErrorSpan, Item, Judgment, Score, Slot
from campaigns.models import Account, Campaign, Membership, TestSet
from metrics.exporting import export_rows
from tests.cast import Cast
from tests.metrics.exporting.judged_campaign import judge_one_of_everything

EMPTIED: tuple[type[Model], ...] = (
    Score, ErrorSpan, Judgment, Draft, Credit, Slot, Item, Assignment, Membership, Campaign, TestSet, Account,
)  # fmt: skip


def exported(campaign: Campaign, format: str = "csv") -> bytes:
    return b"".join(export_rows(campaign, format))


@pytest.fixture
def reimported(tmp_path: Path) -> Callable[[Campaign], Campaign]:
    """The campaign as another instance of Assay would have it."""

    def travel(campaign: Campaign) -> Campaign:
        path = tmp_path / "judgments.csv"
        path.write_bytes(exported(campaign))
        name, protocol = campaign.name, campaign.protocol
        for model in EMPTIED:
            model._default_manager.all().delete()
        imported = import_judgments(path, format="assay-csv", name=name).campaign
        assert imported.protocol == protocol
        return imported

    return travel


def test_one_of_everything_comes_back_byte_by_byte(
    campaign: Campaign, cast: Cast, reimported: Callable[[Campaign], Campaign]
) -> None:
    judge_one_of_everything(campaign, cast.annotator, cast.second_annotator)
    before = exported(campaign)
    assert exported(reimported(campaign)) == before
