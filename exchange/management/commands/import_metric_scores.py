"""`import_metric_scores FILE --test-set N --metric NAME`: scores of a metric computed elsewhere."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from campaigns.management.working_command import WorkingCommand
from exchange.formats.metric_scores import ScoreFile
from exchange.reading import ImportFileError
from exchange.score_files import ScoreOutcome, import_scores
from metrics.models import ScoreLevel


class Command(WorkingCommand):
    help = "Stores a metric's scores of segments or systems that were computed elsewhere; see docs/formats.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--test-set", required=True, metavar="NAME", help="name or slug")
        parser.add_argument("--metric", required=True, metavar="NAME", help="as it is to be called, such as COMET")
        parser.add_argument("--level", choices=ScoreLevel.values, help="default: what columns or file name say")
        parser.add_argument("--lower-is-better", action="store_true", help="an error rate, a distance")
        parser.add_argument("--reference", action="append", dest="references", help="may be repeated; see docs")
        parser.add_argument("--no-reference", action="store_true", help="it compared with no reference")
        parser.add_argument("--skip-bad-rows", action="store_true", help="leave out what is wrong, store the rest")
        parser.add_argument("--replace", action="store_true", help="instead of scores of this name and level")
        parser.add_argument("--json", action="store_true", help="print the outcome as one JSON object")

    def handle(self, **options: Any) -> None:
        test_set = self.test_set(options["test_set"])
        references = () if options["no_reference"] else options["references"]
        file = ScoreFile(
            path=options["file"],
            metric=options["metric"].strip(),
            level=options["level"],
            higher_is_better=not options["lower_is_better"],
            references=None if references is None else tuple(references),
        )
        wanted = {"skip_bad_rows": options["skip_bad_rows"], "replace": options["replace"]}
        try:
            outcome = import_scores(file, test_set=test_set, **wanted)
        except ImportFileError as error:
            raise CommandError(f"{error}\n{self._hint(error)}") from error
        self.stdout.write(self._as_json(outcome) if options["json"] else self._as_text(outcome))

    def _hint(self, error: ImportFileError) -> str:
        hint = _("Nothing was stored.")
        if error.usable:
            skip = _("--skip-bad-rows stores the other scores: %(count)d.") % {"count": error.usable}
            return f"{hint} {skip}"
        return hint

    def _as_text(self, outcome: ScoreOutcome) -> str:
        about: dict[str, Any] = {"name": outcome.scores.metric, "file": outcome.scores.file_name}
        if not outcome.created:
            return _("“%(name)s”: these scores were already imported. Nothing was changed.") % about
        checked = outcome.checked
        about |= {"scores": len(checked.values), "systems": len(checked.systems), "level": outcome.scores.level}
        lines = [_("“%(name)s”, %(level)s level, from %(file)s. Scores: %(scores)d, systems: %(systems)d.") % about]
        if outcome.replaced:
            lines.append(_("They replace earlier scores."))
        if checked.unusable_lines:
            lines.append(_("%(count)d lines were left out.") % {"count": checked.unusable_lines})
        if checked.unknown_systems:
            lines.append(
                _("Left out, not in the test set: %(systems)s.") % {"systems": ", ".join(checked.unknown_systems)}
            )
        if checked.missing_systems:
            lines.append(_("Without scores: %(systems)s.") % {"systems": ", ".join(checked.missing_systems)})
        return "\n".join(lines)

    def _as_json(self, outcome: ScoreOutcome) -> str:
        checked = outcome.checked
        systems = [{"system": system, "scores": count, "mean": mean} for system, count, mean in checked.systems]
        about = {
            "test_set": outcome.scores.test_set.name,
            "metric": outcome.scores.metric,
            "level": outcome.scores.level,
            "higher_is_better": outcome.scores.higher_is_better,
            "references": outcome.scores.references,
            "signature": outcome.scores.signature,
            "created": outcome.created,
            "replaced": outcome.replaced,
            "scores": len(checked.values),
            "systems": systems,
            "without_scores": checked.missing_systems,
            "not_in_test_set": checked.unknown_systems,
            "left_out": checked.unusable_lines,
            "problems": [asdict(problem) for problem in checked.problems.in_order],
        }
        return json.dumps(about, ensure_ascii=False)
