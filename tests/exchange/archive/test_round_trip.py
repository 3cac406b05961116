"""A campaign rebuilt from its archive: nothing that counts is lost, for any protocol."""

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotation.actions.summaries import wrong_counts
from annotation.models import Judgment, WorkCount
from campaigns.models import Account, Campaign, FormAnswer, Membership, Role, TestSet
from campaigns.queries import questionnaire_of, questions_of
from demo.campaign import DemoCampaign
from exchange.archive.rebuilding import import_archive
from exchange.archive.tables import TABLES, keys_of
from exchange.reading import ImportFileError
from jobs.actions import perform_now
from jobs.models import Run
from jobs.queries import whole_result
from tests.cast import Cast
from tests.exchange.archive.demo_in_small import ONE_OF_EACH, make_small
from tests.exchange.archive.numbers_of_archives import QUICK, numbers_of, written
from tests.exchange.judged_campaign import judge_one_of_everything, mark_errors
from tests.sample_questionnaire import QUESTIONS, answer_questionnaire, make_questionnaire

pytestmark = pytest.mark.django_db


def rows_in(path: Path) -> dict[str, list[dict[str, Any]]]:
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if name.startswith("rows/")]
        return {name: [json.loads(line) for line in io.BytesIO(archive.read(name))] for name in names}


@pytest.mark.drawn(8)
@pytest.mark.parametrize("demo", ONE_OF_EACH, ids=lambda demo: demo.spec.protocol)
def test_every_protocol_gives_the_same_numbers_from_an_emptied_place(
    demo: DemoCampaign, tmp_path: Path, emptied: Callable[[], None]
) -> None:
    campaign = make_small(demo)
    perform_now(kind="analysis", campaign=campaign, arguments={"options": QUICK})
    before, run = numbers_of(campaign), whole_result(Run.objects.get(campaign=campaign))
    path = written(campaign, tmp_path / "first.zip")
    counts = {table.name: table.rows_of(campaign).count() for table in TABLES}
    emptied()
    rebuilt = import_archive(path, name=campaign.name)
    assert numbers_of(rebuilt) == before
    assert whole_result(Run.objects.get(campaign=rebuilt)) == run
    assert {table.name: table.rows_of(rebuilt).count() for table in TABLES} == counts
    assert with_numbers_in_order(rows_in(written(rebuilt, tmp_path / "second.zip"))) == with_numbers_in_order(
        rows_in(path)
    )


