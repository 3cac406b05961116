"""Checked scores into rows, in short batches, so that judging goes on meanwhile; shown when the last one is there."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from campaigns.actions import record
from campaigns.bulk_rows import insert_bulk
from campaigns.importing.problems import excerpt
from campaigns.models import Account, Campaign, TestSet
from metrics.importing.checking import CheckedScores, check_scores
from metrics.importing.described import ScoreFile
from metrics.models import ImportedScores, ScoreLevel, SegmentScore, SystemScore

BATCH = 2_000


class ScoreFileError(Exception):
    """A file of scores that cannot be stored as it is. Its text lists everything that is wrong, a line each."""

    def __init__(self, checked: CheckedScores, *more: str) -> None:
        self.checked = checked
        super().__init__("\n".join([*checked.told(), *more]))


@dataclass(frozen=True)
class ScoreOutcome:
    """`created` is False when the very same scores were here already; `replaced` when others had to go."""

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
    """Stores a metric's scores of one level, whole or not at all. Raises ScoreFileError with everything wrong.

    `campaign` is the one in which it was done, for the record.
    """
    checked = check_scores(file, test_set)
    is_wrong = checked.problem_count and not (skip_bad_rows and checked.can_skip)
    if checked.faults or is_wrong:
        raise ScoreFileError(checked)
    digest, earlier = _content_hash(file.path), checked.earlier
    if earlier is not None:
        if _is_same(earlier, checked, digest):
            return ScoreOutcome(earlier, checked, created=False)
        if not replace:
            raise ScoreFileError(checked, _already_there(earlier))
    _forget(ImportedScores.objects.filter(test_set=test_set, metric=file.metric, level=checked.level, is_whole=False))
    scores = _stored(checked, test_set, digest, imported_by)
    try:
        _put_in_place(scores)
    except IntegrityError as error:  # somebody else was first
        _forget(ImportedScores.objects.filter(pk=scores.pk))
        raise ScoreFileError(checked, _("These scores were imported by somebody else in this moment.")) from error
    record(action="metric_scores_imported", by=imported_by, campaign=campaign, **_told(scores))
    return ScoreOutcome(scores, checked, created=True, replaced=earlier is not None)


def forget_scores(scores: ImportedScores, *, by: Account | None = None, campaign: Campaign | None = None) -> None:
    """Takes imported scores away: at once for readers, then row by row."""
    record(action="metric_scores_removed", by=by, campaign=campaign, **_told(scores))
    ImportedScores.objects.filter(pk=scores.pk).update(is_whole=False)
    _forget(ImportedScores.objects.filter(pk=scores.pk))


def _told(scores: ImportedScores) -> dict[str, str]:
    about = {"metric": scores.metric, "level": scores.level, "file": scores.file_name}
    return {"test_set": scores.test_set.slug, **about, "sha256": scores.content_hash}


def _already_there(earlier: ImportedScores) -> str:
    said = _("“%(name)s” has scores of this level already, from %(file)s. Replace them, or give another name.")
    return said % {"name": earlier.metric, "file": earlier.file_name}


def _is_same(earlier: ImportedScores, checked: CheckedScores, digest: str) -> bool:
    told = (earlier.higher_is_better, tuple(earlier.references), earlier.content_hash)
    return told == (checked.file.higher_is_better, tuple(checked.references), digest)


def _stored(checked: CheckedScores, test_set: TestSet, digest: str, by: Account | None) -> ImportedScores:
    scores = ImportedScores.objects.create(
        test_set=test_set,
        metric=checked.file.metric,
        level=checked.level or "",
        higher_is_better=checked.file.higher_is_better,
        references=list(checked.references),
        file_name=excerpt(checked.file.called, 255),
        content_hash=digest,
        imported_by=by,
    )
    model, of = (SystemScore, "system") if checked.level == ScoreLevel.SYSTEM else (SegmentScore, "translation")
    rows = [(scores.pk, key, value) for key, value in checked.values.items()]
    for start in range(0, len(rows), BATCH):
        insert_bulk(model, ("scores", of, "value"), rows[start : start + BATCH])
    return scores


def _put_in_place(scores: ImportedScores) -> None:
    same = ImportedScores.objects.filter(test_set=scores.test_set, metric=scores.metric, level=scores.level)
    with transaction.atomic():
        same.exclude(pk=scores.pk).update(is_whole=False)
        ImportedScores.objects.filter(pk=scores.pk).update(is_whole=True)
    scores.refresh_from_db()
    _forget(same.filter(is_whole=False))


def _forget(gone: QuerySet[ImportedScores]) -> None:
    """Rows nobody reads any more, a batch at a time."""
    for scores in gone:
        for model in (SegmentScore, SystemScore):
            rows = model.objects.filter(scores=scores)
            while keys := list(rows.values_list("pk", flat=True)[:BATCH]):
                model.objects.filter(pk__in=keys).delete()
        scores.delete()


def _content_hash(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
