"""Projects of Anthea: what a rater marked comes in by tokens, and goes out so that tokens tell it."""

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.models import ErrorSpan, Judgment
from campaigns.models import Campaign, TestSet
from exchange.exports import export_rows
from exchange.formats.anthea import CUT, tokens_of
from exchange.judgment_files import import_judgments
from exchange.reading import ImportFileError
from tests.cast import Cast
from tests.metrics.marked_errors import COMMA, GRAVE, SMALL, mark
from tests.planned_campaign import items_to_judge, make_planned_campaign, take

pytestmark = pytest.mark.django_db
HEADER = json.dumps({"source_language": "en", "target_language": "de", "prior_rater": "anna"})
MARKS = ("judgment__annotator__username", "translation__system__name", "translation__text", "side", "start", "end")


def error(start: int, end: int, selected: str, **changes: Any) -> dict[str, Any]:
    mark = {"location": "translation", "start": start, "end": end, "selected": selected, "severity": "major"}
    return {**mark, "type": "fluency", "subtype": "register", **changes}


def line(*errors: dict[str, Any], target: str = "Die Tiede\\nist weg.", **about: Any) -> str:
    result = {"prior_result": {"errors": errors, "visited": True, "timestamp": 1_780_000_000_000}}
    return "\t".join(["The tide\\tis out.", target, "quay", "Heron", json.dumps(result | about)])


def written(folder: Path, *lines: str, header: str = HEADER) -> Path:
    path = folder / "project.tsv"
    path.write_text("".join(f"{each}\n" for each in (header, *lines)), encoding="utf-8")
    return path


def test_marks_are_where_their_tokens_are(tmp_path: Path) -> None:
    target = f"Die Tie{CUT}{CUT}de ist  weg."
    source = error(2, 2, "tide\tis", location="source", metadata={"note": "hm"}, subtype="")
    lines = [
        line(error(3, 3, "de"), error(5, 5, "ist", marked_deleted=True), source, target=target),
        "",
        "quay\tHeron",
        line(prior_result={"errors": [], "visited": False}),
        line(target=target, prior_rater="ben", references={"ref_A": "Es ist Ebbe."}),
    ]
    outcome = import_judgments(written(tmp_path, *lines), format="anthea", name="x")
    spans = ErrorSpan.objects.order_by("pk").values_list("side", "start", "end", "category", "note")
    assert list(spans) == [("target", 7, 9, "fluency/register", ""), ("source", 4, 11, "fluency", "hm")]
    judged = Judgment.objects.order_by("pk").values_list("annotator__username", "item__segment__name")
    assert list(judged) == [("anna", "1"), ("ben", "1")], "nobody has judged the second segment"
    assert outcome.campaign.test_set.target_language == "de"
    assert tokens_of(f"a {CUT} b{CUT}") == ["a", " ", " ", "b"]


def test_everything_wrong_is_reported_at_once_and_nothing_stored(tmp_path: Path) -> None:
    wrong = [
        line(error(0, 0, "Kestrel")),
        line(error(0, 99, "")),
        line(error(0, 0, "Die", severity="awful")),
        line(error(3, 1, "Die")),
        "One.\tEins.\tquay",
        "One.\tEins.\tquay\tHeron\t{]",
        line(prior_rater=7),
        line(prior_result={"errors": 7}),
    ]
    with pytest.raises(ImportFileError) as refused:
        import_judgments(written(tmp_path, *wrong), format="anthea", name="x")
    assert [f"line {number}" in str(refused.value) for number in range(2, 10)] == [True] * 8
    with pytest.raises(ImportFileError, match="must be a JSON object"):
        import_judgments(written(tmp_path, line(), header="source\ttarget"), format="anthea", name="x")
    with pytest.raises(ImportFileError, match="has no “prior_result”"):
        import_judgments(written(tmp_path, "One.\tEins.\tquay\tHeron"), format="anthea", name="x")
    assert not Campaign.objects.exists()


def test_a_campaign_comes_back_with_the_same_marks(test_set: TestSet, cast: Cast, tmp_path: Path) -> None:
    campaign = make_planned_campaign(test_set, cast, protocol="mqm")
    for number, item in enumerate(items_to_judge(take(campaign, cast.annotator))):
        mark(item, *(GRAVE, {**SMALL, "side": "source", "note": "zwei"}, {**COMMA, "start": 1, "end": 2})[: number % 4])
    path = tmp_path / "project.tsv"
    path.write_bytes(b"".join(export_rows(campaign, "anthea")))
    again = import_judgments(path, format="anthea", name="Again").campaign
    marks = [
        sorted(ErrorSpan.objects.filter(judgment__item__assignment__campaign=each).values_list(*MARKS))
        for each in (campaign, again)
    ]
    assert marks[0] == marks[1]
    assert len(marks[0]) > 3
    counts = [Judgment.objects.filter(item__assignment__campaign=each).count() for each in (campaign, again)]
    assert counts[0] <= counts[1], "outputs that are the same were judged once"
