"""An uploaded campaign of Pearmut: recognised, described, and imported by a run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from annotation.protocols import PROTOCOLS
from campaigns.reading.foreign_files import campaign_format_of
from campaigns.reading.problems import Problems
from exchange.campaign_imports import OnProgress, import_campaign
from exchange.campaign_readers import READERS
from exchange.read_campaigns import CampaignSource, ReadCampaign
from exchange.reading import ImportFileError
from exchange.test_set_files import beginning
from jobs.models import Run
from jobs.run_kinds import InvalidRun, RunFailed, RunKind


@dataclass(frozen=True)
class FoundCampaign:
    """`read` is None where the problems say why it cannot be imported."""

    read: ReadCampaign | None
    problems: Problems

    def as_json(self) -> dict[str, Any] | None:
        """What the page says about it: a sentence with counts, and what is left out."""
        if self.read is None:
            return None
        report = self.read.as_report()
        sentence = _(
            "Pearmut campaign, %(protocol)s. Annotators: %(annotators)d. Documents: %(documents)d. Systems: "
            "%(systems)d. Practice: %(practice)d. Attention checks: %(checks)d."
        )
        counts = {name: report[name] for name in ("annotators", "documents", "practice")}
        counts |= {"systems": len(report["systems"]), "checks": report["attention_checks"]}
        title = PROTOCOLS[report["protocol"]].title
        return {"sentence": sentence % {"protocol": title, **counts}, "notes": report["notes"]}


def found_campaign(files: Sequence[Mapping[str, Any]]) -> FoundCampaign | None:
    """None if the files are no campaign of Pearmut."""
    path = Path(files[0]["path"]) if len(files) == 1 else None
    if path is None or not path.is_file():
        return None
    format = campaign_format_of(beginning(path))
    if not format:
        return None
    problems = Problems()
    return FoundCampaign(READERS[format](CampaignSource(path, files[0]["name"]), problems), problems)


def perform_import(run: Run, on_progress: OnProgress) -> dict[str, Any]:
    arguments = run.arguments
    file = arguments["files"][0]
    path = Path(file["path"])
    if not path.is_file():
        raise RunFailed(_("The file is no longer here. Upload it again."))
    try:
        outcome = import_campaign(
            CampaignSource(
                path,
                file["name"],
                (arguments["source_language"], arguments["target_language"]),
                arguments.get("campaign_id", ""),
            ),
            format=campaign_format_of(beginning(path)),
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
