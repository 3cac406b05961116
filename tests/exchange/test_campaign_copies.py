"""Copies of a campaign for several pairs: all or none, with everything that one copy has."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotation.models import PracticeItem
from campaigns.actions.mail import change_mail_settings
from campaigns.models import AuditEntry, Campaign, Crowd, MailText, Membership, Role, TestSet
from campaigns.new_people import Person
from campaigns.queries import questionnaire_of
from exchange.campaign_copies import CopyErrors, CopyPlan, CopyRow, arguments_of, copy_campaign, name_of_copy
from jobs.actions import claim_run, perform_run, queue_run
from jobs.models import Run, RunStatus
from tests.cast import Cast
from tests.planned_campaign import make_planned_campaign
from tests.sample_crowd import make_crowd
from tests.sample_questionnaire import make_questionnaire
from tests.sample_test_set import HUMAN, QUOKKA, WOMBAT

TABLE = "document,segment,source,Heron,Rook\n" + "".join(f"d{n},1,Source {n},Bien {n},Mal {n}\n" for n in range(4))
PLAN = CopyPlan(project="Spring", open=True)


@pytest.fixture
def source(test_set: TestSet, cast: Cast) -> Campaign:
    systems = [WOMBAT, QUOKKA]
    made = make_planned_campaign(test_set, cast, name="News en-de", guidelines="Read *well*.", systems=systems)
    make_questionnaire(made)
    make_crowd(made)
    change_mail_settings(campaign=made, reply_to="a@example.org", thanks=True, digest=False, by=cast.organiser)
    MailText.objects.create(campaign=made, kind="thanks", subject="Done", body="Thank you.")
    PracticeItem.objects.create(campaign=made, position=1, source="One", slots={"A": "Eins"}, expected={})
    Campaign.objects.filter(pk=made.pk).update(pause_seconds=90, pass_mark=0.5, practice_attempts=2)
    made.refresh_from_db()
    return made


def file_of(tmp_path: Path, text: str = TABLE, name: str = "en-fr.csv") -> list[dict[str, Any]]:
    path = tmp_path / name
    path.write_text(text)
    return [{"name": name, "path": str(path), "size": len(text)}]


def test_each_copy_has_all_of_the_original_and_people_of_its_own(
    source: Campaign, make_test_set: Callable[..., TestSet], tmp_path: Path, cast: Cast
) -> None:
    other = make_test_set(name="Other texts", slug="other-texts")
    rows = [
        CopyRow(source_language="en", target_language="fr", files=file_of(tmp_path), annotators=2),
        CopyRow(name="Same pair", test_set=other, people=[Person("Ada"), Person("Bo")]),
    ]
    french, same = copy_campaign(source=source, rows=rows, plan=PLAN, by=cast.organiser)
    source.refresh_from_db()
    assert [french.slug, same.slug] == ["news-en-fr", "same-pair"]
    assert {each.project for each in (french, same, source)} == {"Spring"}
    for copy in (french, same):
        assert (copy.protocol, copy.options, copy.guidelines) == (source.protocol, source.options, source.guidelines)
        assert (copy.pause_seconds, copy.status, copy.redundancy) == (90, "open", source.redundancy)
        assert questionnaire_of(copy, "entry") is not None
        assert (copy.mail_settings.reply_to, copy.mail_texts.get().subject) == ("a@example.org", "Done")
        crowd = Crowd.objects.get(campaign=copy)
        assert (crowd.is_open, crowd.places) == (False, 3)
        assert crowd.key != source.crowd.key
        assert Membership.objects.filter(campaign=copy, role=Role.ANNOTATOR).count() == 2
    assert set(french.systems.values_list("name", flat=True)) == {"Heron", "Rook"}
    assert set(same.systems.values_list("name", flat=True)) == {WOMBAT, QUOKKA}
    assert (same.practice_items.get().slots, same.pass_mark, same.practice_attempts) == ({"A": "Eins"}, 0.5, 2)
    assert (french.practice_items.count(), french.pass_mark) == (0, None)
    assert AuditEntry.objects.get(action="campaign_copied").detail == {"copies": ["news-en-fr", "same-pair"]}


def test_all_errors_come_at_once_and_nothing_is_left(source: Campaign, tmp_path: Path, cast: Cast) -> None:
    before = (Campaign.objects.count(), TestSet.objects.count(), Membership.objects.count())
    rows = [
        CopyRow(source_language="en", target_language="fr", files=file_of(tmp_path), annotators=1),
        CopyRow(source_language="en", target_language="xx-!", files=file_of(tmp_path), people=[Person(email="a@b.c")]),
        CopyRow(source_language="en", target_language="cs", files=file_of(tmp_path, "nothing", "bad.csv")),
        CopyRow(source_language="en", target_language="fr"),
        CopyRow(name=source.name, test_set=source.test_set, target_language="it"),
    ]
    with pytest.raises(CopyErrors) as error:
        copy_campaign(source=source, rows=rows, plan=PLAN, by=cast.organiser)
    places = {row: set(fields) for row, fields in error.value.by_row.items()}
    assert places == {
        1: {"target_language", "people"},
        2: {"test_set"},
        3: {"test_set", "name"},
        4: {"target_language"},
    }
    assert str(error.value).startswith("2 target_language: ")
    assert (Campaign.objects.count(), TestSet.objects.count(), Membership.objects.count()) == before


def test_a_copy_that_cannot_be_made_takes_the_others_with_it(
    source: Campaign, tmp_path: Path, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [
        CopyRow(source_language="en", target_language=tag, files=file_of(tmp_path, name=f"{tag}.csv"), annotators=1)
        for tag in ("fr", "cs")
    ]
    calls = iter([None, RuntimeError("the disk is full")])

    def failing(**_about: Any) -> None:
        if error := next(calls):
            raise error

    monkeypatch.setattr("exchange.campaign_copies.copy_settings", failing)
    with pytest.raises(RuntimeError):
        copy_campaign(source=source, rows=rows, plan=PLAN, by=cast.organiser)
    assert (Campaign.objects.count(), TestSet.objects.count()) == (1, 1)


def test_a_run_goes_on_where_it_stopped_and_forgets_people(source: Campaign, tmp_path: Path, cast: Cast) -> None:
    rows = [
        CopyRow(source_language="en", target_language=tag, files=file_of(tmp_path, name=f"{tag}.csv"), annotators=1)
        for tag in ("fr", "cs")
    ]
    run = queue_run(
        kind="campaign_copies", arguments=arguments_of(source, rows, PLAN, "link"), created_by=cast.organiser
    )
    first = copy_campaign(source=source, rows=rows[:1], plan=CopyPlan("Spring"), by=None, request=f"run {run.pk}")
    Membership.objects.filter(campaign=first[0], role=Role.ANNOTATOR).delete()
    claimed = claim_run(run.pk)
    assert claimed is not None
    perform_run(claimed)
    done = Run.objects.get(pk=run.pk)
    assert (done.status, done.result) == (RunStatus.DONE, {"campaigns": ["news-en-fr", "news-en-cs"]})
    assert Campaign.objects.count() == 3
    assert [row["annotators"] for row in done.arguments["rows"]] == [0, 0]


@pytest.mark.parametrize(
    ("name", "expected"),
    [("News en-de", "News en-fr"), ("News (en-de", "News en-fr"), ("News", "News en-fr"), ("en-de", " en-fr")],
)
def test_a_copy_is_named_after_its_pair(source: Campaign, name: str, expected: str) -> None:
    source.name = name
    assert name_of_copy(source, "en", "fr").strip() == expected.strip()


def test_a_system_that_the_other_texts_lack_is_no_obstacle(
    source: Campaign, make_test_set: Callable[..., TestSet], cast: Cast
) -> None:
    other = make_test_set(name="Other texts", slug="other-texts")
    other.systems.filter(name=QUOKKA).update(name="Rook")
    (copy,) = copy_campaign(source=source, rows=[CopyRow(name="C", test_set=other)], plan=CopyPlan(), by=None)
    assert set(copy.systems.values_list("name", flat=True)) == {WOMBAT, "Rook", HUMAN}
