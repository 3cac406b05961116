"""Files may be large: reading and writing one twice as long needs no more memory."""

import gc
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

import pytest

from campaigns.models import Campaign
from exchange.exports import export_rows
from exchange.judgment_files import import_judgments
from tests.exchange.judgments_file import write_file

pytestmark = pytest.mark.django_db
SHORT, LONG = 1000, 2000  # both are more than a batch


def peak_of(act: Callable[[], object]) -> int:
    gc.collect()
    gc.freeze()  # otherwise garbage waits longer for its collector the more other tests have left in memory
    tracemalloc.start()
    try:
        act()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def rows(count: int) -> Iterator[Mapping[str, object]]:
    for number in range(count):
        yield {
            "judgment": str(number),
            "annotator": f"rater {number % 40}",
            "document": str(number // 50),
            "segment": str(number // 5 % 10),
            "system": str(number % 5),
            "assignment": str(number // 100),
            "source": f"A sentence of some length, the {number // 5}th. " * 3,
            "translation": f"Ein Satz von einiger Länge, der {number}. " * 3,
        }


def write_all(campaign: Campaign) -> None:
    for _piece in export_rows(campaign, "csv"):
        pass


def test_memory_does_not_grow_with_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exchange.exported_judgments.CHUNK", 250)
    monkeypatch.setattr("exchange.key_windows.AT_ONCE", 250)
    monkeypatch.setattr("exchange.formats.assay_csv_writer.MOST_TEXTS", 100)
    monkeypatch.setattr("campaigns.reading.csv_pieces.PIECE", 50_000)
    monkeypatch.setattr("exchange.staging.database.LOADED", 500)
    peaks: list[tuple[int, int]] = []
    for name, count in (("what is loaded once", SHORT), ("short", SHORT), ("long", LONG)):
        path = write_file(tmp_path / f"{name}.csv", list(rows(count)))
        imported = peak_of(partial(import_judgments, path, format="assay-csv", name=name))
        peaks.append((imported, peak_of(partial(write_all, Campaign.objects.get(name=name)))))
    _first, short, long = peaks
    assert long[0] < 1.15 * short[0]
    assert long[1] < 1.15 * short[1]
