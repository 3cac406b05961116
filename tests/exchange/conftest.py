"""A campaign that is exported and imported elsewhere."""

from collections.abc import Callable, Mapping
from pathlib import Path

from django.db.models import Model

import pytest

from annotation.models import Assignment, Credit, Draft, ErrorSpan, Item, Judgment, Score, Slot
from campaigns.models import Account, Campaign, Membership, TestSet
from exchange.exports import export_rows
from exchange.judgment_files import import_judgments
from metrics.models import DerivedScore
from tests.exchange.judgments_file import write_file

WriteFile = Callable[..., Path]
EMPTIED: tuple[type[Model], ...] = (
    DerivedScore, Score, ErrorSpan, Judgment, Draft, Credit, Slot, Item, Assignment, Membership, Campaign, TestSet,
    Account,
)  # fmt: skip


@pytest.fixture
def reimported(tmp_path: Path) -> Callable[[Campaign], Campaign]:
    """The campaign as another instance of Assay would have it."""

    def travel(campaign: Campaign) -> Campaign:
        path = tmp_path / "judgments.csv"
        path.write_bytes(b"".join(export_rows(campaign, "csv")))
        name, protocol = campaign.name, campaign.protocol
        for model in EMPTIED:
            model._default_manager.all().delete()
        imported = import_judgments(path, format="assay-csv", name=name).campaign
        assert imported.protocol == protocol
        return imported

    return travel


@pytest.fixture
def judgments_file(tmp_path: Path) -> WriteFile:
    def write(*rows: Mapping[str, object], name: str = "judgments.csv") -> Path:
        return write_file(tmp_path / name, rows)

    return write
