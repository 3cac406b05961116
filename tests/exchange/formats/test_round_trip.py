"""Export → import into an emptied database → export: the same bytes."""

import csv
import io
import random
from collections.abc import Callable
from pathlib import Path

from django.db import transaction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.models import ItemKind, Judgment, Score
from campaigns.models import Campaign, Segment
from exchange.exports import export_rows
from exchange.judgment_files import import_judgments
from tests.cast import Cast
from tests.exchange.judged_campaign import Judging, judge_one_of_everything, mark_errors
from tests.exchange.test_spreadsheet_cells import TEXTS


def exported(campaign: Campaign, format: str = "csv") -> bytes:
    return b"".join(export_rows(campaign, format))


def test_one_of_everything_comes_back_byte_by_byte(
    campaign: Campaign, cast: Cast, reimported: Callable[[Campaign], Campaign]
) -> None:
    judge_one_of_everything(campaign, cast.annotator, cast.second_annotator)
    before = exported(campaign)
    assert exported(reimported(campaign)) == before


def test_error_spans_come_back_byte_by_byte(
    campaign: Campaign, cast: Cast, reimported: Callable[[Campaign], Campaign]
) -> None:
    mark_errors(campaign, cast.annotator)
    before = exported(campaign, "spans-csv")
    assert before.count(b"\n") == 4
    assert exported(reimported(campaign), "spans-csv") == before


def test_surplus_comes_back_in_a_column_of_its_own(
    campaign: Campaign, cast: Cast, reimported: Callable[[Campaign], Campaign]
) -> None:
    judging = Judging(campaign, cast.annotator)
    system = campaign.systems.order_by("name")[0]
    item = judging.ask(Segment.objects.filter(document__test_set=campaign.test_set)[0], system)
    judging.judge(item, 50)
    judging.judge(item, 60, surplus=True)
    before = exported(campaign)
    assert before.splitlines()[0].endswith(b",surplus")
    assert exported(reimported(campaign)) == before
    assert list(Judgment.objects.order_by("pk").values_list("is_current", "surplus")) == [(True, False), (False, True)]


def test_imported_into_the_same_database_only_the_identifiers_are_new(
    campaign: Campaign, cast: Cast, tmp_path: Path
) -> None:
    judge_one_of_everything(campaign, cast.annotator, cast.second_annotator)
    path = tmp_path / "judgments.csv"
    path.write_bytes(exported(campaign))
    copy = import_judgments(path, format="assay-csv", name="A copy").campaign
    before, after = (list(csv.DictReader(io.StringIO(exported(each).decode()))) for each in (campaign, copy))
    assert {row["judgment"] for row in before}.isdisjoint(row["judgment"] for row in after)
    for row in before + after:
        del row["judgment"]
    assert after == before


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_rows_in_the_file_changes_no_judgment(
    campaign: Campaign, cast: Cast, tmp_path: Path, seed: int
) -> None:
    judge_one_of_everything(campaign, cast.annotator, cast.second_annotator)
    header, *rows = csv.reader(io.StringIO(exported(campaign).decode(), newline=""))
    random.Random(seed).shuffle(rows)
    path = tmp_path / "shuffled.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([header, *rows])
    shuffled = import_judgments(path, format="assay-csv", name="Shuffled").campaign
    original = {"item__assignment__campaign": campaign}
    assert facts(item__assignment__campaign=shuffled) == facts(**original)


def facts(**where: Campaign) -> list[tuple[object, ...]]:
    """What statistics read, in a fixed order."""
    scores = Score.objects.filter(**{f"judgment__{name}": value for name, value in where.items()})
    return sorted(
        scores.values_list(
            "judgment__submitted_at",
            "judgment__annotator__username",
            "judgment__is_current",
            "judgment__item__kind",
            "judgment__item__original__position",
            "translation__segment__name",
            "translation__system__name",
            "system__name",
            "measure",
            "value",
        ),
        key=str,
    )


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(TEXTS, min_size=6, max_size=6))
def test_whatever_the_texts_they_come_back(
    campaign: Campaign, cast: Cast, reimported: Callable[[Campaign], Campaign], texts: list[str]
) -> None:
    source, shown, reference, damaged, comment, note = (text.replace("\x00", "") for text in texts)
    with transaction.atomic():
        segment = Segment.objects.filter(document__test_set=campaign.test_set)[0]
        system = campaign.systems.order_by("name")[0]
        Segment.objects.filter(pk=segment.pk).update(source=source)
        segment.translations.filter(system=system).update(text=shown)
        segment.references.update(text=reference)
        judging = Judging(campaign, cast.annotator, name=note)
        genuine = judging.ask(segment, system)
        judging.judge(genuine, 50, comment=comment)
        judging.judge(judging.ask(segment, system, kind=ItemKind.DEGRADED, damaged=damaged, original=genuine), 5)
        before = exported(campaign)
        assert exported(reimported(campaign)) == before
        transaction.set_rollback(True)
