"""Whatever file comes: it is stored whole, or refused in the import's own words with nothing stored. Never an error."""

import os
import random
from pathlib import Path
from typing import Any

from django.db import transaction

import pytest

from annotation.protocols import protocol_for
from campaigns.models import Campaign, TestSet
from campaigns.new_people import check_people
from campaigns.reading.people_list import read_people
from exchange.campaign_imports import import_campaign
from exchange.formats.metric_scores import ScoreFile
from exchange.formats.parallel_text import ImportFiles
from exchange.formats.practice_lines import read_practice
from exchange.judgment_files import import_judgments
from exchange.read_campaigns import CampaignSource
from exchange.reading import ImportFileError
from exchange.score_files import import_scores
from exchange.test_set_files import import_test_set, inspect
from exchange.uploaded_files import _as_json
from jobs.models import Run
from tests import sound_files
from tests.genmt_files import document, lines, output
from tests.hostile_files import (
    Importer,
    broken,
    in_json_lines,
    in_lines,
    in_sheet,
    in_table,
    in_text,
    row_counts,
    whole_files,
)
from tests.plugins.drawing import Draw
from tests.sample_test_set import WOMBAT
from tests.sound_files import sheet

pytestmark = pytest.mark.django_db
SAMPLED = int(os.environ.get("ASSAY_HOSTILE_SAMPLE", "24"))  # of each importer's files with one thing wrong
PARTS = 10  # one of them in every whole suite

JSONL = (
    '{"document": "d", "segment": "1", "source": "It is late.", "references": {"A": "Es ist spät."}, "translations": '
    '{"Heron": "Spät."}, "domain": "news", "tags": ["t"], "title": "T", "suggested": {"Heron": [{"side": "target", '
    '"start": 0, "end": 2, "severity": "minor", "category": "accuracy"}]}}\n'
    '{"document": "d", "question": "When?", "choices": ["now", "later"], "accepted": ["later"], "name": "q"}\n'
)
TABLE = "document,segment,source,reference:A,system:Heron,domain,tags,title\nd,1,It is late.,Spät,So spät,news,t,T\n"
GENMT = lines(
    document(
        "a",
        video={"id": "v", "path": "a.mp4"},
        refs={"refA": {"ref": "<p>Eins.</p>"}, "refB": "<p>Eins.</p><p>Zwei.</p>"},
        evaluation_instruction="Read.",
    )
)
GENMT_OUTPUTS = lines(output("a", "<p>Eins. Zwei.</p>"))
QUESTIONS = "document,question,choices,accepted,name\nd,When?,now|later,later,q\n"
QUESTION_LINES = '{"document": "d", "question": "When?", "choices": ["now", "later"], "accepted": ["later"]}\n'
XML = (
    '<?xml version="1.0" encoding="UTF-8"?><dataset id="~x~"><doc id="~d~" origlang="~en~" domain="~n~" title="~t~">'
    '<src lang="~en~"><p><seg id="~1~">~It is late.~</seg></p></src><ref lang="de" translator="~A~"><seg id="1">~Es~'
    '</seg></ref><hyp system="~Heron~" lang="de"><seg id="1">~Spät~</seg></hyp><!-- ~c~ --></doc></dataset>\n'
)
XLIFF = (
    '<?xml version="1.0" encoding="UTF-8"?><xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file '
    'original="~d~" source-language="~en~" target-language="de" datatype="plaintext"><body><trans-unit id="~1~"><source'
    '>~It is~ <x id="~1~"/>late.</source><target>~Spät~</target><alt-trans origin="~Heron~"><target>~So~</target>'
    "</alt-trans></trans-unit></body></file></xliff>\n"
)
TMX = (
    '<?xml version="1.0"?><!DOCTYPE tmx SYSTEM "tmx14.dtd"><tmx version="1.4"><header srclang="~en~"/><body><tu tuid='
    '"~1~"><prop type="x-document">~d~</prop><tuv xml:lang="en"><seg>~It is~ <ph x="~1~">~n~</ph></seg></tuv><tuv '
    'xml:lang="~de~"><seg>~Spät~</seg></tuv></tu></body></tmx>\n'
)
ASSAY = (
    "judgment,annotator,protocol,document,segment,system,kind,measure,value,assignment,position,slot,revision,started,"
    "submitted,seconds,active_seconds,answer,source,translation,reference,domain,comment,surplus\n"
    'j1,anna,esa,d,1,Heron,regular,score,70,a,1,A,1,2026-11-03T08:30:00Z,2026-11-03T08:31:00Z,60,50,"{""slots"": '
    '{""A"": {""score"": 70, ""spans"": [{""side"": ""target"", ""start"": 0, ""end"": 2, ""severity"": ""minor""}]}}, '
    '""comment"": """", ""cannot_judge"": null}",It is late.,Es ist spät.,Spät,news,c,0\n'
)
LABEL_STUDIO = (
    '[{"id": 1, "data": {"document": "d", "segment": "1", "system": "Heron", "source": "It is.", "target": "Es ist."}, '
    '"annotations": [{"id": 7, "completed_by": {"id": 2, "email": "a@b.org"}, "created_at": "2026-11-03T08:30:00Z", '
    '"lead_time": 4.5, "result": [{"id": "r", "type": "labels", "from_name": "l", "to_name": "target", '
    '"value": {"start": 0, "end": 2, "text": "Es", "labels": ["accuracy"]}}, {"id": "r", "type": "choices", '
    '"value": {"choices": ["Minor"]}}, {"type": "number", "from_name": "score", "value": {"number": 70}}, '
    '{"type": "textarea", "value": {"text": ["c"]}}]}]}]\n'
)
APPRAISE = (
    'anna,Heron,1,TGT,eng,deu,70,doc#Heron,False,"[{""start_i"": 0, ""end_i"": 2, ""severity"": ""minor""}]",'
    "1700000000.0,1700000060.0\n"
)
MQM = (
    "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\tcomment\tmetadata\n"
    'Heron\td\t1\t1\tanna\tIt is late.\tEs <v>ist</v> spät.\tOmission\tMajor\tc\t{"timestamp": 1700000000000}\n'
)
EVALUATED = "Heron\t70\nHeron\tNone\nKestrel\t60\nKestrel\t50\n"
PRACTICE = (
    '{"source": "Talks resume.", "reference": "R", "translations": {"A": "Die Gespräche enden."}, "expected": {"A": '
    '{"score": [0, 40]}}, "feedback": "No."}\n'
)
PEOPLE = "name,email,languages,username,password\nAnna,anna@example.org,de en,annab,correct horse battery\n"
SCORES = f"system\tdocument\tsegment\tscore\n{WOMBAT}\tharbour\t1\t0.5\n"


