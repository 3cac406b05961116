"""A file of a metric's scores, compared with its test set, and stored if everything fits."""

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from campaigns.models import Account, Campaign, Segment, TestSet, Translation
from campaigns.queries import systems_of
from campaigns.reading.problems import Problems, excerpt, text_error
from exchange.formats.metric_scores import ScoreFile, ScoreLine, ScoreLines, guess_references, level_of, read_lines
from exchange.reading import ImportFileError, SourceFile, add_to_digest
from metrics.actions.imported_scores import NewScores, ScoresStoredMeanwhile, store_scores
from metrics.automatic import METRICS
from metrics.models import ImportedScores, ScoreLevel
from metrics.scoring.texts import reference_names

LONGEST_NAME = 100
_NAMED = 10


@dataclass
class CheckedScores:
    """What a file would add: `values` by the key of a translation, or of a system.

    `systems` has one entry a system: its scores and their mean. `missing_systems` are those of the test set without
    scores. `unknown_systems` are those of the file that the test set does not have, if the file has scores for all
    that it has: published files also score systems that translated nothing here. They are left out; else their lines
    are problems, because a system may only have another name.
    `errors` concern the request, whatever the file contains; `earlier` are scores of that name and level.
    """

    file: ScoreFile
    level: str | None = None
    references: tuple[str, ...] = ()
    values: dict[int, float] = field(default_factory=dict)
    systems: list[tuple[str, int, float]] = field(default_factory=list)
    missing_systems: list[str] = field(default_factory=list)
    unknown_systems: list[str] = field(default_factory=list)
    problems: Problems = field(default_factory=Problems)
    unusable_lines: int = 0
    errors: list[str] = field(default_factory=list)
    earlier: ImportedScores | None = None

    @property
    def can_skip(self) -> bool:
        """Whether anything is left to store without the bad lines."""
        return self.problems.count > 0 and not self.problems.fatal and not self.errors and bool(self.values)


@dataclass(frozen=True)
class ScoreOutcome:
    """`created` is False if the very same scores were already stored; `replaced` if others had to go."""

    scores: ImportedScores
    checked: CheckedScores
    created: bool
    replaced: bool = False


def import_scores(
    file: ScoreFile,
    *,
    test_set: TestSet,
    skip_bad_rows: bool = False,
    replace: bool = False,
    imported_by: Account | None = None,
    campaign: Campaign | None = None,
) -> ScoreOutcome:
    """Stores a metric's scores of one level, whole or not at all. Raises ImportFileError with every error.

    `campaign` is recorded as the one in which the import was started.
    """
    checked = check_scores(file, test_set)
    if checked.errors or (checked.problems.count and not (skip_bad_rows and checked.can_skip)):
        usable = len(checked.values) if checked.can_skip else 0
        raise ImportFileError(*checked.errors, problems=checked.problems, usable=usable)
    new = NewScores(
        test_set=test_set,
        metric=file.metric,
        level=checked.level or "",
        higher_is_better=file.higher_is_better,
        references=tuple(checked.references),
        file_name=excerpt(file.called, 255),
        content_hash=add_to_digest(hashlib.sha256(), file.path, file.called),
        values=checked.values,
    )
    earlier = checked.earlier
    if earlier is not None:
        if _is_same(earlier, new):
            return ScoreOutcome(earlier, checked, created=False)
        if not replace:
            message = _(
                "“%(name)s” has scores of this level already, from %(file)s. Replace them, or choose another name."
            )
            raise ImportFileError(message % {"name": earlier.metric, "file": earlier.file_name})
    try:
        scores = store_scores(new, imported_by=imported_by, campaign=campaign)
    except ScoresStoredMeanwhile as error:
        raise ImportFileError(_("Somebody else has just imported these scores. Load the page again.")) from error
    return ScoreOutcome(scores, checked, created=True, replaced=earlier is not None)


def _is_same(earlier: ImportedScores, new: NewScores) -> bool:
    stored = (earlier.higher_is_better, tuple(earlier.references), earlier.content_hash)
    return stored == (new.higher_is_better, new.references, new.content_hash)


