"""The page that copies a campaign to several language pairs, and the same by API and command."""

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client

import pytest
from pytest_django import Settings

from campaigns.models import Account, Campaign, TestSet
from frontend.organiser.copies_form import pair_in
from jobs.actions import claim_run, perform_run
from jobs.models import Run, RunStatus
from tests.cast import Cast
from tests.planned_campaign import make_planned_campaign

ClientOf = Callable[[Account], Client]
TABLE = "document,segment,source,Heron,Rook\n" + "".join(f"d{n},1,Source {n},Bien {n},Mal {n}\n" for n in range(4))
PAGE = "/campaigns/news-en-de/copies/"
API = "/api/v1/campaigns/news-en-de/copies"


@pytest.fixture(autouse=True)
def _uploads(settings: Settings, tmp_path: Path) -> None:
    settings.UPLOAD_DIR = tmp_path / "uploads"


@pytest.fixture
def source(test_set: TestSet, cast: Cast) -> Campaign:
    return make_planned_campaign(test_set, cast, name="News en-de")


@pytest.fixture
def client(source: Campaign, cast: Cast, client_of: ClientOf) -> Client:
    return client_of(cast.organiser)


def file_of(name: str, text: str = TABLE) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text.encode())


def perform(kind: str = "campaign_copies") -> Run:
    run = claim_run(Run.objects.get(status=RunStatus.QUEUED, kind=kind).pk)
    assert run is not None
    return perform_run(run)


def fields_of(form: Any) -> dict[str, Any]:
    """What the page's form would send again."""
    values = {"rows": len(form.rows)}
    for row in form.rows:
        for bound in row:
            if (value := bound.value()) not in (None, ""):
                values[bound.html_name] = value
    return values