def texts(path: Path) -> None:
    """Looked through as on the page, where what was found is stored, and imported."""
    report = inspect(ImportFiles(path=path))
    Run.objects.create(kind="inspection", result=_as_json(report)).delete()
    store(ImportFiles(path=path))


def store(files: ImportFiles) -> None:
    import_test_set(files, name="Hostile", source_language="en", target_language="de")


def questions(path: Path) -> None:
    store(ImportFiles(path=beside(path, "set.csv", TABLE), questions=path))


def parallel(path: Path) -> None:
    other = beside(path, "other.txt", "one\ntwo\n")
    store(ImportFiles(source=other, systems={"Heron": path}, references={"A": other}, documents=other))


def documents(path: Path) -> None:
    other = beside(path, "other.txt", "one\ntwo\n")
    store(ImportFiles(source=other, systems={"Heron": other}, documents=path))


def genmt(path: Path) -> None:
    files = ImportFiles(path=path, systems={"Heron": beside(path, "Heron.jsonl", GENMT_OUTPUTS)})
    Run.objects.create(kind="inspection", result=_as_json(inspect(files))).delete()
    store(files)


def genmt_outputs(path: Path) -> None:
    store(ImportFiles(path=beside(path, "genmt.jsonl", GENMT), systems={"Heron": path}))


def beside(path: Path, name: str, content: str) -> Path:
    other = path.with_name(name)
    other.write_text(content, encoding="utf-8")
    return other


def judgments(format: str) -> Any:
    return lambda path: import_judgments(path, format=format, name="Hostile")


def neighbour(path: Path) -> None:
    """The file is the list of documents beside scores."""
    home = path.parent
    for folder in ("human-scores", "documents"):
        (home / folder).mkdir(exist_ok=True)
    scores = home / "human-scores" / "en-de.esa.seg.score"
    scores.write_text(EVALUATED, encoding="utf-8")
    (home / "documents" / "en-de.docs").write_bytes(path.read_bytes())
    import_judgments(scores, format="mt-metrics-eval", name="Hostile")


