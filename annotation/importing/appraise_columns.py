"""Which column of an Appraise export holds what: told by a header where there is one, else by the first row."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from annotation.importing.reading import Reading
from campaigns.importing.problems import UnreadableFileError

FIRST = ("annotator", "system", "item", "type", "source_language", "target_language", "score")
DOCUMENT = ("document", "is_document")
TIMES = ("started", "ended")
BATCH = ("batch", "batch_item")
REQUIRED = ("annotator", "system", "item", "type", "score")
# names in headers people put above such files, in lower case and without signs
_ALIASES = {
    "annotator": ("username", "user", "account", "annotator", "login", "userid"),
    "system": ("system", "systemid", "targetid"),
    "item": ("itemid", "item", "segmentid", "segid", "segment"),
    "type": ("itemtype", "type"),
    "source_language": ("srclang", "src", "source", "sourcelanguage", "srclanguage", "sourcelang"),
    "target_language": ("trglang", "trg", "target", "tgt", "targetlanguage", "tgtlang", "targetlang"),
    "score": ("score",),
    "document": ("docid", "documentid", "document", "doc"),
    "is_document": ("isdocscore", "isdocumentscore", "iscompletedocument", "isdoc"),
    "spans": ("mqm", "errorspans", "spans", "esaspans"),
    "started": ("timestart", "start", "starttime", "started"),
    "ended": ("timeend", "end", "endtime", "ended"),
    "batch": ("batchno", "batch", "batchid"),
    "batch_item": ("realitemid",),
}
_KNOWN = {alias: column for column, aliases in _ALIASES.items() for alias in aliases}


def columns_of(first: Sequence[str], reading: Reading) -> tuple[list[str], bool]:
    """The name of each column ("" where nobody knows it), and whether the row is a header."""
    named = [_KNOWN.get("".join(sign for sign in cell.lower() if sign.isalnum()), "") for cell in first]
    if "score" in named and "system" in named:
        return _checked(named, first, reading), True
    return _by_shape(first, reading), False


def _checked(named: list[str], first: Sequence[str], reading: Reading) -> list[str]:
    missing = [column for column in REQUIRED if column not in named]
    twice = sorted({column for column in named if column and named.count(column) > 1})
    if missing or twice:
        message = _("The header has no column for %(missing)s, or two for the same.")
        reading.problems.add(
            reading.file, 1, "", message % {"missing": ", ".join(missing or twice)}, ", ".join(first), is_fatal=True
        )
        raise UnreadableFileError
    unknown = [cell.strip() for cell, column in zip(first, named, strict=True) if not column]
    if unknown:
        reading.note(_("Unknown columns, ignored: %(unknown)s.") % {"unknown": ", ".join(unknown)})
    return named


def _by_shape(first: Sequence[str], reading: Reading) -> list[str]:
    """Seven columns always; then document, spans, times and batch, each of which may be left out."""
    columns, rest = list(FIRST), list(first[len(FIRST) :])
    if len(rest) > 1 and rest[1].strip().lower() in ("true", "false"):
        columns += DOCUMENT
        del rest[:2]
    if rest and rest[0].lstrip().startswith(("[", "{")):
        columns.append("spans")
        del rest[:1]
    for pair in (TIMES, BATCH):
        if len(rest) > 1:
            columns += pair
            del rest[:2]
    if len(first) < len(FIRST) or rest:
        message = _(
            "%(count)d columns are no export of Appraise. It has 11, or 12 with error spans: annotator, system, item, "
            "type, languages, score, document, whether it is the document's score, spans, start and end."
        )
        reading.problems.add(reading.file, 1, "", message % {"count": len(first)}, is_fatal=True)
        raise UnreadableFileError
    return columns