def with_numbers_in_order(files: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """The rows numbered from one, in their order: database keys may change."""
    places = {
        name.split("/")[1].split(".")[0]: {row["id"]: place for place, row in enumerate(rows, 1)}
        for name, rows in files.items()
    }
    leads = {table.name: {key.name: key for key in keys_of(table)} for table in TABLES}
    rows_of: dict[str, list[dict[str, Any]]] = {}
    for name, rows in files.items():
        model = name.split("/")[1].split(".")[0]
        rows_of[model] = [_renumbered(row, model, places, leads.get(model, {})) for row in rows]
    return rows_of


def _renumbered(row: dict[str, Any], model: str, places: Any, leads: Any) -> dict[str, Any]:
    changed = {**row, "id": places[model][row["id"]]}
    for name, key in leads.items():
        target = "annotator" if key.related_model is Account else key.related_model._meta.model_name
        if row[name] is not None:
            changed[name] = places[target][row[name]]
    if "systems" in row:
        changed["systems"] = [places["system"][system] for system in row["systems"]]
    return changed


@pytest.fixture
def judged(campaign: Campaign, cast: Cast) -> Campaign:
    judge_one_of_everything(campaign, cast.annotator, cast.second_annotator)
    mark_errors(campaign, cast.annotator)
    return campaign


def test_beside_the_original_it_gets_people_and_identifiers_of_its_own(
    judged: Campaign, cast: Cast, tmp_path: Path
) -> None:
    Campaign.objects.filter(pk=judged.pk).update(on_withdrawal="erased")
    before = numbers_of(judged)
    rebuilt = import_archive(written(judged, tmp_path / "a.zip"), name="Rebuilt", created_by=cast.stranger)
    assert rebuilt.on_withdrawal == "erased"
    assert numbers_of(rebuilt)["analyses"]["ranking"]["systems"] == before["analyses"]["ranking"]["systems"]
    assert rebuilt.test_set.name != judged.test_set.name
    assert WorkCount.objects.filter(campaign=rebuilt).exists()
    assert wrong_counts(rebuilt.pk) == 0
    judges = set(Judgment.objects.filter(item__assignment__campaign=rebuilt).values_list("annotator__username"))
    assert judges == {("anna-2",), ("ben-2",)}
    mine = Membership.objects.filter(campaign=rebuilt, role=Role.ORGANISER).values_list("account__username", flat=True)
    assert list(mine) == ["sasha"]
    assert not Membership.objects.filter(campaign=rebuilt, account__in=cast.annotators).exists()


def test_a_new_account_cannot_be_entered(judged: Campaign, tmp_path: Path) -> None:
    import_archive(written(judged, tmp_path / "a.zip"), name="Rebuilt")
    assert not Account.objects.get(username="anna-2").has_usable_password()


def test_identifiers_come_back_where_they_are_free(
    judged: Campaign, tmp_path: Path, emptied: Callable[[], None]
) -> None:
    before = set(Judgment.objects.values_list("client_id", flat=True))
    path = written(judged, tmp_path / "a.zip")
    emptied()
    import_archive(path, name="Rebuilt")
    assert set(Judgment.objects.values_list("client_id", flat=True)) == before


def test_pseudonyms_are_drawn_anew_for_each_archive_and_one_throughout_it(judged: Campaign, tmp_path: Path) -> None:
    path = written(judged, tmp_path / "a.zip", pseudonymised=True)
    rows = rows_in(path)
    assert sorted(row["name"] for row in rows["rows/annotator.jsonl"]) == ["annotator-01", "annotator-02"]
    numbers = {row["id"]: row["name"] for row in rows["rows/annotator.jsonl"]}
    with zipfile.ZipFile(path) as archive:
        lines = archive.read("judgments.csv").decode().splitlines()
    by_judgment = dict(line.split(",")[:2] for line in lines[1:] if line.count(",") > 8)
    for row in rows["rows/judgment.jsonl"]:
        assert by_judgment[row["client_id"]] == numbers[row["annotator"]]


def test_it_can_be_rebuilt_again_under_another_name_and_not_under_the_same(judged: Campaign, tmp_path: Path) -> None:
    path = written(judged, tmp_path / "a.zip")
    import_archive(path, name="Once")
    import_archive(path, name="Twice")
    with pytest.raises(Exception, match="already"):
        import_archive(path, name="Once")
    assert TestSet.objects.count() == 3


def test_questionnaires_come_with_their_answers(judged: Campaign, cast: Cast, tmp_path: Path) -> None:
    make_questionnaire(judged)
    answer_questionnaire(judged, cast.annotator)
    rebuilt = import_archive(written(judged, tmp_path / "a.zip"), name="Rebuilt")
    form = questionnaire_of(rebuilt, "entry")
    assert form is not None
    assert questions_of(form) == list(QUESTIONS)
    answer = FormAnswer.objects.get(question__questionnaire=form, question__name="work")
    assert (answer.annotator.username, answer.value) == ("anna-2", ["translator", "editor"])


def test_an_answer_that_its_question_does_not_take_is_refused(judged: Campaign, cast: Cast, tmp_path: Path) -> None:
    make_questionnaire(judged)
    answer_questionnaire(judged, cast.annotator)
    FormAnswer.objects.filter(question__name="skill").update(value=9)
    with pytest.raises(ImportFileError, match=r"rows/formanswer.jsonl, line \d, value: Choose a point from 1 to 5"):
        import_archive(written(judged, tmp_path / "a.zip"), name="Rebuilt")