class RefusedList(Exception):
    """Problems of a file come back as a list, not as an exception."""


def people(path: Path) -> None:
    """As a form hands it over: text in which bytes that are no UTF-8 are replaced."""
    listed, unreadable = read_people(path.read_bytes().decode("utf-8", "replace"))
    if problems := [*unreadable, *check_people(listed, None)]:
        raise RefusedList("\n".join(map(str, problems)))


def scores(path: Path) -> None:
    import_scores(ScoreFile(path=path, metric="Sage"), test_set=TestSet.objects.get())


def ratings(path: Path) -> None:
    home = path.parent / "human-scores"
    home.mkdir(exist_ok=True)
    named = home / "en-de.mqm.merged.seg.rating"
    named.write_bytes(path.read_bytes())
    import_judgments(named, format="mt-metrics-eval-ratings", name="Hostile")


def whole_campaign(format: str) -> Any:
    """As texts alone, too."""

    def load(path: Path) -> None:
        files = ImportFiles(path=path)
        inspect(files, format=format)
        import_campaign(CampaignSource(path, path.name, ("en", "de")), format=format, name="Hostile")

    return load


def guessed(path: Path) -> None:
    import_judgments(path, name="Hostile")


def of_other_programs(of: Any) -> dict[str, Importer]:
    table = [row.split(",") for row in TABLE.splitlines()]
    judged: list[list[str | float]] = [
        ["judgment", "annotator", "protocol", "document", "segment", "system", "kind", "measure", "value"],
        ["j1", "anna", "direct_assessment", "d", "1", "Heron", "regular", "score", 70],
    ]
    return {
        "marot": of(".tsv", sound_files.MAROT, judgments("marot"), in_lines),
        "wmt-mqm-sxs": of(".tsv", sound_files.SIDE_BY_SIDE, judgments("wmt-mqm-sxs"), in_lines),
        "anthea": of(".tsv", sound_files.ANTHEA, judgments("anthea"), in_lines),
        "mt-metrics-eval-ratings": of(".seg.rating", sound_files.RATINGS, ratings, in_lines),
        "subset2evaluate": of(".jsonl", sound_files.SUBSET, judgments("subset2evaluate"), in_json_lines),
        "scores of wmt-genmt": of(".jsonl", sound_files.GENMT_SCORES, judgments("wmt-genmt"), in_json_lines),
        "pearmut": of(".json", sound_files.PEARMUT, judgments("pearmut"), in_json_lines),
        "campaign of pearmut": of(".json", sound_files.PEARMUT_CAMPAIGN, whole_campaign("pearmut"), in_json_lines),
        "appraise-json": of(".json", sound_files.BATCHES, whole_campaign("appraise-json"), in_json_lines),
        "judgments of unknown format": of(".tsv", sound_files.MAROT, guessed, in_lines),
        "xlsx": Importer(".xlsx", sheet(*table), texts, (ImportFileError,), in_sheet(*table)),
        "judgments in a workbook": Importer(
            ".xlsx", sheet(*judged), judgments("xlsx"), (ImportFileError,), in_sheet(*judged)
        ),
    }


