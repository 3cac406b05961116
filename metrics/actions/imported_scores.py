"""A metric's scores from elsewhere, stored in short batches, so that judging goes on; shown when whole."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from campaigns.actions.audit import record
from campaigns.bulk_rows import insert_bulk
from campaigns.models import Account, Campaign, TestSet
from metrics.models import ImportedScores, ScoreLevel, SegmentScore, SystemScore

BATCH = 2_000


class ScoresStoredMeanwhile(Exception):
    """Somebody else stored scores of this metric and level at the same time; nothing was changed."""


@dataclass(frozen=True)
class NewScores:
    """`values` by the key of a system where the level is system, else of a translation."""

    test_set: TestSet
    metric: str
    level: str
    higher_is_better: bool
    references: tuple[str, ...]
    file_name: str
    content_hash: str
    values: Mapping[int, float]


def store_scores(
    new: NewScores, *, imported_by: Account | None = None, campaign: Campaign | None = None
) -> ImportedScores:
    """Replaces the scores of this metric and level; `campaign` is where it was done, for the record."""
    same = ImportedScores.objects.filter(test_set=new.test_set, metric=new.metric, level=new.level)
    _forget(same.filter(is_whole=False))
    scores = _stored(new, imported_by)
    try:
        _put_in_place(scores)
    except IntegrityError as error:  # somebody else was first
        _forget(ImportedScores.objects.filter(pk=scores.pk))
        raise ScoresStoredMeanwhile from error
    record(action="metric_scores_imported", by=imported_by, campaign=campaign, **_details(scores))
    return scores


def forget_scores(scores: ImportedScores, *, by: Account | None = None, campaign: Campaign | None = None) -> None:
    """Deletes imported scores: at once for readers, then row by row."""
    record(action="metric_scores_removed", by=by, campaign=campaign, **_details(scores))
    ImportedScores.objects.filter(pk=scores.pk).update(is_whole=False)
    _forget(ImportedScores.objects.filter(pk=scores.pk))


def _details(scores: ImportedScores) -> dict[str, str]:
    about = {"metric": scores.metric, "level": scores.level, "file": scores.file_name}
    return {"test_set": scores.test_set.slug, **about, "sha256": scores.content_hash}


def _stored(new: NewScores, by: Account | None) -> ImportedScores:
    scores = ImportedScores.objects.create(
        test_set=new.test_set,
        metric=new.metric,
        level=new.level,
        higher_is_better=new.higher_is_better,
        references=list(new.references),
        file_name=new.file_name,
        content_hash=new.content_hash,
        imported_by=by,
    )
    model, of = (SystemScore, "system") if new.level == ScoreLevel.SYSTEM else (SegmentScore, "translation")
    rows = [(scores.pk, key, value) for key, value in new.values.items()]
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
