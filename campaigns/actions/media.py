"""Pictures, sound and video get their place beside a segment or a document of a test set that exists.

Used by every import (a folder, an archive, a campaign's file of another tool): `add_media` looks at all files first,
reports everything that is wrong with them together, and stores all or none.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.db.models import Sum
from django.utils.translation import gettext as _

from campaigns.actions.audit import record
from campaigns.media.captions import read_captions
from campaigns.media.content import Content, examine_medium
from campaigns.media.errors import MediaError, MediumError
from campaigns.media.storage import pieces_of_file, store_pieces
from campaigns.models import Account, Campaign, Document, Medium, Segment, TestSet
from campaigns.reading.problems import Problems

OnProgress = Callable[[float], None]
LONGEST_ALT = 1_000
LONGEST_NAME = 255
_MEGABYTE = 1_000_000


@dataclass(frozen=True)
class MediumFile:
    """A file for a segment, or for the whole document where `segment` is empty; both by their names in the test set.

    `name` is what messages call the file, such as its path below the folder it came from. `captions` is a WebVTT file.
    """

    document: str
    segment: str
    path: Path
    name: str
    alt: str = ""
    captions: Path | None = None


@dataclass(frozen=True)
class AddedMedia:
    """`unchanged` are files that were there before, beside the same text."""

    added: int
    replaced: int
    unchanged: int


@dataclass(frozen=True)
class _Checked:
    file: MediumFile
    document: int
    segment: int | None
    content: Content
    captions: str


def add_media(
    *,
    test_set: TestSet,
    files: Iterable[MediumFile],
    by: Account | None,
    on_progress: OnProgress | None = None,
    problems: Problems | None = None,
) -> AddedMedia:
    """Raises MediaError with everything that is wrong, file by file; then nothing was stored.

    `problems` are those that were noticed before, to be reported with the others.

    A medium takes the place of an earlier one only as long as no campaign on the test set has opened: what people
    judged by is not changed.
    """
    wanted, problems, progress = list(files), problems or Problems(), on_progress or (lambda _share: None)
    checked = _checked(test_set, wanted, problems, progress)
    _check_total(test_set, checked, problems)
    if problems.count:
        raise MediaError(problems)
    rows = [_row(each) for each in checked]
    with transaction.atomic():
        TestSet.objects.select_for_update().get(pk=test_set.pk)
        outcome = _store_rows(test_set, rows, problems)
        if problems.count:
            raise MediaError(problems)
        if outcome.added or outcome.replaced:
            record(action="media_added", by=by, test_set=test_set.name, files=outcome.added + outcome.replaced)
    return outcome


def media_size(test_set: TestSet) -> int:
    """Bytes of all media; a file that stands beside several texts counts once for each."""
    return Medium.objects.filter(document__test_set=test_set).aggregate(total=Sum("size"))["total"] or 0


def _checked(
    test_set: TestSet, files: Sequence[MediumFile], problems: Problems, on_progress: OnProgress
) -> list[_Checked]:
    documents = dict(Document.objects.filter(test_set=test_set).values_list("name", "pk"))
    names = {file.document for file in files}
    of_documents = Segment.objects.filter(document__in=[key for name, key in documents.items() if name in names])
    segments = {(document, name): key for key, document, name in of_documents.values_list("pk", "document", "name")}
    taken: dict[tuple[int, int | None], str] = {}
    checked = []
    for number, file in enumerate(files, start=1):
        try:
            document, segment = _place(file, documents, segments)
            if other := taken.get((document, segment)):
                raise MediumError(_("“%(other)s” is for the same text. Keep one of them.") % {"other": other})
            taken[document, segment] = file.name
            if len(file.alt) > LONGEST_ALT:
                raise MediumError(_("The description has more than %(limit)d characters.") % {"limit": LONGEST_ALT})
            captions = read_captions(file.captions) if file.captions else ""
            checked.append(_Checked(file, document, segment, examine_medium(file.path), captions))
        except MediumError as error:
            problems.add(file.name, None, "", str(error))
        except OSError as error:
            why = error.strerror or str(error)
            problems.add(file.name, None, "", _("The file cannot be read: %(why)s.") % {"why": why})
        on_progress(number / (2 * len(files)))
    return checked


def _place(file: MediumFile, documents: dict[str, int], segments: dict[tuple[int, str], int]) -> tuple[int, int | None]:
    document = documents.get(file.document)
    if document is None:
        raise MediumError(_("The test set has no document “%(name)s”.") % {"name": file.document})
    if not file.segment:
        return document, None
    segment = segments.get((document, file.segment))
    if segment is None:
        message = _("The document “%(document)s” has no segment “%(segment)s”.")
        raise MediumError(message % {"document": file.document, "segment": file.segment})
    return document, segment


def _check_total(test_set: TestSet, checked: Sequence[_Checked], problems: Problems) -> None:
    limit = settings.MEDIA_MEGABYTES["test_set"]
    total = media_size(test_set) + sum(each.file.path.stat().st_size for each in checked)
    if total > limit * _MEGABYTE:
        message = _("All media of the test set together have %(size)d MB; at most %(limit)d MB are allowed.")
        problems.add("", None, "", message % {"size": total // _MEGABYTE, "limit": limit})


def _row(each: _Checked) -> Medium:
    content, path = each.content, each.file.path
    pieces = pieces_of_file(path) if content.data is None else [content.data]
    return Medium(
        document_id=each.document,
        segment_id=each.segment,
        kind=content.kind,
        file_hash=store_pieces(pieces),
        content_type=content.content_type,
        size=path.stat().st_size if content.data is None else len(content.data),
        width=content.width,
        height=content.height,
        duration_ms=content.duration_ms,
        name=each.file.name[-LONGEST_NAME:],
        alt=each.file.alt,
        captions=each.captions,
    )


def _store_rows(test_set: TestSet, rows: Sequence[Medium], problems: Problems) -> AddedMedia:
    stored = {(each.document_id, each.segment_id): each for each in Medium.objects.filter(document__test_set=test_set)}
    has_opened = Campaign.objects.filter(test_set=test_set, opened_at__isnull=False).exists()
    new, replaced, unchanged = [], [], 0
    for row in rows:
        before = stored.get((row.document_id, row.segment_id))
        if before is None:
            new.append(row)
        elif _is_same(before, row):
            unchanged += 1
        elif has_opened:
            message = _(
                "Another file, “%(name)s”, is beside this text already, and a campaign on this test set has been "
                "opened. Import the texts as a new test set."
            )
            problems.add(row.name, None, "", message % {"name": before.name})
        else:
            replaced.append(before)
            new.append(row)
    Medium.objects.filter(pk__in=[each.pk for each in replaced]).delete()
    Medium.objects.bulk_create(new, batch_size=500)
    return AddedMedia(len(new) - len(replaced), len(replaced), unchanged)


def _is_same(before: Medium, row: Medium) -> bool:
    return (before.file_hash, before.alt, before.captions) == (row.file_hash, row.alt, row.captions)
