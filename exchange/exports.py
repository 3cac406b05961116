"""Campaigns as streamed files: the explicit dict of formats, and how large each file would be."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from campaigns.models import Campaign
from exchange.export_formats import (
    CSV,
    CSV_WITHOUT_HEADER,
    JSON,
    LINES,
    TABBED,
    XML,
    ZIP,
    ExportFormat,
    ExportRefusedError,
    File,
)
from exchange.exported_judgments import EVERYTHING, ExportChoice
from exchange.formats import (
    anthea_writer,
    appraise_csv_writer,
    appraise_writer,
    label_studio_writer,
    marot_writer,
    mt_metrics_eval_folder,
    pearmut_writer,
    ratings_writer,
    subset2evaluate,
    wmt_genmt_writer,
    wmt_xml_writer,
    xliff_campaign,
)
from exchange.formats.actions_csv import actions_table
from exchange.formats.adjudications_csv import adjudications_table
from exchange.formats.assay_csv_writer import judgments_table, write_judgments
from exchange.formats.metric_scores import segment_scores_table, system_scores_table
from exchange.formats.questionnaires_csv import questionnaires_table
from exchange.formats.spans_csv import spans_table
from exchange.formats.wmt_mqm_writer import losses as wmt_mqm_losses
from exchange.formats.wmt_mqm_writer import write_guarded, write_wmt_mqm
from exchange.formats.workbook import TextTooLongError, too_many_judgments, write_workbook
from exchange.tables.csv_and_json import TableOf, as_csv, as_json_lines
from exchange.zip_stream import ZipStream


def _both(
    name: str,
    title: Promise,
    description: Promise,
    table_of: TableOf,
    *,
    is_of_errors: bool = False,
    is_of_screens: bool = False,
    write: Callable[..., Iterator[bytes]] | None = None,
) -> dict[str, ExportFormat]:
    """One table in both formats."""
    suffix, lines = ("judgments", "jsonl") if name == "csv" else (name[:-4], name.replace("-csv", "-jsonl"))
    table = ExportFormat(
        title,
        description,
        f"{suffix}.csv",
        CSV,
        write or as_csv(table_of),
        as_lines=lines,
        is_of_errors=is_of_errors,
        is_of_screens=is_of_screens,
    )
    in_lines = replace(table, suffix=f"{suffix}.jsonl", content_type=LINES, write=as_json_lines(table_of))
    return {name: table, lines: replace(in_lines, as_lines="", same_as=name)}


def _zipped(files: Callable[[Campaign, ExportChoice], Iterator[File]]) -> Callable[..., Iterator[bytes]]:
    def write(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> Iterator[bytes]:
        zipped = ZipStream(timezone.now().astimezone(UTC))
        try:
            for name, pieces in files(campaign, choice):
                yield from zipped.add(name, pieces)
            yield from zipped.close()
        finally:
            zipped.abandon()

    return write


def _workbook(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> Iterator[bytes]:
    try:
        return write_workbook(campaign, choice)
    except TextTooLongError as error:
        raise ExportRefusedError([str(error)]) from error


MARKING = frozenset(ratings_writer.MARKING)  # elsewhere no line would say that there is no error
FORMATS: dict[str, ExportFormat] = {
    **_both(
        "csv",
        _("Judgments"),
        _("One row for each judgment, translation and measure; every revision, with times and texts"),
        judgments_table,
        write=write_judgments,
    ),
    **_both(
        "spans-csv",
        _("Error spans"),
        _("One row for each marked error: offsets, category, severity"),
        spans_table,
        is_of_errors=True,
    ),
    **_both(
        "actions-csv",
        _("Actions on screens"),
        _("One row for each action of annotators on screens of whole documents: when, what, where"),
        actions_table,
        is_of_screens=True,
    ),
    **_both(
        "adjudications-csv",
        _("Adjudications"),
        _("One row for each decision, system and measure, with its reason; decisions that were undone, too"),
        adjudications_table,
    ),
    **_both(
        "questionnaires-csv",
        _("Answers to questionnaires"),
        _("One row for each answer of an annotator, always by code; without texts, which may name who wrote them"),
        questionnaires_table,
    ),
    "wmt-mqm-tsv": ExportFormat(
        _("MQM ratings as at WMT"),
        _(
            "One line for each marked error, in its text between <v> and </v>; judgments that count, no control items. "
            "For programs: a spreadsheet runs cells that begin with =, +, - or @ as formulas"
        ),
        "mqm.tsv",
        TABBED,
        write_wmt_mqm,
        is_of_errors=True,
        protocols=MARKING,
        losses=wmt_mqm_losses,
    ),
    "wmt-mqm-tsv-guarded": ExportFormat(
        _("MQM ratings, for spreadsheets"),
        _(
            "The same with an apostrophe in front of what a spreadsheet would run as a formula, as in other files; "
            "Assay reads both"
        ),
        "mqm-guarded.tsv",
        TABBED,
        write_guarded,
        is_of_errors=True,
        protocols=MARKING,
        losses=wmt_mqm_losses,
    ),
    "anthea": ExportFormat(
        _("Project for Anthea"),
        _(
            "A line for each segment that a rater saw, with the errors marked in it and scores of metrics. For "
            "programs: a spreadsheet runs cells that begin with =, +, - or @ as formulas"
        ),
        "anthea.tsv",
        TABBED,
        anthea_writer.write_anthea,
        is_of_errors=True,
        is_of_texts=True,
        protocols=MARKING,
        losses=anthea_writer.losses,
    ),
    "marot": ExportFormat(
        _("Ratings for Marot"),
        _(
            "One line for each marked error and for each output with references or metric scores, with JSON in the "
            "last column. For programs: a spreadsheet runs cells that begin with =, +, - or @ as formulas"
        ),
        "marot.tsv",
        TABBED,
        marot_writer.write_marot,
        is_of_errors=True,
        is_of_texts=True,
        protocols=MARKING,
        losses=wmt_mqm_losses,
    ),
    **_both(
        "metric-systems-csv",
        _("Metric scores of systems"),
        _("One row for each automatic metric and system, counted here or imported, with interval and signature"),
        system_scores_table,
    ),
    **_both(
        "metric-segments-csv",
        _("Metric scores of segments"),
        _("One row for each automatic metric, system and segment"),
        segment_scores_table,
    ),
    "xlsx": ExportFormat(
        _("Workbook"),
        _("For a spreadsheet program: judgments, errors, metric scores and every table of the results, a sheet each"),
        "xlsx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        _workbook,
        is_of_texts=True,
        obstacles=too_many_judgments,
    ),
    "pearmut": ExportFormat(
        _("Annotations for Pearmut"),
        _("One record for each screen and revision, as Pearmut's own download; marks count UTF-16 units, both ends in"),
        "pearmut-annotations.json",
        JSON,
        pearmut_writer.write_annotations,
        protocols=frozenset(pearmut_writer.PROTOCOLS_THERE),
        obstacles=pearmut_writer.obstacles,
        losses=pearmut_writer.losses,
    ),
    "pearmut-campaign": ExportFormat(
        _("Campaign for Pearmut"),
        _("Texts, plan, annotators, tags and guidelines, to be judged with Pearmut; no answers"),
        "pearmut-campaign.json",
        JSON,
        pearmut_writer.write_campaign,
        is_of_texts=True,
        protocols=frozenset(pearmut_writer.PROTOCOLS_THERE),
        obstacles=pearmut_writer.obstacles,
        losses=pearmut_writer.losses_of_plan,
    ),
    "appraise-json": ExportFormat(
        _("Batches for Appraise"),
        _("Texts and plan as Appraise takes them: a batch for each assignment; no answers"),
        "appraise-batches.json",
        JSON,
        appraise_writer.write_batches,
        is_of_texts=True,
        protocols=appraise_writer.PROTOCOLS,
        obstacles=appraise_writer.obstacles,
        losses=appraise_writer.losses,
    ),
    "appraise-csv": ExportFormat(
        _("Scores as from Appraise"),
        _(
            "One row for each score of a system, with marked errors and times, as Appraise exports its results. For "
            "programs: a spreadsheet runs cells that begin with =, +, - or @ as formulas"
        ),
        "appraise.csv",
        CSV_WITHOUT_HEADER,
        appraise_csv_writer.write_scores,
        protocols=appraise_csv_writer.PROTOCOLS,
        obstacles=appraise_csv_writer.obstacles,
        losses=appraise_csv_writer.losses,
    ),
    "subset2evaluate": ExportFormat(
        _("Segments for subset2evaluate"),
        _("One line for each segment: texts, mean scores and metrics of each system; more is better in all of them"),
        "subset2evaluate.jsonl",
        LINES,
        subset2evaluate.write_subset2evaluate,
        is_of_texts=True,
        protocols=subset2evaluate.PROTOCOLS,
        losses=subset2evaluate.losses,
    ),
    "wmt-genmt": ExportFormat(
        _("Test set and scores as at WMT’s general task"),
        _("JSON lines: documents, a file of outputs for each system, and every score with its errors by segment"),
        "wmt-genmt.zip",
        ZIP,
        _zipped(wmt_genmt_writer.write_folder),
        is_of_texts=True,
        files=wmt_genmt_writer.write_folder,
        losses=wmt_genmt_writer.losses,
    ),
    "wmt-xml": ExportFormat(
        _("Test set as WMT’s XML"),
        _("Documents with their source, references and outputs; no judgments"),
        "xml",
        XML,
        wmt_xml_writer.write_wmt_xml,
        is_of_texts=True,
        losses=wmt_xml_writer.losses,
    ),
    "mt-metrics-eval": ExportFormat(
        _("Folder for mt-metrics-eval"),
        _("Texts, documents, human scores, metric scores and marked errors, in the files that mt-metrics-eval reads"),
        "mt-metrics-eval.zip",
        ZIP,
        _zipped(mt_metrics_eval_folder.write_folder),
        is_of_texts=True,
        files=mt_metrics_eval_folder.write_folder,
        protocols=frozenset(mt_metrics_eval_folder.KINDS),
        losses=mt_metrics_eval_folder.losses,
    ),
    "mt-metrics-eval-ratings": ExportFormat(
        _("Ratings for mt-metrics-eval"),
        _("A folder with a file for each rater and one for all: marked errors of each system and segment"),
        "ratings.zip",
        ZIP,
        _zipped(ratings_writer.rating_files),
        is_of_errors=True,
        is_of_texts=True,
        files=ratings_writer.rating_files,
        protocols=MARKING,
        losses=ratings_writer.losses,
    ),
    "label-studio": ExportFormat(
        _("Tasks for Label Studio"),
        _("One task for each output, with its judgments as annotations: spans, severities, scores, comments"),
        "label-studio.json",
        JSON,
        label_studio_writer.write_tasks,
        is_of_texts=True,
        protocols=label_studio_writer.PROTOCOLS,
        losses=label_studio_writer.losses,
    ),
    "xliff": ExportFormat(
        _("XLIFF 2.1"),
        _("For translation tools: post-edits as targets, or outputs with their marked errors as ITS locQualityIssue"),
        "xlf",
        XML,
        xliff_campaign.write_campaign,
        is_of_texts=True,
        protocols=xliff_campaign.PROTOCOLS,
        obstacles=xliff_campaign.obstacles,
        losses=xliff_campaign.losses,
    ),
    "xliff-1-2": ExportFormat(
        _("XLIFF 1.2"),
        _("For older translation tools: post-edits, or outputs without their marked errors, as targets"),
        "1.2.xlf",
        XML,
        xliff_campaign.write_old_campaign,
        is_of_texts=True,
        protocols=xliff_campaign.PROTOCOLS,
        obstacles=xliff_campaign.obstacles,
        losses=xliff_campaign.losses_of_old,
    ),
    "tmx": ExportFormat(
        _("Translation memory"),
        _("TMX 1.4, for translation tools: each post-edit with its source"),
        "tmx",
        XML,
        xliff_campaign.write_memory,
        is_of_texts=True,
        protocols=frozenset({xliff_campaign.EDITING}),
        obstacles=xliff_campaign.obstacles,
        losses=xliff_campaign.losses_of_memory,
    ),
}


def export_rows(campaign: Campaign, format: str, choice: ExportChoice = EVERYTHING) -> Iterator[bytes]:
    """The file in pieces, for a response or a file; KeyError for an unknown format."""
    if reasons := FORMATS[format].refusals(campaign):
        raise ExportRefusedError(reasons)
    return FORMATS[format].write(campaign, choice)


def file_name(campaign: Campaign, format: str) -> str:
    return f"{campaign.slug}.{FORMATS[format].suffix}"
