"""Folders of mt-metrics-eval: WMT's own comes in and out again with the same texts and numbers."""

from pathlib import Path

from django.core.management import call_command
from django.core.management.base import CommandError

import numpy as np
import pytest

from campaigns.models import Document, Reference, TestSet
from exchange.judgment_files import import_judgments
from metrics.actions.deriving import derive_scores
from metrics.models import DerivedScore
from tests.cast import Cast
from tests.metrics.marked_errors import GRAVE, SMALL, mark
from tests.metrics.real_campaigns import real_case
from tests.planned_campaign import items_to_judge, make_planned_campaign, take

pytestmark = pytest.mark.django_db


SEGMENTS, KEPT = 557, 60
METRICS = ("COMET-refA", "GEMBA-MQM-src")


@pytest.fixture
def published(tmp_path: Path) -> Path:
    """Its first segments, with two metrics."""
    home = Path(real_case("metrics-wmt23-ende")) / "wmt23"
    for path in home.rglob("*.*"):
        if "metric-scores" in path.parts and not path.name.startswith(METRICS):
            continue
        lines = path.read_text(encoding="utf-8").split("\n")[:-1]
        if not path.name.endswith(".sys.score"):
            lines = [line for number, line in enumerate(lines) if number % SEGMENTS < KEPT]
        target = tmp_path / "wmt23" / path.relative_to(home)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return tmp_path / "wmt23"


def import_folder(folder: Path, target: str = "de") -> None:
    languages = ("--source-language", "en", "--target-language", target)
    call_command("import_test_set", str(folder), "--name", "Sea", *languages, verbosity=0)


def lines_of(folder: Path) -> dict[str, list[str]]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8-sig").split("\n") for path in files}


def test_the_published_folder_goes_out_again_with_its_texts_and_numbers(tmp_path: Path, published: Path) -> None:
    """Systems that nobody judged are not in the campaign, and systems come in another order. One file has a mark of
    byte order, which is no text."""
    home = published
    scores = home / "human-scores" / "en-de.mqm.seg.score"
    campaign = import_judgments(scores, format="mt-metrics-eval", name="WMT23").campaign
    for name in METRICS:
        for level in ("seg", "sys"):
            path = home / "metric-scores" / "en-de" / f"{name}.{level}.score"
            used = ("--reference", "A") if name.endswith("refA") else ("--no-reference",)
            call_command("import_metric_scores", str(path), "--test-set", "WMT23", "--metric", name, *used, verbosity=0)
    call_command("export", campaign.slug, "--format", "mt-metrics-eval", "--output", str(tmp_path / "out"), verbosity=0)
    before, after = lines_of(home), lines_of(tmp_path / "out")
    texts = [name for name in before if name.startswith(("sources", "documents", "references", "system-outputs"))]
    assert {name: after[name] == before[name] for name in texts} == dict.fromkeys(texts, True)
    expected = {
        f"metric-scores/en-de/{name}.{level}.score"
        for name in ("COMET-refA", "GEMBA_MQM-src")
        for level in ("seg", "sys")
    }
    expected |= {"human-scores/en-de.mqm.seg.score", "human-scores/en-de.mqm.sys.score"}
    assert set(after) - set(texts) == expected
    by_segment = by_system(before["human-scores/en-de.mqm.seg.score"])
    for name in expected:
        own, theirs = (
            by_system(files[place]) for files, place in ((after, name), (before, name.replace("GEMBA_", "GEMBA-")))
        )
        if name == "human-scores/en-de.mqm.sys.score":  # the published ones are of all segments
            theirs = {system: [float(np.nanmean(values))] for system, values in by_segment.items()}
        assert set(own) <= set(theirs)
        assert len(own) >= 12
        for system, values in own.items():
            assert values == pytest.approx(theirs[system], abs=1e-6, nan_ok=True), (name, system)


def by_system(lines: list[str]) -> dict[str, list[float]]:
    values: dict[str, list[float]] = {}
    for line in filter(None, lines):
        system, value = line.split()
        values.setdefault(system, []).append(float("nan") if value == "None" else float(value))
    return values


def test_a_folder_is_a_test_set_of_one_of_its_pairs(published: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = published
    import_folder(folder)
    test_set = TestSet.objects.get(name="Sea")
    assert (test_set.format, test_set.report["segments"], len(test_set.report["systems"])) == (
        "mt-metrics-eval",
        KEPT,
        13,
    )
    assert set(Reference.objects.values_list("name", flat=True)) == {"A"}
    first = (folder / "documents" / "en-de.docs").read_text().split("\n")[0].split("\t")
    document = Document.objects.get(test_set=test_set, position=0)
    assert [document.domain or document.segments.all()[0].domain, document.name] == first
    assert "en-de.mqm.seg.score" in capsys.readouterr().err
    import_folder(folder)
    assert TestSet.objects.count() == 1, "the same files again change nothing"


def test_what_is_wrong_with_a_folder_is_reported_and_nothing_stored(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="has no sources/SOURCE-TARGET"):
        import_folder(tmp_path)
    (tmp_path / "sources").mkdir()
    (tmp_path / "documents").mkdir()
    (tmp_path / "system-outputs" / "en-de").mkdir(parents=True)
    (tmp_path / "system-outputs" / "en-de" / "Heron.txt").write_text("Ein.\n\nDrei.\n")
    (tmp_path / "sources" / "en-de.txt").write_text("One.\n\nThree.\n")
    (tmp_path / "documents" / "en-de.docs").write_text(f"news\tquay\n{'x' * 101}\tquay\nnews\t\n")
    with pytest.raises(CommandError, match="that fit en-fr: 0"):
        import_folder(tmp_path, "fr")
    with pytest.raises(CommandError) as refused:
        import_folder(tmp_path)
    assert [part in str(refused.value) for part in ("line 2: Empty source", "line 2, domain", "line 3, document")] == [
        True
    ] * 3
    assert not TestSet.objects.exists()


def test_penalties_that_no_analysis_has_stored_are_in_the_folder_and_stay_unstored(
    test_set: TestSet, cast: Cast, tmp_path: Path
) -> None:
    campaign = make_planned_campaign(test_set, cast, protocol="mqm")
    for number, item in enumerate(items_to_judge(take(campaign, cast.annotator))):
        mark(item, *(GRAVE, SMALL)[: number % 3])

    def scores() -> list[str]:
        call_command("export", campaign.slug, "--format", "mt-metrics-eval", "--output", str(tmp_path), verbosity=0)
        return sorted(path.read_text() for path in (tmp_path / "human-scores").glob("*.score"))

    before = scores()
    assert not DerivedScore.objects.exists()
    derive_scores(campaign)
    assert scores() == before
    assert any(value not in ("None", "0.0") for text in before for value in text.split()[1::2])
