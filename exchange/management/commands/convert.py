"""`./assay convert IN --to FORMAT OUT`: a test set or judgments in another format, without a campaign."""

from argparse import ArgumentParser
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.utils.translation import gettext as _

from campaigns.management.working_command import WorkingCommand
from exchange import exports, judgment_formats, test_set_files
from exchange.converting import (
    WRITERS,
    Conversion,
    ConversionError,
    Converted,
    converted_judgments,
    converted_test_set,
    guessed_format,
    is_of_judgments,
)
from exchange.export_formats import ExportRefusedError
from exchange.management.commands.export import write_whole
from exchange.management.commands.import_test_set import add_columns, columns_in, named_file
from exchange.reading import ImportFileError
from exchange.staging.test_set import open_spool

THROWAWAY = "throwaway.sqlite3"


class Command(WorkingCommand):
    help = (
        "Writes a file of texts or of judgments in another format. It needs no database and no campaign; what the "
        "format cannot hold is named. See docs/formats.md."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        known = sorted({*test_set_files.FORMAT_NAMES, *judgment_formats.FORMATS} - {"text"})
        parser.add_argument("input", type=Path, metavar="IN")
        parser.add_argument("output", type=Path, metavar="OUT")
        parser.add_argument(
            "--to",
            required=True,
            choices=sorted({*WRITERS, *exports.FORMATS}),
            metavar="FORMAT",
            help=f"test sets: {', '.join(WRITERS)}; judgments: {', '.join(exports.FORMATS)}",
        )
        parser.add_argument(
            "--from",
            dest="source_format",
            default="",
            choices=known,
            metavar="FORMAT",
            help=f"guessed when not given; one of {', '.join(known)}",
        )
        parser.add_argument("--source-language", default="", metavar="L", help="BCP 47, where the file names none")
        parser.add_argument("--target-language", default="", metavar="L")
        parser.add_argument("--protocol", default="", help="judgments: instead of the protocol that the file names")
        add_columns(parser)
        parser.add_argument(
            "--system",
            action="append",
            default=[],
            metavar="NAME=FILE",
            type=named_file,
            help="wmt-genmt: the file of a system, beside the file of documents",
        )

    def handle(self, **options: Any) -> None:
        asked = Conversion(
            path=options["input"],
            target=options["to"],
            source_format=options["source_format"],
            source_language=options["source_language"],
            target_language=options["target_language"],
            protocol=options["protocol"],
            columns=columns_in(options),
            systems=dict(options["system"]),
        )
        try:
            with ExitStack() as spools:
                converted = self._converted(asked, spools)
                for told in (*converted.notes, *converted.losses):
                    self.stderr.write(str(told), style_func=str)
                write_whole(converted.pieces, options["output"].resolve())
        except (ConversionError, ImportFileError) as error:
            raise CommandError(str(error)) from error
        except ExportRefusedError as refused:
            raise CommandError("\n".join(refused.reasons)) from refused
        except OSError as error:
            message = _("%(path)s cannot be written: %(reason)s.")
            reason = error.strerror or str(error)
            raise CommandError(message % {"path": options["output"], "reason": reason}) from error
        words = {"input": asked.path, "from": converted.format, "output": options["output"], "to": asked.target}
        self.stdout.write(_("%(input)s (%(from)s) was written as %(output)s (%(to)s).") % words)

    def _converted(self, asked: Conversion, spools: ExitStack) -> Converted:
        format, is_judged = asked.source_format, bool(asked.protocol) or is_of_judgments(asked.source_format)
        if not format:
            format, is_judged = guessed_format(asked.path)
        if not is_judged:
            is_named = bool(asked.source_format) or asked.path.is_dir()  # else a wrong guess says what was tried
            asked = replace(asked, source_format=format if is_named else "")
            return converted_test_set(asked, spools.enter_context(open_spool()))
        if not str(connection.settings_dict["NAME"]).endswith(THROWAWAY):
            raise CommandError(_("Judgments are converted by ./assay convert alone, which brings its own database."))
        _make_tables()
        return converted_judgments(replace(asked, source_format=format))


def _make_tables() -> None:
    """As the models are now: what earlier versions stored does not matter here."""
    settings.MIGRATION_MODULES = {app.label: None for app in apps.get_app_configs()}
    call_command("migrate", run_syncdb=True, verbosity=0)
