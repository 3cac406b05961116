"""What somebody says of each file of scores that was dropped: whose scores, of what, and which way is better."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from campaigns.models import TestSet
from exchange.formats.metric_scores import ScoreFile, guess_metric
from exchange.score_files import CheckedScores, check_scores

LOWER = "lower"
GUESSED, NO_REFERENCE, EVERY_REFERENCE = "?", "", "*"


@dataclass(frozen=True)
class ChosenFile:
    """A stored file as it was described on the page; `skip` and `replace` are what may happen to it."""

    file: ScoreFile
    skip: bool
    replace: bool


def chosen_files(
    files: Sequence[Mapping[str, Any]], given: Mapping[str, str], references: Sequence[str]
) -> list[ChosenFile]:
    """Each stored file as said (`metric-0`, `level-0`, `better-0`, `against-0`, …), else as its name says."""
    return [
        ChosenFile(
            ScoreFile(
                path=Path(file["path"]),
                metric=given.get(f"metric-{at}", guess_metric(file["name"])).strip(),
                level=given.get(f"level-{at}") or None,
                higher_is_better=given.get(f"better-{at}") != LOWER,
                references=_references(given.get(f"against-{at}", GUESSED), references),
                name=file["name"],
            ),
            skip=f"skip-{at}" in given,
            replace=f"replace-{at}" in given,
        )
        for at, file in enumerate(files)
    ]


def _references(said: str, known: Sequence[str]) -> tuple[str, ...] | None:
    if said == GUESSED:
        return None
    return tuple(known) if said == EVERY_REFERENCE else (said,) if said else ()


def checked_files(files: Sequence[ScoreFile], test_set: TestSet) -> list[CheckedScores]:
    """Each file beside the test set, and beside the others that came with it."""
    checked = [check_scores(file, test_set) for file in files]
    for at, one in enumerate(checked):
        for other in checked[:at]:
            if one.file.metric == other.file.metric:
                one.faults += _clashes(one, other)
    return checked


def _clashes(one: CheckedScores, other: CheckedScores) -> list[str]:
    names = {"first": other.file.called, "second": one.file.called, "name": one.file.metric}
    faults = []
    if one.level == other.level:
        faults.append(_("%(first)s and %(second)s are both “%(name)s” of the same level. Name one otherwise.") % names)
    if one.file.higher_is_better != other.file.higher_is_better:
        faults.append(_("%(first)s and %(second)s are both “%(name)s”, but not better in the same direction.") % names)
    return faults


def is_storable(chosen: ChosenFile, checked: CheckedScores) -> bool:
    """Whether storing it now would succeed."""
    is_taken = checked.earlier is not None and not chosen.replace
    is_sound = not checked.problem_count or (chosen.skip and checked.can_skip)
    return is_sound and not checked.faults and not is_taken


def against(checked: CheckedScores, known: Sequence[str]) -> str:
    """The choice that says what was understood."""
    if len(checked.references) > 1 and len(checked.references) == len(known):
        return EVERY_REFERENCE
    return checked.references[0] if checked.references else NO_REFERENCE