def check_scores(file: ScoreFile, test_set: TestSet) -> CheckedScores:
    """Reads the whole file and stores nothing."""
    known = tuple(reference_names(test_set))
    references = guess_references(file.called, known) if file.references is None else file.references
    checked = CheckedScores(file, references=references)
    checked.errors += _name_errors(file.metric)
    checked.errors += [
        _("Unknown reference “%(name)s”. Known: %(known)s.") % {"name": name, "known": ", ".join(known) or "–"}
        for name in references
        if name not in known
    ]
    lines = read_lines(SourceFile(file.path, file.called, checked.problems))
    checked.level = _level(file, lines, checked.problems)
    unreadable, unusable = checked.problems.lines, set[int]()
    if not checked.problems.fatal:
        _match(checked, lines, _Places(test_set), unusable)
    checked.errors += _conflicts_with_stored(checked, test_set)
    checked.unusable_lines = unreadable + len(unusable)
    return checked


def _name_errors(metric: str) -> list[str]:
    if not metric.strip():
        return [_("The metric has no name. Give it one.")]
    if metric in METRICS:
        message = _("“%(name)s” is a metric that Assay computes itself. Choose another name, such as “%(name)s (WMT)”.")
        return [message % {"name": metric}]
    if len(metric) > LONGEST_NAME or text_error(metric):
        return [_("The name of a metric has at most %(limit)d printable characters.") % {"limit": LONGEST_NAME}]
    return []


def _level(file: ScoreFile, lines: ScoreLines, problems: Problems) -> str | None:
    """As requested, else by the columns, else by the file's name."""
    by_columns = ScoreLevel.SEGMENT if lines.has_segments else None
    level = file.level or by_columns or level_of(file.called)
    if problems.fatal:
        return level
    if level == ScoreLevel.SYSTEM and lines.has_segments:
        message = _("These are segment scores: the file has a column “segment”. Choose the level segment.")
        problems.add(file.called, None, "segment", message, is_fatal=True)
    elif level is None:
        message = _("Cannot tell whether these are system or segment scores. Choose a level.")
        problems.add(file.called, None, "", message, is_fatal=True)
    elif not lines.lines and not problems.count:
        problems.add(file.called, None, "", _("The file has no scores."), is_fatal=True)
    return level


def _conflicts_with_stored(checked: CheckedScores, test_set: TestSet) -> list[str]:
    """What another file of the same metric states and this one must not contradict."""
    others = {
        each.level: each
        for each in ImportedScores.objects.filter(test_set=test_set, metric=checked.file.metric, is_whole=True)
    }
    checked.earlier = others.pop(checked.level or "", None)
    higher = _("In %(file)s, higher scores of “%(name)s” are better. Use the same direction here.")
    lower = _("In %(file)s, lower scores of “%(name)s” are better. Use the same direction here.")
    return [
        (higher if other.higher_is_better else lower) % {"file": other.file_name, "name": other.metric}
        for other in others.values()
        if other.higher_is_better != checked.file.higher_is_better
    ]


class _Places:
    """A test set's systems and segments, by name and in order; translations by system and segment."""

    def __init__(self, test_set: TestSet) -> None:
        self.test_set = test_set
        named = list(systems_of(test_set).order_by("name"))
        self.systems = {system.name: system.pk for system in named}
        self.machines = {system.name for system in named if not system.is_human}
        segments = Segment.objects.filter(document__test_set=test_set).order_by("document__position", "position")
        rows = list(segments.values_list("pk", "document__name", "name"))
        self.ordered = [key for key, _document, _name in rows]
        self.named = {(document, name): key for key, document, name in rows}
        self.documents = {document for _key, document, _name in rows}
        self._alone: dict[str, list[int]] = defaultdict(list)
        for key, _document, name in rows:
            self._alone[name].append(key)

    @property
    def needs_documents(self) -> bool:
        return any(len(keys) > 1 for keys in self._alone.values())

    def segment(self, document: str | None, name: str) -> int | None:
        if document is not None:
            return self.named.get((document, name))
        return next(iter(self._alone.get(name, ())), None)

    def translations_of(self, system: str) -> dict[int, int]:
        rows = Translation.objects.filter(system=self.systems[system])
        return dict(rows.values_list("segment", "pk"))


