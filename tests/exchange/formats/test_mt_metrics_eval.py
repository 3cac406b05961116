"""Human scores in small folders of mt-metrics-eval."""

from pathlib import Path

import pytest

from annotation.models import Score
from campaigns.models import Campaign, Document, Reference, Segment, System, Translation
from exchange.judgment_files import CampaignOutcome, import_judgments
from exchange.reading import ImportFileError

pytestmark = pytest.mark.django_db
SCORES = "Heron\t-1.5\nHeron\tNone\nHeron\t0.0\nrefA\t-5\nrefA\t-0.0\nrefA\tNone\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three segments of two documents, two systems with outputs, of which one was judged, and a judged reference."""
    texts = {
        "documents/en-de.docs": "news\tquay\nnews\tquay\nmail\tbay\n",
        "sources/en-de.txt": "One.\nTwo.\nThree.\n",
        "references/en-de.refA.txt": "Eins.\nZwei.\nDrei.\n",
        "references/en-de.refB.txt": "1.\n2.\n3.\n",
        "system-outputs/en-de/Heron.txt": "Ein.\nZwo.\n\n",
        "system-outputs/en-de/Rook.txt": "I.\nII.\nIII.\n",
        "human-scores/en-de.mqm.seg.score": SCORES,
    }
    for name, text in texts.items():
        path = tmp_path / "sea" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path / "sea"


def load(folder: Path, score: str = "mqm", **options: str) -> CampaignOutcome:
    path = folder / "human-scores" / f"en-de.{score}.seg.score"
    return import_judgments(path, format="mt-metrics-eval", name="Sea", **options)  # type: ignore[arg-type]


def problems_of(folder: Path, score: str = "mqm") -> list[str]:
    with pytest.raises(ImportFileError) as refused:
        load(folder, score)
    assert not Campaign.objects.exists()
    return str(refused.value).splitlines()


def test_scores_are_penalties_of_one_annotator_and_none_is_not_judged(folder: Path) -> None:
    outcome = load(folder)
    assert (outcome.campaign.protocol, outcome.report["judgments"], outcome.report["annotators"]) == ("mqm", 4, 1)
    named = ("translation__system__name", "translation__segment__source", "measure", "value")
    assert sorted(Score.objects.values_list(*named)) == [
        ("Heron", "One.", "penalty", 1.5),
        ("Heron", "Three.", "penalty", 0.0),
        ("refA", "One.", "penalty", 5.0),
        ("refA", "Two.", "penalty", 0.0),
    ]
    assert outcome.campaign.memberships.get().account.username == "mqm"


def test_all_texts_become_the_test_set_judged_or_not(folder: Path) -> None:
    campaign = load(folder).campaign
    assert (campaign.test_set.source_language, campaign.test_set.target_language) == ("en", "de")
    assert list(Document.objects.order_by("position").values_list("name", flat=True)) == ["quay", "bay"]
    assert list(Segment.objects.order_by("document__position", "position").values_list("name", "source", "domain")) == [
        ("1", "One.", "news"),
        ("2", "Two.", "news"),
        ("1", "Three.", "mail"),
    ]
    assert sorted(Reference.objects.filter(segment__source="One.").values_list("name", "text")) == [
        ("A", "Eins."),
        ("B", "1."),
    ]
    outputs = Translation.objects.filter(segment__document__name="bay").values_list("system__name", "text")
    assert sorted(outputs) == [("Heron", ""), ("Rook", "III."), ("refA", "Drei.")]
    assert sorted(campaign.systems.values_list("name", flat=True)) == ["Heron", "refA"]
    assert System.objects.get(name="refA").is_human


def test_the_file_of_scores_is_enough(tmp_path: Path) -> None:
    path = tmp_path / "en-de.da-sqm.seg.score"
    path.write_text("Heron 70\nHeron None\nRook 65.5\nRook 80\n")
    campaign = import_judgments(path, format="mt-metrics-eval", name="Sea").campaign
    assert campaign.protocol == "direct_assessment"
    assert sorted(Score.objects.values_list("translation__segment__name", "measure", "value")) == [
        ("1", "score", 65.5),
        ("1", "score", 70),
        ("2", "score", 80),
    ]
    assert set(Segment.objects.values_list("document__name", "source")) == {("en-de", None)}


def test_the_protocol_follows_from_the_name_or_the_option(folder: Path) -> None:
    scores = folder / "human-scores"
    for name in ("ESA-1", "wmt"):
        (scores / f"en-de.{name}.seg.score").write_text(SCORES.replace("-", ""))
    assert load(folder, "ESA-1").campaign.protocol == "esa"
    path = scores / "en-de.wmt.seg.score"
    plain = import_judgments(path, format="mt-metrics-eval", name="Sky")
    assert plain.campaign.protocol == "direct_assessment"
    outcome = import_judgments(path, format="mt-metrics-eval", name="Sand", protocol="esa")
    assert outcome.campaign.protocol == "esa"


def test_every_bad_line_is_reported(folder: Path) -> None:
    (folder / "human-scores/en-de.mqm.seg.score").write_text("Heron\t-1\nHeron\tfine\nHeron\nRook\tnan\nRook\t-2\n")
    assert [line.split(": ")[0] for line in problems_of(folder)] == [
        "en-de.mqm.seg.score, line 2",
        "en-de.mqm.seg.score, line 3",
        "en-de.mqm.seg.score, line 4",
    ]


def test_a_system_without_a_line_for_each_segment_is_reported(folder: Path) -> None:
    (folder / "human-scores/en-de.mqm.seg.score").write_text(SCORES.replace("refA\tNone\n", ""))
    assert problems_of(folder) == [
        "en-de.mqm.seg.score, line 5: refA has 2 lines, another system 3. Each needs one line for each segment."
    ]


@pytest.mark.parametrize(
    "name", ["documents/en-de.docs", "sources/en-de.txt", "references/en-de.refB.txt", "system-outputs/en-de/Rook.txt"]
)
def test_files_of_another_length_are_reported(folder: Path, name: str) -> None:
    with (folder / name).open("a") as stream:
        stream.write("one\tmore\n")
    (line,) = problems_of(folder)
    assert line == f"{Path(name).name}: Lines: 4, but scores of every system: 3."


def test_texts_that_cannot_be_stored_are_reported(folder: Path) -> None:
    (folder / "sources/en-de.txt").write_bytes(b"One.\nTw\xe9.\nThree.\n")
    (line,) = problems_of(folder)
    assert line.startswith("en-de.txt, line 2: Not UTF-8")


def test_a_direct_assessment_out_of_range_is_reported_with_its_line(folder: Path) -> None:
    (folder / "human-scores/en-de.da.seg.score").write_text(SCORES)
    assert problems_of(folder, "da")[0].startswith("en-de.da.seg.score, line 1, value: score must be from 0 to 100")
