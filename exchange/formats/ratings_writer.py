"""`mt-metrics-eval-ratings`: marked errors as mt-metrics-eval has them, a folder with a file for each rater.

Each system has a line for each segment of the test set, in its order: the rating as JSON with its rater, or None.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from heapq import merge
from itertools import chain
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

import numpy as np
import numpy.typing as npt

from annotation.models import ItemKind, Side, is_surplus, slot_values
from campaigns.models import Account, Campaign, Segment
from exchange.exported_judgments import CHUNK, EVERYTHING, ExportChoice, Follower, judgments_of
from exchange.formats.pearmut_screens import WRITTEN_KINDS
from exchange.tables.csv_and_json import pieces_of

MARKING = ("cesa", "esa", "mqm")
MERGED = "merged"
FOLDER = "human-scores"
_SEGMENT = ("document__position", "document_id", "position", "pk")  # in the order of the test set
Key = tuple[int, ...]
File = tuple[str, Iterator[bytes]]


class _Rating(NamedTuple):
    """What one judgment says about one system's output."""

    judgment: int
    kind: str
    annotator: int
    answer: Any
    label: str


def losses(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> list[str]:  # noqa: ARG001 - as the others
    return [
        _("Scores, comments and repeated judgments beside a first one are not in these files."),
        _("Of several raters of one output, the file of all raters has the first."),
    ]


def pair_of(campaign: Campaign) -> str:
    """As the names of files have it."""
    test_set = campaign.test_set
    return "-".join(tag.replace("-", "_") for tag in (test_set.source_language, test_set.target_language))


def rating_files(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> Iterator[File]:
    """Each with its path in the folder; to be written one after the other."""
    test_set = campaign.test_set
    pair = pair_of(campaign)
    systems = list(campaign.systems.order_by("pk").values_list("pk", "name"))
    own = Segment.objects.filter(document__test_set=test_set)
    places = np.fromiter(chain.from_iterable(own.order_by(*_SEGMENT).values_list(*_SEGMENT).iterator(CHUNK)), np.int64)
    raters = _raters(campaign, choice)
    by_rater = Follower(ratings_by_key(campaign, choice, ("annotator",)))
    for pk, name in raters.items():
        lines = (
            _line(system, chosen_rating(by_rater.rows_of((pk, key, *place)), -1), raters)
            for key, system in systems
            for place in _each(places)
        )
        yield f"{FOLDER}/{pair}.{campaign.protocol}.{name}.seg.rating", pieces_of(lines)
    of_all = Follower(ratings_by_key(campaign, choice, ()))
    lines = (
        _line(system, chosen_rating(of_all.rows_of((key, *place)), 1), raters)
        for key, system in systems
        for place in _each(places)
    )
    yield f"{FOLDER}/{pair}.{campaign.protocol}.{MERGED}.seg.rating", pieces_of(lines)


def _each(places: npt.NDArray[np.int64]) -> Iterator[Key]:
    """Kept as numbers: as tuples they would take five times as much memory."""
    rows = places.reshape(-1, len(_SEGMENT))
    for at in range(0, len(rows), CHUNK):
        yield from map(tuple, rows[at : at + CHUNK].tolist())


def _raters(campaign: Campaign, choice: ExportChoice) -> dict[int, str]:
    """By key the names in files, which may not have the dots and hyphens that separate their parts; each once."""
    judged = counted_ratings(campaign, choice).order_by().values("annotator")
    names: dict[int, str] = {}
    for pk, name in Account.objects.filter(pk__in=judged).order_by("pk").values_list("pk", "username"):
        plain = re.sub(r"[^\w]", "_", choice.called(name))
        taken = {MERGED, *names.values()}
        several = (f"{plain}_{number}" for number in range(2, len(names) + 4))
        names[pk] = next(each for each in (plain, *several) if each not in taken)
    return names


def counted_ratings(campaign: Campaign, choice: ExportChoice) -> Any:
    return (
        judgments_of(campaign, choice)
        .filter(is_current=True, cannot_judge="", item__kind__in=WRITTEN_KINDS, item__segment__isnull=False)
        .alias(late=is_surplus())
        .filter(late=False)
    )


def ratings_by_key(campaign: Campaign, choice: ExportChoice, first: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Key and rating, sorted by key: that of the annotator if it comes first, the system, the segment."""
    streams = [_stream(campaign, choice, first, system) for system in ("system", "credits__system")]
    return merge(*streams, key=lambda row: row[0])


def _stream(
    campaign: Campaign, choice: ExportChoice, first: Sequence[str], system: str
) -> Iterator[tuple[Key, _Rating]]:
    order = [*first, f"item__slots__{system}", *(f"item__segment__{part}" for part in _SEGMENT)]
    own = counted_ratings(campaign, choice).filter(**{f"item__slots__{system}__isnull": False})
    fields = ("pk", "item__kind", "annotator", "answer", "item__slots__label")
    for row in own.order_by(*order, "pk").values_list(*order, *fields).iterator(CHUNK):
        yield row[: len(order)], _Rating(*row[len(order) :])


def chosen_rating(rows: Iterable[tuple[_Rating]], order: int) -> _Rating | None:
    """The first in time, or with -1 the last; repeats only where there is nothing else."""
    ratings = sorted((row[0] for row in rows), key=lambda each: (each.kind != ItemKind.REGULAR, order * each.judgment))
    return ratings[0] if ratings else None


def _line(system: str, rating: _Rating | None, raters: dict[int, str]) -> str:
    name = re.sub(r"\s", " ", system)
    if rating is None:
        return f"{name}\tNone\n"
    written = json.dumps({"errors": list(_errors(slot_values(rating.answer, rating.label)))}, ensure_ascii=False)
    return f"{name}\t{written}\t{raters[rating.annotator]}\n"


def _errors(answered: Any) -> Iterator[dict[str, Any]]:
    for span in answered.get("spans", ()):
        yield _error(
            span["start"],
            span["end"],
            span.get("category"),
            span["severity"],
            is_source=span.get("side") == Side.SOURCE,
        )
    for tag in answered.get("tags", ()):
        yield _error(0, 0, tag["tag"], tag["severity"], is_source=False)


def _error(start: int, end: int, category: str | None, severity: str, *, is_source: bool) -> dict[str, Any]:
    about = {"start": start, "end": end, "category": category or None, "severity": severity}
    return {**about, "score": None, "is_source_error": is_source}
