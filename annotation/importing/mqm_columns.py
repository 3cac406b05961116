"""Which column of an MQM file holds what: the headers of the years differ, and some files have none."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from annotation.importing.reading import Reading
from campaigns.importing.problems import UnreadableFileError

# in lower case and without signs
_ALIASES = {
    "system": ("system", "systemid", "mt"),
    "document": ("doc", "document", "docname", "documentid"),
    "segment": ("docid", "docsegid", "docseg", "segmentindoc"),
    "number": ("segid", "globalsegid", "seg", "segment", "segmentid"),
    "rater": ("rater", "annotator", "raterid", "annotatorid"),
    "source": ("source", "src", "sourcetext"),
    "target": ("target", "tgt", "targettext", "translation", "hyp"),
    "category": ("category", "errorcategory", "errortype"),
    "severity": ("severity", "errorseverity"),
    "comment": ("comment", "comments", "note", "notes"),
    "metadata": ("metadata",),
}
_KNOWN = {alias: column for column, aliases in _ALIASES.items() for alias in aliases}
GUARDED = "#guarded"  # a column of ours: cells have an apostrophe where a spreadsheet would run a formula
_REQUIRED = ("system", "document", "rater", "target", "category", "severity")
_WITHOUT_HEADER = ("system", "document", "segment", "number", "rater", "source", "target", "category", "severity")


def columns_of(first: Sequence[str], reading: Reading) -> tuple[list[str], bool]:
    """The name of each column ("" where nobody knows it), and whether the row is a header."""
    named = [_KNOWN.get("".join(sign for sign in cell.lower() if sign.isalnum()), "") for cell in first]
    if "severity" not in named and "system" not in named:
        return _without_header(first, reading), False
    missing = [column for column in _REQUIRED if column not in named]
    if "segment" not in named and "number" not in named:
        missing.append("segment")
    twice = sorted({column for column in named if column and named.count(column) > 1})
    if missing or twice:
        message = _("The header has no column for %(missing)s, or two for the same. Columns are separated by tabs.")
        told = message % {"missing": ", ".join(missing or twice)}
        reading.problems.add(reading.file, 1, "", told, ", ".join(first), is_fatal=True)
        raise UnreadableFileError
    cells = zip(first, named, strict=True)
    unknown = [cell.strip() for cell, column in cells if not column and cell.strip() and not cell.startswith("#")]
    if unknown:
        reading.note(_("Unknown columns, ignored: %(unknown)s.") % {"unknown": ", ".join(unknown)})
    return named, True


def _without_header(first: Sequence[str], reading: Reading) -> list[str]:
    count = len(_WITHOUT_HEADER)
    if not count <= len(first) <= count + 1:
        message = _("%(count)d columns without a header are no MQM ratings. Columns are separated by tabs.")
        reading.problems.add(reading.file, 1, "", message % {"count": len(first)}, is_fatal=True)
        raise UnreadableFileError
    return [*_WITHOUT_HEADER, "comment"][: len(first)]
