"""The archive's README: what each file is, for somebody who has no Assay. In English, as file formats are."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import override

from annotation.protocols import PROTOCOLS
from campaigns.models import Campaign
from exchange.archive.tables import ANNOTATORS, ROWS, TABLES

_FILES = {
    "README.md": "this page",
    "manifest.json": "format, version, and how many rows each file of `rows` has",
    "settings.json": "protocol, options and plan as they were set",
    "guidelines.md": "what annotators were told",
    "consent.md": "what annotators agreed to (where the campaign asks for it)",
    "typology.json": "the error typology (where the protocol has one)",
    "judgments.csv": "one row for each judgment, translation and measure; every revision, with times and texts",
    "spans.csv": "one row for each marked error",
    "tables": "the newest computed results, a CSV file a table (where there are any)",
    "methods.txt": "how these results were made, in sentences, with their signature and sources",
}


def readme(campaign: Campaign, manifest: Mapping[str, Any]) -> str:
    with override("en"):
        return _readme(campaign, manifest)


def _readme(campaign: Campaign, manifest: Mapping[str, Any]) -> str:
    protocol = PROTOCOLS[campaign.protocol].title if campaign.protocol in PROTOCOLS else campaign.protocol
    counts = manifest["rows"]
    test_set = campaign.test_set
    lines = [
        f"# {campaign.name}",
        "",
        f"An archive of the evaluation campaign “{campaign.name}” ({protocol}), test set “{test_set.name}” "
        f"({test_set.source_language} to {test_set.target_language}), written by Assay {manifest['assay']} "
        f"on {manifest['made']}.",
        "",
        _about_people(manifest),
        "",
        "All files are UTF-8. The CSV files are to be read; the campaign is rebuilt from the files in `rows`:",
        "",
        "    ./assay manage import_archive FILE --campaign NAME",
        "",
        "## Files",
        "",
        *(f"- `{name}`: {what}" for name, what in _FILES.items()),
        "",
        "## Rows",
        "",
        "One JSON object a line. `id` is the number of the row in its file; a field that names another file leads "
        "to the row of that number there. Times are ISO 8601 in UTC. Spans are half-open and count code points.",
        "",
        "| file | what | rows |",
        "|---|---|---:|",
        f"| `{ROWS}/{ANNOTATORS}.jsonl` | annotators | {counts[ANNOTATORS]} |",
        *(f"| `{table.path}` | {table.what} | {counts[table.name]} |" for table in TABLES),
        "",
        "Not in here: keys, invitations, completion codes, names of people other than annotators, and numbers that "
        "follow from answers by a formula (they are computed anew).",
        "",
    ]
    return "\n".join(lines)


def _about_people(manifest: Mapping[str, Any]) -> str:
    if not manifest["pseudonymised"]:
        return "Annotators have the names they sign in with."
    return (
        "Annotators have numbers that were drawn for this archive; no key to them exists. Comments, notes and answers "
        "are as they were typed, and times are exact: look through them before you publish."
    )
