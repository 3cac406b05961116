"""One row for each flag of an output, as the page of flags lists them; docs/formats.md describes its columns."""

from collections.abc import Iterable, Iterator

from django.db.models import QuerySet
from django.utils.translation import override

from campaigns.models import Campaign
from exchange.cells import safe_name, safe_text
from exchange.exported_judgments import EVERYTHING, ExportChoice
from exchange.tables.csv_and_json import Table, as_number
from metrics.flag_runs import newest_flags
from metrics.flagged_outputs import detail_of, flagged_outputs, in_words
from metrics.models import OutputFlag

_LISTED = " | "
COLUMNS = (
    "document", "segment", "system", "flag", "what", "expected", "found", "share", "missing", "added", "systems",
    "source", "output", "link", "signature",
)  # fmt: skip
_LINK = COLUMNS.index("link")


def flags_table(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> Table:  # noqa: ARG001 - as the others
    """Those of the newest finished search, of the systems that the campaign judges, without links to pages."""
    run = newest_flags(campaign.test_set)
    rows: Iterable[list[str]] = ()
    if run is not None:
        signature = str((run.result or {}).get("signature", ""))
        flags = flag_rows(flagged_outputs(campaign, run), "", signature)
        rows = ([*row[:_LINK], *row[_LINK + 1 :]] for row in flags)
    return Table([column for column in COLUMNS if column != "link"], rows)


def flag_rows(flags: QuerySet[OutputFlag], page: str, signature: str) -> Iterator[list[str]]:
    """`page` is the address that a segment's number is added to."""
    for flag in flags.iterator(1_000):
        detail, segment = detail_of(flag), flag.translation.segment
        with override("en"):
            what = in_words(flag)
        yield [
            safe_name(segment.document.name),
            safe_name(segment.name),
            safe_name(flag.translation.system.name),
            flag.name,
            safe_text(what),
            detail.expected,
            detail.found,
            "" if detail.share is None else as_number(detail.share),
            *(safe_name(_LISTED.join(texts)) for texts in (detail.missing, detail.added, detail.systems)),
            safe_text(segment.source),
            safe_text(flag.translation.text),
            f"{page}{segment.pk}",
            safe_name(signature),
        ]
