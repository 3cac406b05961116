"""Outputs that one annotator judged twice: planned, or come up again by chance."""

from pathlib import Path

import pytest

from annotation.models import Slot
from exchange.exports import export_rows
from exchange.judgment_files import import_judgments
from tests.exchange.formats.pearmut_records import cell, load, record, segment, write
from tests.metrics.analyses.as_json import analyse
from tests.metrics.real_campaigns import expected_of, real_case

pytestmark = pytest.mark.django_db


def test_two_annotators_differ_as_published_though_only_chance_repeats_count() -> None:
    """Planned repeats (`'`) of the real campaign would make it 38.25; without the sample's chance ones it is 9.47."""
    folder, expected = real_case("genmt-wmt26-sample"), expected_of("genmt-wmt26-sample")["wmt26"]
    campaign = load(folder / "pearmut-annotations.json", folder / "pearmut-campaign.json").campaign
    row = analyse(campaign, recipe="wmt26", analyses=["campaign_table"])["analyses"]["campaign_table"]
    for name in ("duplicate_mae", "duplicate_mae_last_score_of_each", "duplicate_pairs"):
        assert row[name] == pytest.approx(expected[name], abs=1e-6), name


@pytest.mark.parametrize("format", ["csv", "pearmut"])
def test_a_chance_repeat_stays_one_in_our_files(tmp_path: Path, format: str) -> None:
    one = record((segment(Heron="Eins.", Rook="Zwei."), {"Heron": cell(90), "Rook": cell(85)}))
    two = record((segment(Heron="Eins.", Owl="Drei."), {"Heron": cell(80), "Owl": cell(90)}))
    three = record((segment(0, **{"Rook'": "Zwei."}), {"Rook'": cell(100)}))
    path = tmp_path / "again"
    path.write_bytes(b"".join(export_rows(load(write(tmp_path / "a.json", one, two, three)).campaign, format)))
    read_as = {"csv": "assay-csv"}.get(format, format)
    again = import_judgments(path, format=read_as, name="Again").campaign
    repeats = Slot.objects.filter(item__assignment__campaign=again, item__kind="repeat").order_by("system__name")
    assert list(repeats.values_list("system__name", "item__is_by_chance")) == [("Heron", True), ("Rook", False)]


def test_an_output_seen_before_is_a_repeat_beside_new_ones_in_its_own_column(tmp_path: Path) -> None:
    one = record((segment(Heron="Eins.", Rook="Zwei."), {"Heron": cell(90), "Rook": cell(85)}))
    two = record((segment(Heron="Eins.", Owl="Drei."), {"Owl": cell(90), "Heron": cell(85)}))
    three = record((segment(0, **{"Owl'": "Drei."}), {"Owl'": cell(100)}), user_id="elm")
    load(write(tmp_path / "a.json", one, two, three))
    shown = Slot.objects.order_by("item__pk", "label").values_list("item__kind", "label", "system__name")
    assert sorted(shown) == [
        ("regular", "A", "Heron"),
        ("regular", "A", "Owl"),
        ("regular", "B", "Rook"),
        ("repeat", "A", "Owl"),
        ("repeat", "B", "Heron"),
    ]
