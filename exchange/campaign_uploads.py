"""Uploaded files that make a whole campaign, of another program or of judgments: described, and imported by a run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from annotation.protocols import PROTOCOLS
from campaigns.models import Account
from campaigns.reading.foreign_files import campaign_format_of, formats_tried, is_appraise_manifest
from campaigns.reading.problems import Problems
from exchange.campaign_imports import OnProgress, import_campaign
from exchange.campaign_readers import APPRAISE, PEARMUT, READERS
from exchange.formats.pearmut_campaign import ReadDocuments
from exchange.formats.ratings_writer import MERGED
from exchange.formats.seg_ratings import ENDING
from exchange.judgment_files import CampaignOutcome, Checked, FromCampaign, check_file, import_judgments
from exchange.judgment_formats import guessed_format, known_format
from exchange.read_campaigns import CampaignSource, ReadCampaign
from exchange.reading import ImportFileError
from exchange.staging.judgments import staged_judgments
from exchange.test_set_files import beginning
from exchange.upload_folders import files_here
from jobs.models import Run
from jobs.run_kinds import InvalidRun, RunFailed, RunKind

PROGRAMS = {PEARMUT: "Pearmut", APPRAISE: "Appraise"}


@dataclass(frozen=True)
class FoundCampaign:
    """`read` is None where the problems say why it cannot be imported."""

    read: ReadCampaign | None
    problems: Problems
    format: str

    @property
    def documents(self) -> ReadDocuments | None:
        return self.read.documents if self.read else None

    @property
    def languages(self) -> dict[str, str]:
        """Those that the file names."""
        return _sides_of(*self.read.languages.split("-", 1)) if self.read else {}

    def as_json(self) -> dict[str, Any] | None:
        """What the page says about it: a sentence with counts, and what is left out."""
        if self.read is None:
            return None
        report = self.read.as_report()
        sentence = _(
            "%(program)s campaign, %(protocol)s. Annotators: %(annotators)d. Documents: %(documents)d. Systems: "
            "%(systems)d. Practice: %(practice)d. Attention checks: %(checks)d."
        )
        counts = {name: report[name] for name in ("annotators", "documents", "practice")}
        counts |= {
            "systems": len(report["systems"]),
            "checks": report["attention_checks"],
        }
        counts |= {"program": PROGRAMS[self.format]}
        title = PROTOCOLS[report["protocol"]].title
        told = sentence % {"protocol": title, **counts}
        if controls := self.read.documents.controls:
            told += " " + _("Control items: %(count)d.") % {"count": controls}
        return {"sentence": told, "notes": report["notes"]}


@dataclass(frozen=True)
class FoundJudgments:
    """A closed campaign is made of them; `checked` is None where the problems say why it cannot be."""

    checked: Checked | None
    problems: Problems
    format: str

    @property
    def documents(self) -> None:
        """Texts are only stored with their judgments."""

    @property
    def languages(self) -> dict[str, str]:
        """Those that the file names."""
        return _sides_of(*self.checked.languages) if self.checked else {}

    def as_json(self) -> dict[str, Any] | None:
        if self.checked is None:
            return None
        report = self.checked.report
        sentence = _(
            "Judgments (%(format)s), %(protocol)s: %(judgments)d. Annotators: %(annotators)d. Systems: %(systems)d. "
            "Documents: %(documents)d. Segments: %(segments)d."
        )
        counts = {name: report[name] for name in ("judgments", "annotators", "systems", "documents", "segments")}
        told = sentence % {"format": self.format, "protocol": PROTOCOLS[self.checked.protocol].title, **counts}
        return {"sentence": told + " " + _("They make a campaign that is closed."), "notes": report["notes"]}


def _sides_of(source: str, target: str = "") -> dict[str, str]:
    return {"source": source, "target": target} if source and target else {}


def _chosen(files: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    """The language pair that was chosen of a file with several."""
    pair = next((str(pair) for file in files if (pair := file.get("genmt", {}).get("pair"))), "")
    source, _hyphen, target = pair.partition("-")
    return (source, target) if source and target else ("", "")


def found_campaign(files: Sequence[Mapping[str, Any]]) -> FoundCampaign | FoundJudgments | None:
    """None if the files are no campaign and no judgments."""
    parts = _parts(files)
    if parts is not None:
        problems = Problems()
        source = replace(parts[1], languages=_chosen(files))
        return FoundCampaign(READERS[parts[0]](source, problems), problems, parts[0])
    judged = _judgments(files)
    if judged is None:
        return None
    with staged_judgments() as staged:
        try:
            languages = _chosen(files)
            checked = check_file(
                staged, judged.path, format=judged.format, languages=languages, of=judged.of, file_name=judged.name
            )
        except ImportFileError as error:
            return FoundJudgments(None, error.problems, judged.format)
    return FoundJudgments(checked, Problems(pairs=list(checked.pairs)), judged.format)


def _parts(files: Sequence[Mapping[str, Any]]) -> tuple[str, CampaignSource] | None:
    """The format and the file; a manifest of Appraise may be beside its batches."""
    begins = _beginnings(files)
    whole = [path for path, begin in begins.items() if campaign_format_of(begin)]
    manifests = [path for path, begin in begins.items() if path not in whole and is_appraise_manifest(begin)]
    if len(whole) != 1 or len(whole) + len(manifests) < len(files) or len(manifests) > 1:
        return None
    name = next(file["name"] for file in files if Path(file["path"]) == whole[0])
    source = CampaignSource(whole[0], name, manifest=manifests[0] if manifests else None)
    return campaign_format_of(begins[whole[0]]), source


def _beginnings(files: Sequence[Mapping[str, Any]]) -> dict[Path, str]:
    return {Path(file["path"]): beginning(Path(file["path"])) for file in files if Path(file["path"]).is_file()}


class _Judged(NamedTuple):
    path: Path
    name: str
    format: str
    of: FromCampaign


def _judgments(files: Sequence[Mapping[str, Any]], campaign_id: str = "") -> _Judged | None:
    """A file of them, alone or beside the campaign of Pearmut that they are of; or ratings with those of all raters."""
    begins = _beginnings(files)
    campaigns = [path for path, begin in begins.items() if campaign_format_of(begin) == PEARMUT]
    others = [file for file in files if Path(file["path"]) in begins and Path(file["path"]) not in campaigns]
    if len(others) > 1 and all(file["name"].endswith(ENDING) for file in others):
        # their own are read from beside it, where a ZIP file was unpacked
        others = [file for file in others if file["name"].endswith(f".{MERGED}{ENDING}") and "inner" in file]
    if len(others) != 1 or len(campaigns) > 1:
        return None
    path, name = Path(others[0]["path"]), others[0]["name"]
    format = known_format(path, name)
    if not format or (campaigns and format != PEARMUT):
        return None
    return _Judged(path, name, format, FromCampaign(campaigns[0] if campaigns else None, campaign_id))


def perform_import(run: Run, on_progress: OnProgress) -> dict[str, Any]:
    arguments = {**run.arguments, "files": files_here(run.arguments["files"])}
    if not all(Path(file["path"]).is_file() for file in arguments["files"]):
        raise RunFailed(_("The file is no longer here. Upload it again."))
    try:
        outcome = _imported(arguments, run.created_by, on_progress)
    except ImportFileError as error:
        raise RunFailed(str(error)) from error
    if not outcome.created:
        raise RunFailed(_("A campaign was made from this very file before, under this name."))
    return {"campaign": outcome.campaign.slug, "report": outcome.report}


def _imported(arguments: Mapping[str, Any], by: Account | None, on_progress: OnProgress) -> CampaignOutcome:
    languages = (arguments["source_language"], arguments["target_language"])
    campaign_id = arguments.get("campaign_id", "")
    if parts := _parts(arguments["files"]):
        source = replace(parts[1], languages=languages, campaign_id=campaign_id)
        return import_campaign(source, format=parts[0], name=arguments["name"], created_by=by, on_progress=on_progress)
    judged = _judgments(arguments["files"], campaign_id)
    if judged is None:
        raise _unknown(arguments["files"])
    return import_judgments(
        judged.path,
        format=judged.format,
        name=arguments["name"],
        protocol=arguments.get("judged_as") or None,
        source_language=languages[0],
        target_language=languages[1],
        of=judged.of,
        file_name=judged.name,
        created_by=by,
        on_progress=on_progress,
    )


def _unknown(files: Sequence[Mapping[str, Any]]) -> ImportFileError:
    if len(files) > 1:
        return ImportFileError(_("Judgments come in alone, or beside the campaign of Pearmut that they are of."))
    path = Path(files[0]["path"])
    reasons = [_("This is no campaign of Pearmut and none of Appraise."), formats_tried(beginning(path))]
    try:
        guessed_format(path, files[0]["name"])
    except ImportFileError as error:
        reasons.append(str(error))
    return ImportFileError(*filter(None, reasons))


def _check_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    needed = ("files", "name", "source_language", "target_language")
    if not all(arguments.get(name) for name in needed):
        raise InvalidRun("Give a file, the name of the new campaign and its languages.")
    return dict(arguments)


CAMPAIGN_IMPORT = RunKind(_check_arguments, perform_import)
