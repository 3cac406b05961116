"""Files of judgments are recognised by what is in them; of an unknown one it is said what it lacks of each format."""

import gzip
import io
import json
import shutil
import zipfile
from pathlib import Path

from django.core.management import call_command

import pytest

from campaigns.models import Campaign
from exchange.exports import FORMATS as EXPORTS
from exchange.exports import export_rows
from exchange.judgment_files import import_judgments
from exchange.judgment_formats import _MISSING, FORMATS, guessed_format, known_format
from exchange.reading import ImportFileError
from tests.cast import Cast
from tests.exchange.judged_campaign import judge_one_of_everything, mark_errors
from tests.metrics.real_campaigns import real_case

PUBLISHED = {
    "esa-wmt23-ende/240315rc5ESA.scores.csv.gz": "appraise-csv",
    "da-wmt22-calibration/WMT22.Appraise.calibrationHITs.eng-ces.eng-deu.csv.gz": "appraise-csv",
    "mqm-ted-ende/mqm_ted_ende.tsv.gz": "wmt-mqm-tsv",
    "mqm-wmt23-ende-three-raters/with_metadata.tsv.gz": "wmt-mqm-sxs",
    "mqm-wmt23-ende-three-raters/sxs_mqm_generalMT2023_ende.3ratingsPerSegment.tsv.gz": "wmt-mqm-sxs",
    "cesa-enja/annotations.json.gz": "pearmut",
    "genmt-wmt26-sample/pearmut-annotations.json": "pearmut",
    "genmt-wmt26-sample/pearmut-annotations.jsonl": "pearmut",
    "esa-wmt23-ende/en-de.ESA-1.seg.score": "mt-metrics-eval",
}
TEST_SETS = (
    "import-samples/table/three-documents.csv",
    "import-samples/table/three-documents.tsv",
    "import-samples/table/three-documents.jsonl",
    "import-samples/text/source.uk.txt",
    "import-samples/text/documents.txt",
    "import-samples/wmt-xml/wmttest2022.uk-en.three-documents.xml",
    "import-samples/appraise-json/esa.json",
    "genmt-wmt26-sample/wmt26-genmt.jsonl",
    "genmt-wmt26-sample/pearmut-campaign.json",
)
# formats of the export whose files are read again under this name
READ_AGAIN = {
    "csv": "assay-csv", "xlsx": "xlsx", "wmt-mqm-tsv": "wmt-mqm-tsv", "wmt-mqm-tsv-guarded": "wmt-mqm-tsv",
    "marot": "marot", "anthea": "anthea", "label-studio": "label-studio", "pearmut": "pearmut",
    "appraise-csv": "appraise-csv", "subset2evaluate": "subset2evaluate",
}  # fmt: skip


def at(folder: Path, name: str) -> Path:
    """The file under a name that says nothing."""
    path = folder / "file"
    published = real_case(name.partition("/")[0]).parent / name
    if published.suffix == ".gz":
        path.write_bytes(gzip.decompress(published.read_bytes()))
    else:
        shutil.copy(published, path)
    return path


@pytest.mark.real_data
@pytest.mark.parametrize(("name", "format"), PUBLISHED.items())
def test_published_files_are_recognised_by_their_content(name: str, format: str, tmp_path: Path) -> None:
    assert guessed_format(at(tmp_path, name), "file") == format


@pytest.mark.real_data
@pytest.mark.parametrize("name", TEST_SETS)
def test_test_sets_and_campaigns_are_no_judgments(name: str, tmp_path: Path) -> None:
    assert known_format(at(tmp_path, name), "file") == ""


@pytest.mark.django_db
def test_what_is_exported_is_recognised(campaign: Campaign, cast: Cast, tmp_path: Path) -> None:
    mark_errors(campaign, cast.annotator)
    path = tmp_path / "file"
    for format, read_as in READ_AGAIN.items():
        if EXPORTS[format].refusals(campaign):
            continue
        path.write_bytes(b"".join(export_rows(campaign, format)))
        assert guessed_format(path, "file") == read_as, format


@pytest.mark.django_db
def test_scores_are_recognised(campaign: Campaign, cast: Cast, tmp_path: Path) -> None:
    judge_one_of_everything(campaign, cast.annotator, cast.second_annotator)
    path = tmp_path / "file"
    for format, read_as in READ_AGAIN.items():
        if not EXPORTS[format].refusals(campaign) and not EXPORTS[format].is_of_errors:
            path.write_bytes(b"".join(export_rows(campaign, format)))
            assert guessed_format(path, "file") == read_as, format
    for format, name, read_as in (
        ("wmt-genmt", "wmt-genmt-humeval.jsonl", "wmt-genmt"),
        ("mt-metrics-eval", ".seg.score", "mt-metrics-eval"),
    ):
        with zipfile.ZipFile(io.BytesIO(b"".join(export_rows(campaign, format)))) as zipped:
            member = next(each for each in zipped.namelist() if each.endswith(name))
            path.write_bytes(zipped.read(member))
        assert guessed_format(path, "file") == read_as, format


def test_every_format_is_tried() -> None:
    assert set(_MISSING) == set(FORMATS)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (json.dumps({"annotation": [], "scores": {}}), ("pearmut: no `item`", "wmt-genmt: no `doc_id`, `tgt_text`;")),
        ("system\tdoc\trater\ttarget\tcategory\n", ("wmt-mqm-tsv: no `severity`", "marot: no `severity`, `metadata`")),
        (
            "judgment,annotator,system\n",
            ("assay-csv: no `protocol`, `document`, `segment`, `kind`, `measure`, `value`",),
        ),
        ("anna,Heron,1,NEW,eng,deu,3\n", ("appraise-csv: no type of item (TGT, BAD, CHK, REF) in the fourth cell",)),
        ("Heron\tgood\n", ("mt-metrics-eval: no lines of system, tab, score or rating",)),
    ],
)
def test_an_unknown_file_says_what_it_lacks_of_each_format(content: str, told: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text(content)
    with pytest.raises(ImportFileError) as refused:
        guessed_format(path, "odd.txt")
    message = str(refused.value)
    assert message.startswith("odd.txt: These are no judgments of a format that Assay knows. Formats tried: ")
    for each in (*told, *(f"{name}: no " for name in FORMATS)):
        assert each in message


def test_a_file_of_another_kind_is_told_as_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"\x1f\x8b\x08")
    with pytest.raises(ImportFileError, match="compressed with gzip"):
        guessed_format(path, "file")


@pytest.mark.django_db
def test_the_command_names_what_it_took_the_file_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "file"
    path.write_text("anna,Heron,1,TGT,eng,deu,70,harbour,False,100.5,104.75\n")
    call_command("import_judgments", str(path), campaign="Harbour")
    assert "Read as appraise-csv." in capsys.readouterr().err
    campaign = Campaign.objects.get(name="Harbour")
    assert campaign.test_set.format == "appraise-csv"
    again = import_judgments(path, format="appraise-csv", name="Harbour")
    assert not again.created
