"""Files of WMT's general task on the new-campaign page: the pair is asked for, realigned documents are confirmed."""

import re
from collections.abc import Callable
from pathlib import Path

from django.test import Client

import pytest
from pytest_django import Settings

from campaigns.models import Account, Campaign, TestSet, Translation
from jobs.models import Run
from tests.cast import Cast
from tests.frontend.organiser.test_new_campaign import FORM, drop, perform
from tests.genmt_files import document, lines, output

ClientOf = Callable[[Account], Client]
NAMES = ("a", "b", "c")
DOCUMENTS = lines(*(document(name) for name in NAMES), document("a", target="jpn_Jpan"))
OUTPUTS = {
    "Heron": lines(*(output(name) for name in NAMES)),
    "Rook": lines(output("a", "<p>Eins. Zwei.</p>"), output("b", "FAILED"), output("c", "<p>1</p><p>2</p><p>3</p>")),
}
PAIR = {"genmt-pair": "eng_Latn-deu_Latn|WMT26", "genmt-split": "auto"}


@pytest.fixture
def client(cast: Cast, client_of: ClientOf, settings: Settings, tmp_path: Path) -> Client:
    settings.UPLOAD_DIR = tmp_path / "uploads"
    return client_of(cast.organiser)


@pytest.fixture
def read(client: Client) -> Run:
    """The files, dropped and read."""
    drop(client, ("wmt26.jsonl", DOCUMENTS), *((f"{name}.en-de.jsonl", text) for name, text in OUTPUTS.items()))
    return perform()


def address_of(run: Run) -> str:
    return f"/new-campaign/uploads/{run.arguments['upload']}/"


def choose(client: Client, run: Run, **more: str) -> str:
    client.post(address_of(run), PAIR | more)
    perform()
    return str(client.get(address_of(run)).content.decode())


def test_the_content_tells_documents_from_outputs(read: Run) -> None:
    sides = [(file["side"], file["side_name"]) for file in read.arguments["files"]]
    assert sides == [("whole", ""), ("system", "Heron"), ("system", "Rook")]


def test_several_pairs_are_a_question_and_not_an_error(client: Client, read: Run) -> None:
    page = client.get(address_of(read)).content.decode()
    assert "These files have several language pairs" in page
    assert "English to German, WMT26: 3 documents" in page
    assert "English to Japanese, WMT26: 1 document<" in page
    assert "cannot be used" not in page
    refused = client.post("/new-campaign/", FORM | {"upload": read.arguments["upload"]})
    assert refused.status_code == 422
    assert "Choose a language pair of the files" in refused.content.decode()


def test_the_chosen_pair_is_read_and_its_languages_suggested(client: Client, read: Run) -> None:
    page = choose(client, read)
    assert "wmt-genmt: 2 systems, 0 references, 3 documents, 6 segments" in page
    assert '<option value="eng_Latn-deu_Latn|WMT26" selected>' in page
    assert 'data-suggest="target_language" data-value="de"' in page
    assert "Documents of other language pairs, left out: 1." in page
    assert "Documents without an output (FAILED or empty), each a gap of its system: Rook 1." in page


def test_each_realigned_document_is_shown_and_has_to_be_confirmed(client: Client, read: Run) -> None:
    page = choose(client, read)
    assert "Confirm 2 documents with other paragraphs than their source" in page
    assert "1 paragraph, split into 2" in page
    assert "3 paragraphs, merged into 2" in page
    boxes = dict.fromkeys(re.findall(r'name="(realigned-[0-9a-f]+)"', page), "on")
    assert len(boxes) == 2
    wish = FORM | PAIR | {"upload": read.arguments["upload"]}
    first = dict([next(iter(boxes.items()))])
    for ticked, sentence in (({}, "2 documents are not confirmed"), (first, "1 document is not confirmed")):
        refused = client.post("/new-campaign/", wish | ticked)
        assert refused.status_code == 422
        assert sentence in refused.content.decode()
        assert refused.content.decode().count("data-with-post checked> <span><bdi>") == len(ticked)
    assert not TestSet.objects.filter(name=FORM["name"]).exists()
    assert client.post("/new-campaign/", wish | boxes).status_code == 302
    perform()
    test_set = Campaign.objects.get(name=FORM["name"]).test_set
    assert (test_set.format, test_set.gaps) == ("wmt-genmt", {"Rook": 2})
    own = Translation.objects.filter(system__name="Rook", segment__document__name="a", system__test_set=test_set)
    assert list(own.order_by("segment__position").values_list("text", flat=True)) == ["<p>Eins. ", "Zwei.</p>"]


def test_the_sums_say_what_is_left_to_confirm(client: Client, read: Run) -> None:
    wish = FORM | {"upload": read.arguments["upload"]}
    assert "The language pair of the files." in client.get("/new-campaign/sums/", wish).content.decode()
    choose(client, read)
    assert "to be confirmed: 2." in client.get("/new-campaign/sums/", wish | PAIR).content.decode()


def test_a_pair_that_was_changed_and_not_read_again_is_read_first(client: Client, read: Run) -> None:
    choose(client, read)
    other = {"genmt-pair": "eng_Latn-jpn_Jpan|WMT26", "genmt-split": "auto", "target_language": "ja"}
    refused = client.post("/new-campaign/", FORM | other | {"upload": read.arguments["upload"]})
    assert refused.status_code == 422
    assert "has no output for a document of eng_Latn-jpn_Jpan" in str(perform().result)


def test_languages_that_are_not_those_of_the_pair_are_refused(client: Client, read: Run) -> None:
    choose(client, read)
    wish = FORM | PAIR | {"upload": read.arguments["upload"], "target_language": "fr"}
    assert "The files are in German." in client.post("/new-campaign/", wish).content.decode()


def test_many_realigned_documents_are_confirmed_together(
    client: Client, read: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exchange.genmt_findings.REALIGNED_SHOWN", 1)
    page = choose(client, read)
    assert len(re.findall(r'name="realigned-[0-9a-f]+"', page)) == 1
    assert 'name="realigned-others"' in page
