"""Writing an archive: from one moment, in constant memory, and readable without Assay."""

import io
import tracemalloc
import zipfile
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from django.db import connection

import pytest

from annotation.models import Item
from campaigns.models import Campaign, Segment
from exchange.archive.rebuilding import import_archive
from exchange.archive.writing import snapshot, write_archive
from exchange.judgment_files import import_judgments
from tests.cast import Cast
from tests.exchange.formats.test_memory import peak_of, rows
from tests.exchange.judged_campaign import Judging, judge_one_of_everything, mark_errors
from tests.exchange.judgments_file import write_file

SHORT, LONG = 100, 300


@pytest.mark.django_db
def test_neither_way_takes_more_memory_for_more_judgments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chunks = (
        "archive.writing.CHUNK",
        "archive.rebuilding.BATCH",
        "exported_judgments.CHUNK",
        "key_windows.AT_ONCE",
        "staging.database.LOADED",
    )
    for module in chunks:
        monkeypatch.setattr(f"exchange.{module}", 50)
    for module in ("zip_stream", "tables.csv_and_json"):
        monkeypatch.setattr(f"exchange.{module}.PIECE", 4096)
    monkeypatch.setattr("exchange.answers.BATCH", 50)
    peaks = []
    for name, count in (("loaded once", 20), ("short", SHORT), ("long", LONG)):
        path = write_file(tmp_path / f"{name}.csv", list(rows(count)))
        campaign = import_judgments(path, format="assay-csv", name=name).campaign
        target = tmp_path / f"{name}.zip"

        def write(campaign: Campaign = campaign, target: Path = target) -> None:
            with target.open("wb") as stream:
                stream.writelines(write_archive(campaign))

        written = peak_of(write)
        peaks.append((written, peak_of(partial(import_archive, target, name=f"{name}, anew"))))
    assert not tracemalloc.is_tracing()
    _first, short, long = peaks
    assert long[0] < 1.5 * short[0]
    assert long[1] < 1.5 * short[1]


@pytest.mark.django_db
def test_what_is_in_it_can_be_read_without_assay(campaign: Campaign, cast: Cast) -> None:
    judge_one_of_everything(campaign, cast.annotator, cast.second_annotator)
    mark_errors(campaign, cast.annotator)
    with zipfile.ZipFile(io.BytesIO(b"".join(write_archive(campaign)))) as archive:
        assert archive.testzip() is None
        readme = archive.read("README.md").decode()
        for name in archive.namelist():
            assert f"`{name}`" in readme, name
        assert b"Ask **how much** of the meaning" in archive.read("guidelines.md")
        assert archive.read("judgments.csv").startswith(b"judgment,annotator,protocol,")


@pytest.mark.django_db(transaction=True)
def test_judgments_that_come_meanwhile_are_not_half_in_it(campaign: Campaign, cast: Cast) -> None:
    judging, later = judge_some(campaign, cast)
    pieces = write_archive(campaign)
    first = next(pieces)
    write_beside(judging, later)
    whole = io.BytesIO(first + b"".join(pieces))
    with zipfile.ZipFile(whole) as archive:
        assert archive.read("rows/judgment.jsonl").count(b"\n") == 1
    assert not connection.in_atomic_block
    Campaign.objects.filter(pk=campaign.pk).update(seed=1)  # the connection can write again


def judge_some(campaign: Campaign, cast: Cast) -> tuple[Judging, Item]:
    judging = Judging(campaign, cast.annotator)
    system = campaign.systems.order_by("name")[0]
    segments = Segment.objects.filter(document__test_set=campaign.test_set)
    judging.judge(judging.ask(segments[0], system), 50)
    return judging, judging.ask(segments[1], system)


def write_beside(judging: Judging, item: Item) -> None:
    def judge() -> None:
        judging.judge(item, 60)
        connection.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(judge).result(timeout=10)


@pytest.mark.django_db(transaction=True)
def test_a_reader_who_gives_up_leaves_no_transaction_behind(campaign: Campaign) -> None:
    pieces = write_archive(campaign)
    next(pieces)
    assert isinstance(pieces, Generator)
    pieces.close()
    with snapshot():
        assert Campaign.objects.count() == 1
