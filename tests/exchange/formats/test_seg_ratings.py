"""Ratings of mt-metrics-eval come in: our own files back again, and what is wrong in others."""

import gzip
import json
from pathlib import Path
from typing import Any

from django.core.management import call_command

import pytest

from annotation.models import ErrorSpan, ItemKind
from campaigns.models import Campaign
from exchange.judgment_files import FromCampaign, import_judgments
from exchange.reading import ImportFileError
from tests.metrics.real_campaigns import real_case

pytestmark = pytest.mark.django_db
MARKS = ("judgment__annotator__username", "translation__system__name", "translation__text", "start", "end", "severity")


def error(**changes: Any) -> dict[str, Any]:
    return {"start": 0, "end": 3, "category": "Accuracy/Mistranslation", "severity": "Major", **changes}


def written(folder: Path, *lines: str, name: str = "en-de.mqm.anna.seg.rating") -> Path:
    texts = {"sources/en-de.txt": "One.\nTwo.\n", "system-outputs/en-de/Heron.txt": "Ein 🙂.\nZwo.\n"}
    for path, text in {**texts, f"human-scores/{name}": "".join(f"{line}\n" for line in lines)}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder / "human-scores" / name


def rated(*errors: object, rater: str = "") -> str:
    return f"Heron\t{json.dumps({'errors': errors})}" + (f"\t{rater}" if rater else "")


def test_marks_are_half_open_code_points_and_none_is_not_judged(tmp_path: Path) -> None:
    source = error(is_source_error=True, severity="minor", category=None)
    outcome = import_judgments(
        written(tmp_path, rated(error(start=4, end=5), source, error(start=-1, end=-1)), "Heron\tNone"),
        format="mt-metrics-eval-ratings",
        name="x",
    )
    spans = ErrorSpan.objects.order_by("pk").values_list("side", "start", "end", "category", "severity")
    assert list(spans) == [
        ("target", 4, 5, "accuracy/mistranslation", "major"),
        ("source", 0, 3, "", "minor"),
        ("target", 0, 0, "accuracy/mistranslation", "major"),
    ]
    assert outcome.report["judgments"] == 1
    assert outcome.campaign.protocol == "mqm"
    assert outcome.campaign.memberships.get().account.username == "anna"


def test_everything_wrong_is_reported_at_once_and_nothing_stored(tmp_path: Path) -> None:
    wrong = [
        error(end=99),
        error(start=3, end=2),
        error(severity=None),
        error(severity="Awful"),
        error(start="0"),
        error(category=7),
    ]
    systems = [f"S{number}" for number in range(len(wrong) + 1)]
    lines = [f"{name}\t{json.dumps({'errors': [each]})}" for name, each in zip(systems, wrong, strict=False)]
    path = written(tmp_path, *lines, "S6\t{]")
    for name in systems:
        (tmp_path / "system-outputs" / "en-de" / f"{name}.txt").write_text("Ein.\n")
    (tmp_path / "system-outputs" / "en-de" / "Heron.txt").unlink()
    (tmp_path / "sources" / "en-de.txt").write_text("One.\n")
    with pytest.raises(ImportFileError) as refused:
        import_judgments(path, format="mt-metrics-eval-ratings", name="x")
    assert [f"line {number}, " in str(refused.value) for number in range(2, 8)] == [True] * 6
    path.write_text(f"{lines[0]}\n")
    with pytest.raises(ImportFileError, match="ends at 99, after the end of its text"):
        import_judgments(path, format="mt-metrics-eval-ratings", name="x")
    path.write_text("Heron\tNone\nHeron\tNone\nRook\tNone\nHeron\n")
    with pytest.raises(ImportFileError, match="Rook has 1 lines"):
        import_judgments(path, format="mt-metrics-eval-ratings", name="x")
    assert not Campaign.objects.exists()


def test_the_files_of_a_study_come_back_with_the_same_marks_of_every_rater(tmp_path: Path) -> None:
    for name in ("annotations", "campaign"):
        (tmp_path / name).write_bytes(gzip.decompress((real_case("cesa-enja") / f"{name}.json.gz").read_bytes()))
    of = FromCampaign(tmp_path / "campaign", "")
    before = import_judgments(tmp_path / "annotations", format="pearmut", name="Study", of=of).campaign
    call_command("export", before.slug, "--format", "mt-metrics-eval", "--output", str(tmp_path / "all"), verbosity=0)
    path = tmp_path / "all" / "human-scores" / "en-ja.cesa.merged.seg.rating"
    outcome = import_judgments(path, format="mt-metrics-eval-ratings", name="Again")
    marks = [
        set(
            ErrorSpan.objects.filter(
                judgment__item__assignment__campaign=each, judgment__item__kind=ItemKind.REGULAR
            ).values_list(*MARKS)
        )
        for each in (before, outcome.campaign)
    ]
    first = {(name.replace("-", "_"), system, text.replace("\n", " "), *rest) for name, system, text, *rest in marks[0]}
    assert first == marks[1]
    assert len(first) > 300
    assert outcome.report["annotators"] == 2
