"""What was read of a file that holds a whole campaign, of whatever program, and what is said about it."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from campaigns.actions.media import MediumFile
from campaigns.actions.test_sets import SegmentRecord
from exchange.formats.pearmut_campaign import (
    DYNAMIC,
    KEPT,
    MEDIA_KINDS,
    NAMELESS,
    NO_RULE,
    NOT_SUGGESTED,
    OTHER_TUTORIALS,
    REFUSED,
    SHOWN_AGAIN,
    ReadDocuments,
)
from exchange.formats.pearmut_info import Info


@dataclass(frozen=True)
class CampaignSource:
    """A file, what of it is asked for, and what lies beside it."""

    path: Path
    name: str
    languages: tuple[str, str] = ("", "")
    campaign_id: str = ""
    assets: Path | None = None
    manifest: Path | None = None


@dataclass
class ReadCampaign:
    """Everything that a file says; `media` are the files found for it, `missing` the paths without one.

    `gives_screens`: it says whose each list of screens is; `redundancy`: how many people judge each list; `languages`:
    the pair that it names.
    """

    campaign_id: str
    info: Info
    documents: ReadDocuments
    media: list[MediumFile] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    redundancy: int = 1
    asks_documents: bool = False
    gives_screens: bool = True
    languages: str = ""

    @property
    def is_contrastive(self) -> bool:
        return self.info.is_contrastive

    @property
    def is_exact(self) -> bool:
        """Whether its screens are those of the file."""
        return self.info.assignment != DYNAMIC and self.systems_per_screen <= self.info.most_systems

    @property
    def systems_per_screen(self) -> int:
        widths = [len(screen.systems) for screens in self.documents.screens for screen in screens]
        return self.info.systems_per_screen or max(widths, default=1)

    def as_report(self) -> dict[str, Any]:
        read, info = self.documents, self.info
        kinds = Counter(MEDIA_KINDS[medium.kind] for medium in read.media.values())
        return {
            "campaign_id": self.campaign_id,
            "assignment": info.assignment,
            "protocol": info.protocol,
            "documents": len(read.documents),
            "segments": len(read.segments),
            "screens": sum(map(len, read.screens)),
            "systems": sorted(read.systems),
            "annotators": info.people,
            "practice": len(read.practice),
            "forms": read.forms,
            "attention_checks": len(read.checks),
            "tags": [name for name, _title in info.tags],
            "systems_per_screen": self.systems_per_screen,
            "media": {"images": kinds["images"], "videos": kinds["videos"]}
            | ({"audio": kinds["audio"]} if kinds["audio"] else {}),
            "scripts_and_styles_removed": read.removed + info.removed,
            "refused": {name: read.odd[name] for name in REFUSED},
            "kept_and_reported": {name: read.odd[name] for name in KEPT} | {"missing_media": len(self.missing)},
            "notes": list(self.notes()),
        }

    def notes(self) -> Iterator[str]:
        read = self.documents
        yield from self.info.notes
        if not self.is_exact and self.info.assignment != DYNAMIC:
            message = _("Screens are planned by Assay, with one system each: this protocol shows at most %(most)d.")
            yield message % {"most": self.info.most_systems}
        steps = [
            (
                sum(map(len, read.questions.values())),
                _("Questions of forms, asked in questionnaires now: %(count)d. Look at them first."),
            ),
            (read.forms_between, _("Forms between documents, left out: %(count)d.")),
            (read.removed + self.info.removed, _("Scripts and styles in instructions, removed: %(count)d.")),
            (read.odd[NAMELESS], _("Documents without `item_id`, called by their place in the file: %(count)d.")),
            (read.odd[SHOWN_AGAIN], _("Outputs that are shown to the same person again: %(count)d.")),
            (read.odd[NO_RULE], _("Attention checks without a rule, left out: %(count)d.")),
            (read.odd[OTHER_TUTORIALS], _("Tutorials of a name that has other texts already, left out: %(count)d.")),
            (read.not_expected, _("Rules of practice without an equal in this protocol, left out: %(count)d.")),
        ]
        for count, message in steps:
            if count:
                yield message % {"count": count}
        for paths, message in (
            (read.elsewhere, _("Media in frames or of other hosts, refused (%(count)d): %(names)s.")),
            (self.missing, _("Missing media, left out (%(count)d): %(names)s.")),
        ):
            if paths:
                shown = ", ".join(paths[:5]) + (" …" if len(paths) > 5 else "")
                yield message % {"count": len(paths), "names": shown}
        if read.suggested and "suggestions" not in self.info.option_names:
            message = _("Suggested errors, stored with the texts but not shown with this protocol: %(count)d.")
            yield message % {"count": read.suggested}
        if read.odd[NOT_SUGGESTED]:
            message = _("Suggested errors outside the text or without a severity, left out: %(count)d.")
            yield message % {"count": read.odd[NOT_SUGGESTED]}
        if read.checks and not self.is_contrastive:
            yield _("Attention checks, left out because this protocol shows no whole documents: %(count)d.") % {
                "count": len(read.checks)
            }


def in_order_of_documents(documents: ReadDocuments) -> Iterator[SegmentRecord]:
    """A document's segments together, though another document may have come between."""
    places = {document: place for place, document in enumerate(documents.documents)}
    yield from sorted(documents.segments.values(), key=lambda record: places[record.document])
