"""Campaigns with marked errors, exported and imported again: the same answers, spans, penalties and controls."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotation.models import Credit, ErrorSpan, ItemKind, Judgment, Slot
from campaigns.models import Campaign, SuggestedSpan, TestSet, Translation
from exchange.exports import export_rows
from exchange.judgment_files import import_judgments
from tests.cast import Cast
from tests.metrics.analyses.as_json import analyse
from tests.metrics.marked_errors import COMMA, GRAVE, SMALL, mark
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take

Travel = Callable[[Campaign], Campaign]
FEW = {"interval_resamples": 20, "resamples": 100}


def exported(campaign: Campaign, format: str = "csv") -> bytes:
    return b"".join(export_rows(campaign, format))


@pytest.fixture
def mqm(test_set: TestSet, cast: Cast) -> Campaign:
    """Side by side, with control items, a revision and one that could not be judged."""
    campaign = make_planned_campaign(
        test_set, cast, protocol="mqm", options={"systems_per_screen": 2}, repeats_share=0.3, degraded_share=0.3
    )
    items = items_to_judge(take(campaign, cast.annotator))
    broken = next(item for item in items[1:] if item.kind == ItemKind.REGULAR and not item.controls.exists())
    first, *rest = [item for item in items if item != broken]
    mark(first, GRAVE, {**SMALL, "side": "source", "note": "=1+1\nzwei 🙂"})
    mark(first, {**COMMA, "start": 2, "end": 2}, base_revision=1)
    judge(broken, payload={"slots": {}, "comment": "?", "cannot_judge": "broken_text"})
    for number, item in enumerate(rest):
        mark(item, *(GRAVE, SMALL, COMMA)[: number % 4])
    return campaign


@pytest.fixture
def esa(test_set: TestSet, cast: Cast) -> Campaign:
    """Every translation begins with a suggestion, and every other one stays."""
    for translation in Translation.objects.all():
        SuggestedSpan.objects.create(translation=translation, start=0, end=3, severity="minor")
    campaign = make_planned_campaign(test_set, cast, protocol="esa", options={"suggestions": True})
    suggestion = {"severity": "minor", "suggestion": 1}
    for number, item in enumerate(items_to_judge(take(campaign, cast.annotator))):
        mark(item, *([suggestion] if number % 2 else [{"severity": "major", "start": 4, "end": 4}]), score=number)
    return campaign


@pytest.fixture
def cesa(test_set: TestSet, cast: Cast) -> Campaign:
    """Tags beside ranges, in translations and sources; three cells a row, or two where outputs are the same."""
    campaign = make_planned_campaign(
        test_set, cast, protocol="cesa", options={"mark_source": True}, repeats_share=0.5, degraded_share=0.5
    )
    spans = [{"side": "target", "start": 0, "end": 3, "severity": "major"}]
    spans += [{"side": "source", "start": 2, "end": 5, "severity": "minor"}]
    tags = [{"tag": "missing", "severity": "minor"}, {"tag": "instructions_fault", "severity": "major"}]
    for number, item in enumerate(items_to_judge(take(campaign, cast.annotator))):
        labels = item.slots.values_list("label", flat=True)
        slots = {
            label: {"spans": spans[: (number + place) % 3], "tags": tags[: place % 3], "score": 85, "comment": "=1 🙂"}
            for place, label in enumerate(labels)
        }
        judge(item, payload={"slots": slots, "comment": "", "cannot_judge": None})
    return campaign


@pytest.mark.parametrize("protocol", ["mqm", "esa", "cesa"])
def test_what_was_marked_comes_back_byte_by_byte(
    request: pytest.FixtureRequest, protocol: str, reimported: Travel
) -> None:
    campaign: Campaign = request.getfixturevalue(protocol)
    before, spans = exported(campaign), exported(campaign, "spans-csv")
    numbers = numbers_of(campaign)
    after = reimported(campaign)
    assert exported(after) == before
    assert exported(after, "spans-csv") == spans
    assert numbers_of(after) == numbers


def numbers_of(campaign: Campaign) -> dict[str, Any]:
    """Texts come back in the order in which they were judged, so the order of segments does not count."""
    analyses = dict(analyse(campaign, options=FEW)["analyses"])
    analyses["errors"]["segments"].sort(key=lambda entry: sorted(map(str, entry.values())))
    for entry in analyses["errors"]["systems"]:
        del entry["suggestions"]  # an imported campaign begins with none, and its signature has that
        entry.get("reasons", {}).pop("suggestions", None)
        if not entry.get("reasons", True):
            del entry["reasons"]
    return analyses


def test_what_became_of_suggestions_is_in_the_answer(esa: Campaign, reimported: Travel) -> None:
    counts = [entry["suggestions"] for entry in analyse(esa, options=FEW)["analyses"]["errors"]["systems"]]
    reimported(esa)
    recorded = [
        judgment.answer["slots"]["A"]["suggested"][0]["outcome"] for judgment in Judgment.objects.order_by("pk")
    ]
    assert recorded[:4] == ["deleted", "kept", "deleted", "kept"]
    assert sum(count["kept"] for count in counts) == recorded.count("kept")
    assert sum(count["deleted"] for count in counts) == recorded.count("deleted")


def test_a_severity_nobody_knows_is_refused_with_its_line(mqm: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "wrong.csv"
    path.write_bytes(exported(mqm).replace(b'""severity"":""major""', b'""severity"":""grave""'))
    with pytest.raises(Exception, match=r"line 2, answer.*grave"):
        import_judgments(path, format="assay-csv", name="Wrong")


@pytest.fixture
def copied(tmp_path: Path) -> Travel:
    """By way of WMT's format of ratings."""

    def travel(campaign: Campaign) -> Campaign:
        path = tmp_path / "ratings.tsv"
        path.write_bytes(exported(campaign, "wmt-mqm-tsv"))
        options: dict[str, Any] = {"source_language": "en", "target_language": "de", "format": "wmt-mqm-tsv"}
        return import_judgments(path, name="A copy", **options).campaign

    return travel


