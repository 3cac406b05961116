"""`score_test_set N`: every system of a test set by automatic metrics, as text or as one JSON object."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from campaigns.management.working_command import WorkingCommand
from exchange.tables.terminal import scores_as_text
from jobs.actions import perform_now, queue_run
from jobs.models import RunStatus
from jobs.run_kinds import InvalidRun


class Command(WorkingCommand):
    help = "Scores every system of a test set by automatic metrics; see docs/metrics.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("test_set", help="name or slug")
        parser.add_argument("--metric", action="append", dest="metrics", help="may be repeated; see docs/metrics.md")
        parser.add_argument("--reference", action="append", dest="references", help="may be repeated; default: all")
        parser.add_argument("--seed", type=int, help="of the resamples; 12345")
        parser.add_argument("--resamples", type=int, help="1000")
        parser.add_argument("--by", help="scores of each document, domain or tag as well")
        parser.add_argument("--tokenizer", help="of BLEU, such as ja-mecab; default: the usual one of the language")
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument("--background", action="store_true", help="only queue the run and print its number")

    def handle(self, *_args: Any, **options: Any) -> None:
        test_set = self.test_set(options["test_set"])
        names = ("metrics", "references", "seed", "resamples", "by", "tokenizer")
        arguments = {name: options[name] for name in names if options[name] is not None}
        try:
            if options["background"]:
                run = queue_run(kind="metric_scores", test_set=test_set, arguments=arguments)
                self.stdout.write(json.dumps({"run": run.pk}) if options["json"] else str(run.pk))
                return
            run = perform_now(kind="metric_scores", test_set=test_set, arguments=arguments, watch=self._watch())
        except InvalidRun as error:
            raise CommandError(str(error), returncode=2) from error
        if run.status != RunStatus.DONE or run.result is None:
            raise CommandError(run.error or _("The run was cancelled."))
        self.stdout.write(json.dumps(run.result, ensure_ascii=False) if options["json"] else scores_as_text(run.result))

    def _watch(self) -> Any:
        """One line for each system and metric, not for each step."""
        last = [""]

        def watch(share: float, note: str) -> None:
            if note != last[0]:
                last[0] = note
                self.report_progress(share, note)

        return watch