def importers() -> dict[str, Importer]:
    refused = (ImportFileError,)

    def of(suffix: str, sound: str, load: Any, mutants: Any, refusal: Any = refused) -> Importer:
        return Importer(suffix, sound.encode(), load, refusal, mutants)

    return {
        "jsonl": of(".jsonl", JSONL, texts, in_json_lines),
        "csv": of(".csv", TABLE, texts, in_table(",")),
        "tsv": of(".tsv", TABLE.replace(",", "\t"), texts, in_table("\t")),
        "wmt-xml": of(".xml", XML, texts, in_text),
        "xliff": of(".xlf", XLIFF, texts, in_text),
        "tmx": of(".tmx", TMX, texts, in_text),
        "wmt-genmt": of(".jsonl", GENMT, genmt, in_json_lines),
        "outputs of wmt-genmt": of(".jsonl", GENMT_OUTPUTS, genmt_outputs, in_json_lines),
        "text": of(".txt", "~eins~\n~zwei~\n", parallel, in_text),
        "documents of a text": of(".txt", "~eins~\n~zwei~\n", documents, in_text),
        "questions": of(".csv", QUESTIONS, questions, in_table(",")),
        "question lines": of(".jsonl", QUESTION_LINES, questions, in_json_lines),
        "assay-csv": of(".csv", ASSAY, judgments("assay-csv"), in_table(",")),
        "label-studio": of(".json", LABEL_STUDIO, judgments("label-studio"), in_json_lines),
        "appraise-csv": of(".csv", APPRAISE, judgments("appraise-csv"), in_table(",", has_header=False)),
        "wmt-mqm-tsv": of(".tsv", MQM, judgments("wmt-mqm-tsv"), in_table("\t")),
        "mt-metrics-eval": of(
            ".esa.seg.score", EVALUATED, judgments("mt-metrics-eval"), in_table("\t", has_header=False)
        ),
        "documents of scores": of(".docs", "news\tone\nnews\ttwo\n", neighbour, in_table("\t", has_header=False)),
        "practice": of(
            ".jsonl",
            PRACTICE,
            lambda path: read_practice(path, path.name, protocol_for("direct_assessment", {})),
            in_json_lines,
            (ImportFileError,),
        ),
        **of_other_programs(of),
        "people": of(".csv", PEOPLE, people, in_table(","), (RefusedList,)),
        "metric scores": of(".seg.score", SCORES, scores, in_table("\t"), (ImportFileError,)),
    }


IMPORTERS = importers()


def outcome(importer: Importer, content: bytes, folder: Path) -> str | None:
    """What it was refused with; None where it was stored, which is then taken back."""
    path = folder / f"hostile{importer.suffix}"
    path.write_bytes(content)
    before = row_counts()
    try:
        with transaction.atomic():
            importer.load(path)
            transaction.set_rollback(True)
    except importer.refusal as refusal:
        assert row_counts() == before
        return str(refusal)
    return None


@pytest.mark.parametrize("name", IMPORTERS)
def test_a_sound_file_is_taken(name: str, campaign: Campaign, tmp_path: Path) -> None:
    importer = IMPORTERS[name]
    sound = importer.sound if importer.suffix == ".xlsx" else importer.sound.replace(b"~", b"")
    assert outcome(importer, sound, tmp_path) is None


@pytest.mark.parametrize("name", IMPORTERS)
def test_a_file_of_another_kind_is_refused_in_words(name: str, campaign: Campaign, tmp_path: Path, drawn: Draw) -> None:
    failed = []
    for what, content in drawn(list(whole_files().items()), PARTS):
        try:
            refusal = outcome(IMPORTERS[name], content, tmp_path)
        except Exception as error:
            failed.append(f"{what}: {type(error).__name__}: {str(error)[:200]}")
            continue
        if refusal is not None and len(refusal) > 400_000:
            failed.append(f"{what}: a refusal of {len(refusal)} characters")
    assert not failed, "\n".join(failed)


@pytest.mark.parametrize("name", IMPORTERS)
def test_a_file_that_suffered_on_its_way_is_stored_or_refused(
    name: str, campaign: Campaign, tmp_path: Path, drawn: Draw
) -> None:
    failed = []
    for what, content in drawn(list(broken(IMPORTERS[name].sound)), PARTS):
        try:
            outcome(IMPORTERS[name], content, tmp_path)
        except Exception as error:
            failed.append(f"{what}: {type(error).__name__}: {str(error)[:200]}")
    assert not failed, "\n".join(failed)


@pytest.mark.parametrize("name", IMPORTERS)
def test_one_thing_wrong_is_stored_or_refused_but_never_an_error(
    name: str, campaign: Campaign, tmp_path: Path, drawn: Draw
) -> None:
    importer = IMPORTERS[name]
    mutants = list(importer.mutants(importer.sound))
    failed = []
    for what, content in drawn(random.Random(7).sample(mutants, min(SAMPLED, len(mutants))), PARTS):
        try:
            outcome(importer, content, tmp_path)
        except Exception as error:
            failed.append(f"{what}: {type(error).__name__}: {str(error)[:200]}")
    assert not failed, f"{len(failed)} of {len(mutants)}\n" + "\n".join(failed)