def test_ratings_as_at_wmt_come_back_with_the_same_penalties(test_set: TestSet, cast: Cast, copied: Travel) -> None:
    campaign = make_planned_campaign(test_set, cast, protocol="mqm", repeats_share=0.3, redundancy=2)
    for annotator in cast.annotators:
        for number, item in enumerate(items_to_judge(take(campaign, annotator))):
            mark(item, *(GRAVE, {**SMALL, "side": "source"}, {**COMMA, "start": 4, "end": 4})[: number % 4])
    copy = copied(campaign)
    assert means_of(copy) == pytest.approx(means_of(campaign))
    assert marked_in(copy) == marked_in(campaign)


def test_an_output_judged_twice_is_one_judgment_of_the_ratings(mqm: Campaign, copied: Travel) -> None:
    copy = copied(mqm)
    judgments = Judgment.objects.filter(item__assignment__campaign=copy)
    outputs = judgments.values_list("annotator", "item__slots__translation")
    shown = Slot.objects.filter(item__judgments__cannot_judge="", item__assignment__campaign=mqm)
    judged = set(shown.values_list("translation", flat=True)) | set(
        Credit.objects.filter(slot__in=shown).values_list("translation", flat=True)
    )
    assert len(set(outputs)) == len(outputs) == len(judged) < 18, "outputs of the one screen that could not be judged"
    assert set(marked_in(copy)) <= set(marked_in(mqm))


def means_of(campaign: Campaign) -> dict[str, float]:
    return {entry["system"]: entry["penalty"] for entry in numbers_of(campaign)["errors"]["systems"]}


def marked_in(campaign: Campaign) -> list[tuple[Any, ...]]:
    """Of regular judgments, as they count."""
    spans = ErrorSpan.objects.filter(judgment__item__assignment__campaign=campaign, judgment__is_current=True)
    return sorted(
        spans.filter(judgment__item__kind="regular").values_list(
            "translation__system__name", "translation__segment__name", "side", "start", "end", "category", "severity"
        )
    )