def _match(checked: CheckedScores, lines: ScoreLines, places: _Places, unusable: set[int]) -> None:
    file, problems = checked.file.called, checked.problems
    is_ambiguous = lines.has_segments and not lines.has_documents and places.needs_documents
    if checked.level == ScoreLevel.SEGMENT and is_ambiguous:
        message = _("Segments of several documents have the same names. Add a column “document”.")
        problems.add(file, 1, "document", message, is_fatal=True)
        return
    by_system: dict[str, list[ScoreLine]] = defaultdict(list)
    for line in lines.lines:
        by_system[line.system].append(line)
    checked.missing_systems = [name for name in places.systems if name not in by_system]
    if places.machines and places.machines <= set(by_system):
        checked.unknown_systems = [name for name in by_system if name not in places.systems]
    matching = _Matching(checked, lines, places, unusable)
    for system, own in by_system.items():
        if system not in checked.unknown_systems:
            matching.match(system, own)
    if not checked.values and not problems.count:
        problems.add(file, None, "", _("The file has no scores."), is_fatal=True)


class _Matching:
    """Compares one system's lines after another with the test set."""

    def __init__(self, checked: CheckedScores, lines: ScoreLines, places: _Places, unusable: set[int]) -> None:
        self.checked, self.lines, self.places, self.unusable = checked, lines, places, unusable

    def match(self, system: str, own: Sequence[ScoreLine]) -> None:
        if system not in self.places.systems:
            self._leave_out(own, own[0].line, "system", self._unknown(len(own)))
            return
        if self.checked.level == ScoreLevel.SYSTEM:
            scored = self._of_system(own, self.places.systems[system])
        else:
            scored = self._of_segments(system, own)
        self.checked.values |= scored
        if scored:
            self.checked.systems.append((system, len(scored), sum(scored.values()) / len(scored)))

    def _unknown(self, count: int) -> str:
        names = list(self.places.systems)
        known = ", ".join(names[:_NAMED]) + (" …" if len(names) > _NAMED else "")
        message = _("The test set has no system of this name (%(count)d lines). It has: %(known)s.")
        return message % {"count": count, "known": known or "–"}

    def _of_system(self, own: Sequence[ScoreLine], key: int) -> dict[int, float]:
        for again in own[1:]:
            message = _("This system has a score already, in line %(line)d.") % {"line": own[0].line}
            self._leave_out([again], again.line, "system", message)
        return {} if own[0].value is None else {key: own[0].value}

    def _of_segments(self, system: str, own: Sequence[ScoreLine]) -> dict[int, float]:
        ordered = self.places.ordered
        if not self.lines.has_segments and len(own) != len(ordered):
            message = _(
                "Lines of “%(system)s”: %(count)d, segments of the test set: %(segments)d. "
                "Give one line for each segment."
            ) % {"system": system, "count": len(own), "segments": len(ordered)}
            self._leave_out(own, own[-1].line, "system", message)
            return {}
        translations, firsts = self.places.translations_of(system), dict[int, int]()
        scored: dict[int, float] = {}
        for at, line in enumerate(own):
            segment = self._segment(line) if self.lines.has_segments else ordered[at]
            if segment is None:
                continue
            if segment in firsts:
                message = _("This segment of the system has a score already, in line %(line)d.")
                self._leave_out([line], line.line, "segment", message % {"line": firsts[segment]})
                continue
            firsts[segment] = line.line
            if line.value is None:
                continue
            if segment in translations:
                scored[translations[segment]] = line.value
            else:
                message = _("“%(system)s” has no translation of this segment.") % {"system": system}
                self._leave_out([line], line.line, "", message)
        return scored

    def _segment(self, line: ScoreLine) -> int | None:
        segment = self.places.segment(line.document, line.segment or "")
        if segment is None and line.document is not None and line.document not in self.places.documents:
            message = _("The test set has no document of this name.")
            self._leave_out([line], line.line, "document", message, line.document)
        elif segment is None:
            message = _("The test set has no segment of this name.")
            self._leave_out([line], line.line, "segment", message, line.segment or "")
        return segment

    def _leave_out(self, lines: Sequence[ScoreLine], at: int, column: str, message: str, value: str = "") -> None:
        self.unusable.update(line.line for line in lines)
        self.checked.problems.add(
            self.checked.file.called, at, column, message, value or (lines[0].system if column == "system" else "")
        )
