"""A campaign streamed as an archive, with its README: one moment of the database, constant memory."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import DateTimeField, Field, Model, Q
from django.utils import timezone
from django.utils.translation import override

from annotation.campaign_spec import CampaignSpec
from annotation.models import Adjudication, Assignment, Exclusion
from annotation.protocols import PROTOCOLS
from campaigns.media.storage import stored_pieces
from campaigns.models import Account, Campaign, Medium, System, TestSet
from exchange.archive import FORMAT, MANIFEST, MEDIA, VERSION
from exchange.archive.tables import ANNOTATORS, ROWS, TABLES, Table, runs_to_archive
from exchange.exported_judgments import CHUNK, ExportChoice
from exchange.formats.assay_csv_writer import write_judgments
from exchange.formats.spans_csv import spans_table
from exchange.tables.csv_and_json import as_time, csv_pieces, pieces_of
from exchange.tables.papers import NEEDED, methods_of, paper_tables
from exchange.zip_stream import ZipStream
from jobs.models import Run, RunPart
from jobs.queries import parts_of
from metrics import VERSION as ASSAY
from metrics.analysis_runs import one_run
from metrics.pseudonyms import People, a_system_has_the_name_of, people_of

Change = Callable[[Any], Any]
_BEGIN = {
    "postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    # A reader's transaction: Django's own would begin by taking the single writer's lock.
    "sqlite": "BEGIN DEFERRED",
}


def archive_name(campaign: Campaign) -> str:
    return f"{campaign.slug}.assay.zip"


def write_archive(campaign: Campaign, *, pseudonymised: bool = False) -> Iterator[bytes]:
    """Everything needed to rebuild the campaign, and what people read about it."""
    with snapshot():
        campaign = Campaign.objects.select_related("test_set").get(pk=campaign.pk)
        people = people_of(campaign, pseudonymised=pseudonymised)
        yield from _Writing(campaign, people).pieces()


class _Writing:
    def __init__(self, campaign: Campaign, people: People) -> None:
        self.campaign, self.people = campaign, people
        self.made_at = timezone.now()
        self.counts: dict[str, int] = {}
        self.zip = ZipStream(self.made_at.astimezone(UTC))
        without_runs = people.are_pseudonyms and a_system_has_the_name_of(people, campaign)
        self.runs = [] if without_runs else runs_to_archive(campaign)

    def pieces(self) -> Iterator[bytes]:
        try:
            for name, content in self._files():
                yield from self.zip.add(name, content, is_packed=name.startswith(f"{MEDIA}/"))
            yield from self.zip.add("README.md", [readme(self.campaign, self._manifest()).encode()])
            yield from self.zip.add(MANIFEST, [_as_json(self._manifest(), indent=1).encode()])
            yield from self.zip.close()
        finally:
            self.zip.abandon()

    def _files(self) -> Iterator[tuple[str, Iterable[bytes]]]:
        campaign, choice = self.campaign, ExportChoice(self.people.renamed)
        yield "settings.json", [_as_json(_settings(campaign), indent=1).encode()]
        yield "guidelines.md", [campaign.guidelines.encode()]
        if campaign.consent:
            yield "consent.md", [campaign.consent.encode()]
        if "typology" in campaign.options:
            yield "typology.json", [_as_json(campaign.options["typology"], indent=1).encode()]
        yield "judgments.csv", write_judgments(campaign, choice)
        yield "spans.csv", csv_pieces(*spans_table(campaign, choice))
        yield from self._newest_results()
        numbers = sorted(self.people.numbers.items(), key=lambda pair: pair[1])
        named = ({"id": number, "name": self.people.names[key]} for key, number in numbers)
        yield f"{ROWS}/{ANNOTATORS}.jsonl", pieces_of(self._lines(ANNOTATORS, named))
        for table in TABLES:
            yield table.path, pieces_of(self._lines(table.name, self._rows(table)))
        yield from self._media()

    def _media(self) -> Iterator[tuple[str, Iterable[bytes]]]:
        """A file that is lost is left out; its row stays, so that the screen goes on to name it."""
        rows = Medium.objects.filter(document__test_set=self.campaign.test_set_id).order_by("file_hash")
        for file_hash in rows.values_list("file_hash", flat=True).distinct():
            if (pieces := stored_pieces(file_hash)) is not None:
                yield f"{MEDIA}/{file_hash}", pieces

    def _newest_results(self) -> Iterator[tuple[str, Iterable[bytes]]]:
        """The newest results as tables, and how they were computed, for readers."""
        newest = Run.objects.filter(pk__in=self.runs, kind="analysis").order_by("-pk").first()
        runs = one_run(newest) if newest else None
        if newest is None or runs is None:
            return
        signature = self.people.in_text(newest.signature)
        read_with = replace(runs.read_with, signature=signature)
        for table in paper_tables(self.people.in_json(parts_of(newest, *NEEDED)), read_with):
            yield f"tables/{table.name}.csv", [table.as_csv().encode()]
        methods = methods_of(newest)
        if methods is not None:
            yield "methods.txt", [f"{methods.text}\n\n{signature}\n\n{methods.bibtex}\n".encode()]

    def _rows(self, table: Table) -> Iterator[dict[str, Any]]:
        rows = table.rows_of(self.campaign)
        if table.model is System:
            own = self.campaign.systems.values("pk")
            rows = rows.filter(Q(stands_for="") | Q(pk__in=own))  # systems that other campaigns show as well are theirs
        if table.model is Run:
            rows = rows.filter(pk__in=self.runs)
        if table.model is RunPart:
            rows = rows.filter(run__in=self.runs)
        fields = table.fields
        changes = [(place, change) for place, field in enumerate(fields, 1) if (change := self._change(table, field))]
        names = ("id", *(field.name for field in fields))
        systems: dict[str, list[int]] = {}
        if table.model is Campaign:
            systems = {"systems": list(self.campaign.systems.order_by("pk").values_list("pk", flat=True))}
        for row in rows.values_list("pk", *names[1:]).iterator(CHUNK):
            values = list(row)
            for place, change in changes:
                values[place] = change(values[place])
            yield dict(zip(names, values, strict=True)) | systems

    def _change(self, table: Table, field: "Field[Any, Any]") -> Change | None:
        """How a field is written, where it is not written as it is."""
        if field.related_model is Account:
            return lambda key: None if key is None else self.people.numbers[key]
        if isinstance(field, DateTimeField):
            return lambda moment: as_time(moment) or None
        if table.model in (Run, RunPart) and field.name in ("arguments", "result"):
            return self.people.in_json
        if table.model is Run and field.name == "signature":
            return self.people.in_text  # it names annotators who were excluded on trial
        return self._hidden(table.model, field.name) if self.people.are_pseudonyms else None

    def _hidden(self, model: type[Model], field: str) -> Change | None:
        """Other fields that may name somebody. What people typed into their answers stays as they typed it."""
        changes: dict[tuple[type[Model], str], Change] = {
            (Assignment, "name"): lambda _name: "",
            (TestSet, "report"): lambda _report: {},
            (Exclusion, "reason"): self.people.in_text,
            (Adjudication, "reason"): self.people.in_text,
        }
        return changes.get((model, field))

    def _lines(self, name: str, rows: Iterable[dict[str, Any]]) -> Iterator[str]:
        self.counts[name] = 0
        for row in rows:
            self.counts[name] += 1
            yield _as_json(row) + "\n"

    def _manifest(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": VERSION,
            "assay": ASSAY,
            "made": as_time(self.made_at),
            "campaign": self.campaign.name,
            "test_set": self.campaign.test_set.name,
            "protocol": self.campaign.protocol,
            "pseudonymised": self.people.are_pseudonyms,
            "rows": self.counts,
        }


def _settings(campaign: Campaign) -> dict[str, Any]:
    """The settings the campaign was made with, for readers; the campaign is rebuilt from the rows."""
    spec = CampaignSpec.of(campaign).as_json()
    names = ("status", "pass_mark", "practice_attempts", "created_at", "opened_at", "closed_at")
    test_set = campaign.test_set
    return {
        **{name: value for name, value in spec.items() if name not in ("guidelines", "consent")},  # separate files
        **{name: getattr(campaign, name) for name in names},
        "test_set": test_set.name,
        "source_language": test_set.source_language,
        "target_language": test_set.target_language,
    }


def _as_json(value: Any, indent: int | None = None) -> str:
    separators = (",", ":") if indent is None else None
    return json.dumps(value, ensure_ascii=False, indent=indent, separators=separators, default=_written)


def _written(value: Any) -> str:
    if isinstance(value, datetime):
        return as_time(value)
    if isinstance(value, UUID):
        return str(value)
    raise TypeError(f"{type(value).__name__} cannot be written into an archive")


@contextmanager
def snapshot() -> Iterator[None]:
    """All reads inside see the same rows. Inside another transaction, that one decides what is seen."""
    if connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(_BEGIN[connection.vendor])
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ROLLBACK")


_FILES = {
    "README.md": "this page",
    "manifest.json": "format, version, and how many rows each file of `rows` has",
    "settings.json": "protocol, options and plan as they were set",
    "guidelines.md": "the guidelines that annotators read",
    "consent.md": "what annotators agreed to (where the campaign asks for it)",
    "typology.json": "the error typology (where the protocol has one)",
    "judgments.csv": "one row for each judgment, translation and measure; every revision, with times and texts",
    "spans.csv": "one row for each marked error",
    "tables": "the newest computed results, a CSV file a table (where there are any)",
    "media": "pictures, audio and video, each under the SHA-256 of its content (where there are any)",
    "methods.txt": "how these results were computed, in sentences, with their signature and sources",
}


@override("en")
def readme(campaign: Campaign, manifest: Mapping[str, Any]) -> str:
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
