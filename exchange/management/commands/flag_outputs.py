"""`flag_outputs TEST_SET`: looks for flags in all outputs of a test set, as text or as one JSON object."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from campaigns.management.working_command import WorkingCommand
from jobs.actions import perform_now, queue_run
from jobs.models import Run, RunStatus
from metrics.flag_runs import KIND
from metrics.flagged_outputs import TITLES, detail_of, in_words
from metrics.models import OutputFlag


class Command(WorkingCommand):
    help = "Looks for empty, untranslated, copied, cut and other outputs of a test set; see docs/formats.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("test_set", help="name or slug")
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument("--background", action="store_true", help="only queue the run and print its number")

    def handle(self, *_args: Any, **options: Any) -> None:
        test_set = self.test_set(options["test_set"])
        if options["background"]:
            run = queue_run(kind=KIND, test_set=test_set, arguments={})
            self.stdout.write(json.dumps({"run": run.pk}) if options["json"] else str(run.pk))
            return
        run = perform_now(kind=KIND, test_set=test_set, arguments={}, watch=self.report_progress)
        if run.status != RunStatus.DONE or run.result is None:
            raise CommandError(run.error or _("The run was cancelled."))
        if options["json"]:
            found = {"run": run.pk, **run.result, "results": [_as_json(row) for row in _rows(run)]}
            self.stdout.write(json.dumps(found, ensure_ascii=False))
        else:
            self._write_lines(run)

    def _write_lines(self, run: Run) -> None:
        for row in _rows(run):
            output = row.translation
            place = f"{output.segment.document.name}\t{output.segment.name}\t{output.system.name}"
            self.stdout.write(f"{place}\t{TITLES[row.name]}\t{in_words(row)}")
        self.stderr.write(_("Flags: %(flags)d. Outputs: %(outputs)d.") % (run.result or {}))


def _rows(run: Run) -> Any:
    texts = "translation__segment__document", "translation__system"
    return OutputFlag.objects.filter(run=run).select_related(*texts).order_by("pk").iterator(1_000)


def _as_json(row: OutputFlag) -> dict[str, Any]:
    output = row.translation
    place = {"document": output.segment.document.name, "segment": output.segment.name, "system": output.system.name}
    return {**place, "flag": row.name, "what": in_words(row), **vars(detail_of(row))}