def test_files_become_rows_then_campaigns_with_links(
    client: Client, source: Campaign, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(20):
        assert client.get(PAGE).status_code == 200
    more = {"files": [file_of("news.en-fr.csv"), file_of("news.en-cs.csv", "not a table")], "rows": "1", "act": "add"}
    shown = client.post(PAGE, more).context["copies"]
    assert [row["target_language"].value() for row in shown.rows] == ["fr", "cs"]
    sent = fields_of(shown) | {"project": "Spring", "access": "both", "act": "create", "row-1-people": "Ada\nBo"}
    address = client.post(PAGE, sent)["Location"]
    assert perform().status == RunStatus.FAILED
    with django_assert_max_num_queries(20):
        failed = client.get(address).context["copies"]
    assert [set(row.errors) for row in failed.rows] == [set(), {"file"}]
    assert failed.rows[1].file_names == ["news.en-cs.csv"]
    assert failed.rows[1]["people"].value() == "name\nAda\nBo\n"
    assert Campaign.objects.count() == 1
    again = fields_of(failed) | {"project": "Spring", "access": "both", "act": "create"}
    address = client.post(PAGE, again | {"row-1-file": file_of("news.en-cs.csv")})["Location"]
    assert perform().status == RunStatus.DONE
    assert "data-submit-now" in client.get(address).content.decode()
    done = client.post(f"{address}done/").context
    rows = list(csv.DictReader(io.StringIO(done["admitted_csv"])))
    assert [row["campaign"] for row in rows] == ["News en-cs"] * 2 + ["News en-fr"] * 3
    assert all(row["link"] and row["password"] for row in rows)
    assert not client.post(f"{address}done/").context["admitted"]
    project = client.get("/projects/Spring/").content.decode()
    assert all(name in project for name in ("News en-de", "News en-fr", "News en-cs"))


def test_all_that_is_wrong_stands_beside_its_row(client: Client, source: Campaign) -> None:
    sent = {
        "rows": "3",
        "act": "create",
        "access": "link",
        "project": "a/b",
        "row-0-target_language": "fr",
        "row-1-test_set": source.test_set_id,
        "row-1-name": source.name,
        "row-1-people": "Ada <nowhere>",
    }
    answer = client.post(PAGE, sent)
    assert answer.status_code == 422
    form = answer.context["copies"]
    assert set(form.shared.errors) == {"project"}
    assert [set(row.errors) for row in form.rows] == [{"source_language", "test_set"}, {"name", "people"}, set()]
    empty = client.post(PAGE, {"rows": "2", "act": "create", "access": "link"})
    assert empty.context["copies"].problems
    assert not Run.objects.filter(kind="campaign_copies").exists()


def test_a_run_of_another_campaign_is_not_found(client: Client, source: Campaign, cast: Cast) -> None:
    run = Run.objects.create(kind="campaign_copies", arguments={"copied": source.pk + 1}, created_by=cast.organiser)
    assert client.get(f"{PAGE}{run.pk}/").status_code == 404


def test_the_api_takes_the_same(client: Client, source: Campaign) -> None:
    upload = client.post("/api/v1/uploads", {"files": [file_of("en-fr.csv")]}).json()["upload"]
    perform("inspection")
    copy = {"upload": upload, "source_language": "en", "target_language": "fr", "people": [{"name": "Ada"}]}
    wrong = {"copies": [copy, {"test_set": "none"}, {"upload": upload, "target_language": "!"}]}
    errors = client.post(API, wrong, content_type="application/json").json()["errors"]
    assert {"copies.1.test_set", "copies.2.target_language", "copies.2.source_language"} <= set(errors)
    sent = client.post(API, {"copies": [copy], "open": True}, content_type="application/json")
    assert sent.status_code == 202
    assert perform().result == {"campaigns": ["news-en-fr"]}
    made = client.get("/api/v1/campaigns/news-en-fr").json()
    assert (made["status"], made["project"], made["target_language"]) == ("open", "News en-de", "fr")


def test_the_command_copies_from_a_table(source: Campaign, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "fr.csv").write_text(TABLE)
    (tmp_path / "people.txt").write_text("Ada\nBo\n")
    pairs = tmp_path / "pairs.csv"
    pairs.write_text(
        "source_language,target_language,file,test_set,annotators,people\n"
        f"en,fr,fr.csv,,,people.txt\n,,,{source.test_set.slug},3,\nen,cs,gone.csv,,x,\n"
    )
    with pytest.raises(CommandError) as error:
        call_command("copy_campaign", "News en-de", pairs=pairs)
    assert [line.partition(":")[0] for line in str(error.value).splitlines()[1:]] == [
        "2 name",
        "3 annotators",
        "3 test_set",
        "3 test_set",
    ]
    assert Campaign.objects.count() == 1
    pairs.write_text("source_language,target_language,file,people\nen,fr,fr.csv,people.txt\n")
    call_command("copy_campaign", "News en-de", pairs=pairs, output=str(tmp_path / "links.csv"))
    assert capsys.readouterr().out == "news-en-fr: News en-fr\n"
    links = list(csv.DictReader(io.StringIO((tmp_path / "links.csv").read_text())))
    assert [(row["campaign"], row["name"]) for row in links] == [("news-en-fr", "Ada"), ("news-en-fr", "Bo")]


def test_links_are_safe_cells_in_a_file_that_can_be_written(source: Campaign, tmp_path: Path) -> None:
    (tmp_path / "fr.csv").write_text(TABLE)
    (tmp_path / "people.txt").write_text("=HYPERLINK(1)\n")
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("source_language,target_language,file,people\nen,fr,fr.csv,people.txt\n")
    with pytest.raises(CommandError, match=r"cannot be written: Is a directory\. No campaign was created\."):
        call_command("copy_campaign", "News en-de", pairs=pairs, output=str(tmp_path))
    assert Campaign.objects.count() == 1
    links = tmp_path / "links.csv"
    call_command("copy_campaign", "News en-de", pairs=pairs, output=str(links))
    assert links.stat().st_mode & 0o777 == 0o600
    assert [row["name"] for row in csv.DictReader(io.StringIO(links.read_text()))] == ["'=HYPERLINK(1)"]


@pytest.mark.parametrize(
    ("name", "pair"),
    [
        ("news.en-de.csv", ("en", "de")),
        ("en-pt_BR.jsonl", ("en", "pt-BR")),
        ("wmt26-cs-uk.zip", ("cs", "uk")),
        ("texts.csv", ("", "")),
        ("deu-x-eng.csv", ("", "")),
    ],
)
def test_a_files_name_tells_its_pair(name: str, pair: tuple[str, str]) -> None:
    assert pair_in(name) == pair
