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


def fields(key: str, *parts: str) -> dict[str, str]:
    return {f"mended-{key}-{place}": part for place, part in enumerate(parts)}


def keys_on(page: str) -> list[str]:
    return re.findall(r'name="realigned-([0-9a-f]+)"', page)


def test_boundaries_are_moved_by_a_sentence(client: Client, read: Run) -> None:
    first, _second = keys_on(choose(client, read))
    place = f"{address_of(read)}realigned/{first}/"
    opened = client.post(place, {"action": "open"}).content.decode()
    assert re.findall(r"data-with-post>\n(.*)</textarea>", opened) == ["&lt;p&gt;Eins. ", "Zwei.&lt;/p&gt;"]
    assert 'lang="de"' in opened
    typed = fields(first, "<p>Eins.", "Zwei.</p>")
    moved = client.post(place, {"action": "down-0"} | typed).content.decode()
    assert re.findall(r"data-with-post>\n(.*)</textarea>", moved) == ["", "&lt;p&gt;Eins. Zwei.&lt;/p&gt;"]
    assert "textarea" not in client.post(place, {"action": "close"} | typed).content.decode()
    assert client.post(f"{address_of(read)}realigned/{'0' * 16}/", {"action": "open"}).status_code == 404


def test_mended_parts_are_kept_confirmed_and_stored(client: Client, read: Run) -> None:
    first, second = keys_on(choose(client, read))
    page = choose(client, read, **fields(first, "", "<p>Eins. Zwei.</p>"), **{f"realigned-{second}": "on"})
    assert "divided into 2 by hand" in page
    assert "Of these, mended by hand: 1." in page
    assert keys_on(page) == [second]
    assert "data-with-post checked> <span><bdi>" in page
    wish = FORM | PAIR | {"upload": read.arguments["upload"], f"realigned-{second}": "on"}
    assert client.post("/new-campaign/", wish).status_code == 302
    perform()
    test_set = Campaign.objects.get(name=FORM["name"]).test_set
    own = Translation.objects.filter(system__name="Rook", segment__document__name="a", system__test_set=test_set)
    assert list(own.order_by("segment__position").values_list("text", flat=True)) == ["", "<p>Eins. Zwei.</p>"]
    assert [each["how"] for each in test_set.report["genmt"]["realigned"]] == ["mended", "merged"]


def test_a_mended_document_goes_back_to_the_proposal(client: Client, read: Run) -> None:
    first, second = keys_on(choose(client, read))
    page = choose(client, read, **fields(first, "", "<p>Eins. Zwei.</p>"), **{f"realigned-{second}": "on"})
    [mended] = re.findall(r'name="proposal" value="([0-9a-f]+)"', page)
    page = choose(client, read, proposal=mended)
    assert keys_on(page) == [first, second]
    assert "by hand" not in re.sub(r"Mend by hand|mend it by hand", "", page)
    assert keys_on(choose(client, read, proposal="0" * 16)) == [first, second]


def test_changed_words_are_named_and_nothing_typed_is_lost(client: Client, read: Run) -> None:
    first, second = keys_on(choose(client, read))
    typed = fields(first, "<p>Eins.", "Drei.</p>") | fields(second, "<p>1</p>", "<p>2</p>")
    refused = client.post(address_of(read), PAIR | typed)
    page = refused.content.decode()
    assert refused.status_code == 422
    assert "Missing: “Zwei”. Added: “Drei”." in page
    assert "Missing: “&lt;p&gt;3&lt;/p&gt;”." in page
    assert "Drei.&lt;/p&gt;</textarea>" in page
    wish = FORM | PAIR | {"upload": read.arguments["upload"], f"realigned-{first}": "on", f"realigned-{second}": "on"}
    refused = client.post("/new-campaign/", wish | typed)
    assert refused.status_code == 422
    assert "Rook, c: The parts must have" in refused.content.decode()
    assert "Drei.&lt;/p&gt;</textarea>" in refused.content.decode()
    mended = fields(first, "", "<p>Eins. Zwei.</p>") | fields(second, "", "<p>1</p><p>2</p><p>3</p>")
    assert client.post("/new-campaign/", FORM | PAIR | {"upload": read.arguments["upload"]} | mended).status_code == 302
    perform()
    report = Campaign.objects.get(name=FORM["name"]).test_set.report["genmt"]
    assert [each["how"] for each in report["realigned"]] == ["mended", "mended"]


def test_what_was_mended_and_fits_no_more_is_said(client: Client, read: Run) -> None:
    first, second = keys_on(choose(client, read))
    choose(client, read, **fields(first, "", "<p>Eins. Zwei.</p>"), **{f"realigned-{second}": "on"})
    page = choose(client, read, **{"genmt-split": "none"})
    assert "Mended by hand, but not fitting what is read now, so left out: Rook a." in page
    assert "divided into 2 by hand" in choose(client, read)


def test_a_long_part_is_shown_whole_in_its_field(client: Client, read: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exchange.genmt_findings.PART_SHOWN", 4)
    page = choose(client, read)
    assert "&lt;p&gt;E…" in page
    opened = client.post(f"{address_of(read)}realigned/{keys_on(page)[0]}/", {"action": "open"}).content.decode()
    assert "&lt;p&gt;Eins. </textarea>" in opened
