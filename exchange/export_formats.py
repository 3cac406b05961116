"""What a format of exported campaigns is: how it is written, what it can hold, and what is lost in it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext

from annotation.models import Exclusion
from campaigns.models import Campaign
from exchange.exported_judgments import ExportChoice
from metrics.pseudonyms import codes_of

CSV, LINES = "text/csv; charset=utf-8", "application/x-ndjson; charset=utf-8"
CSV_WITHOUT_HEADER = f"{CSV}; header=absent"  # RFC 4180
JSON, ZIP = "application/json", "application/zip"
TABBED = "text/tab-separated-values; charset=utf-8"
XML = "application/xml"
File = tuple[str, Iterator[bytes]]


class ExportRefusedError(Exception):
    """A campaign that a format cannot hold; `reasons` are sentences for the person who wants the file."""

    def __init__(self, reasons: Sequence[str]) -> None:
        self.reasons = list(reasons)
        super().__init__(" ".join(reasons))


def choice_of(
    campaign: Campaign, *, codes: bool = False, only_included: bool = False, labels: bool = False
) -> ExportChoice:
    """Codes instead of names; without the judgments of annotators whom an organiser excluded from the results.

    Labels are personal data, for organisers. Beside codes they would name who has which: ExportRefusedError.
    """
    if codes and labels:
        raise ExportRefusedError([gettext("Labels of a crowd name people. Choose either labels or codes.")])
    left_out = Exclusion.objects.filter(campaign=campaign, lifted_at=None).values_list("annotator_id", flat=True)
    return ExportChoice(
        codes_of(campaign) if codes else {}, frozenset(left_out) if only_included else frozenset(), labels=labels
    )


def _none(*_of: object) -> Sequence[str]:
    return ()


@dataclass(frozen=True)
class ExportFormat:
    """`write` yields the file piece by piece, in memory that does not grow with the campaign.

    `as_lines` names the format with the same content as JSON lines, `same_as` the one that these lines repeat;
    `is_of_errors`: it is useful only for campaigns in which errors are marked, `is_of_screens` for those whose screens
    are whole documents. `is_of_texts`: its size is that of the test set. `files` are those of a folder, of which
    `write` makes a ZIP file. It can hold campaigns of `protocols` (None: of all) if there are no `obstacles`; `losses`
    say what of a campaign has no equal in it.
    """

    title: Promise
    description: Promise
    suffix: str
    content_type: str
    write: Callable[[Campaign, ExportChoice], Iterator[bytes]]
    as_lines: str = ""
    same_as: str = ""
    is_of_errors: bool = False
    is_of_screens: bool = False
    is_of_texts: bool = False
    files: Callable[[Campaign, ExportChoice], Iterator[File]] | None = None
    protocols: frozenset[str] | None = None
    obstacles: Callable[[Campaign], Sequence[str]] = _none
    losses: Callable[[Campaign, ExportChoice], Sequence[str]] = _none

    def takes(self, campaign: Campaign) -> bool:
        """By its protocol; `refusals` also look at its content."""
        return self.protocols is None or campaign.protocol in self.protocols

    def refusals(self, campaign: Campaign) -> Sequence[str]:
        if self.takes(campaign):
            return self.obstacles(campaign)
        known = ", ".join(sorted(self.protocols or ()))
        return [gettext("This format has no equal of the campaign's protocol. It takes: %(known)s.") % {"known": known}]
