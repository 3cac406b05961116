"""An uploaded campaign of another program: recognised, described, and imported by a run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from annotation.protocols import PROTOCOLS
from campaigns.reading.foreign_files import campaign_format_of, formats_tried, is_appraise_manifest
from campaigns.reading.problems import Problems
from exchange.campaign_imports import OnProgress, import_campaign
from exchange.campaign_readers import APPRAISE, PEARMUT, READERS
from exchange.read_campaigns import CampaignSource, ReadCampaign
from exchange.reading import ImportFileError
from exchange.test_set_files import beginning
from jobs.models import Run
from jobs.run_kinds import InvalidRun, RunFailed, RunKind

PROGRAMS = {PEARMUT: "Pearmut", APPRAISE: "Appraise"}


@dataclass(frozen=True)
class FoundCampaign:
    """`read` is None where the problems say why it cannot be imported."""

    read: ReadCampaign | None
    problems: Problems
    format: str

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
            told = f"{told} {_('Control items: %(count)d.') % {'count': controls}}"
        return {"sentence": told, "notes": report["notes"]}


def found_campaign(files: Sequence[Mapping[str, Any]]) -> FoundCampaign | None:
    """None if the files are no campaign of another program."""
    parts = _parts(files)
    if parts is None:
        return None
    problems = Problems()
    return FoundCampaign(READERS[parts[0]](parts[1], problems), problems, parts[0])


def _parts(files: Sequence[Mapping[str, Any]]) -> tuple[str, CampaignSource] | None:
    """The format and the file; a manifest of Appraise may be beside its batches."""
    begins = {Path(file["path"]): beginning(Path(file["path"])) for file in files if Path(file["path"]).is_file()}
    whole = [path for path, begin in begins.items() if campaign_format_of(begin)]
    manifests = [path for path, begin in begins.items() if path not in whole and is_appraise_manifest(begin)]
    if len(whole) != 1 or len(whole) + len(manifests) < len(files) or len(manifests) > 1:
        return None
    name = next(file["name"] for file in files if Path(file["path"]) == whole[0])
    source = CampaignSource(whole[0], name, manifest=manifests[0] if manifests else None)
    return campaign_format_of(begins[whole[0]]), source


def perform_import(run: Run, on_progress: OnProgress) -> dict[str, Any]:
    arguments = run.arguments
    parts = _parts(arguments["files"])
    if parts is None and not all(Path(file["path"]).is_file() for file in arguments["files"]):
        raise RunFailed(_("The file is no longer here. Upload it again."))
    if parts is None:
        begin = beginning(Path(arguments["files"][0]["path"]))
        raise RunFailed(f"{_('This is no campaign of Pearmut and none of Appraise.')} {formats_tried(begin)}")
    languages = (arguments["source_language"], arguments["target_language"])
    source = replace(parts[1], languages=languages, campaign_id=arguments.get("campaign_id", ""))
    try:
        outcome = import_campaign(
            source,
            format=parts[0],
            name=arguments["name"],
            created_by=run.created_by,
            on_progress=on_progress,
        )
    except ImportFileError as error:
        raise RunFailed(str(error)) from error
    if not outcome.created:
        raise RunFailed(_("A campaign was made from this very file before, under this name."))
    return {"campaign": outcome.campaign.slug, "report": outcome.report}


def _check_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    needed = ("files", "name", "source_language", "target_language")
    if not all(arguments.get(name) for name in needed):
        raise InvalidRun("Give a file, the name of the new campaign and its languages.")
    return dict(arguments)


PEARMUT_CAMPAIGN = RunKind(_check_arguments, perform_import)
