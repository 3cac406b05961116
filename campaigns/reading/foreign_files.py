"""Files of other kinds, recognised by how they begin: the kind of such a file, and what to do with it."""

import re

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

LOOKED_AT = 65_536  # bytes from the beginning
Kinds = tuple[tuple[str, str | Promise], ...]

_AS_TABLE = _(
    "Export its segments as a table (CSV) and try again; the columns are document, segment, source and one for each "
    "system."
)
_MARKS: Kinds = (
    ("PK\x05\x06", _("This is an empty ZIP archive. Choose the file that was meant to be in it.")),
    ("\xd0\xcf\x11\xe0", _("This is an old Excel or Word file. Save it as CSV and try again.")),
    ("\x1f\x8b", _("This file is compressed with gzip. Unpack it and try again.")),
    ("BZh", _("This file is compressed with bzip2. Unpack it and try again.")),
    ("\xfd7zXZ", _("This file is compressed with xz. Unpack it and try again.")),
    ("(\xb5/\xfd", _("This file is compressed with zstd. Unpack it and try again.")),
    ("7z\xbc\xaf", _("This is a 7-Zip archive. Unpack it and try again.")),
    ("Rar!", _("This is a RAR archive. Unpack it and try again.")),
    ("%PDF", _("This is a PDF. Export the texts as CSV or plain text and try again.")),
    ("{\\rtf", _("This is a formatted text (RTF). Save it as plain text or CSV and try again.")),
    ("SQLite format 3", _("This is a database file. Export the texts as CSV and try again.")),
)
# by what stands among the first entries of a ZIP file
_ZIPPED: Kinds = (
    ("xl/", _("This is an Excel workbook (XLSX). Save the sheet as CSV (UTF-8) and try again.")),
    ("word/", _("This is a Word document (DOCX). Save it as plain text or CSV and try again.")),
    ("oasis.opendocument", _("This is an OpenDocument file. Save it as CSV (UTF-8) and try again.")),
    ("settings.json", _("This is a ZIP archive, perhaps a campaign that Assay wrote: use Rebuild from an archive.")),
    ("", _("This is a ZIP archive or an Excel workbook. Unpack it, or save the sheet as CSV, and try again.")),
)
_PICTURE = re.compile(
    rb"\x89PNG|\xff\xd8\xff|GIF8[79]a|BM.{4}\0{4}|II\*\0|MM\0\*|RIFF.{4}WEBP|.{4}ftyp(avif|hei[cx]|mif1)", re.DOTALL
)
_IS_PICTURE = _("This is a picture. Export the texts as CSV or plain text and try again.")
_ELEMENTS: Kinds = (
    ("tbx", _("This is a terminology file (TBX).")),
    ("martif", _("This is a terminology file (TBX).")),
    ("html", _("This is a web page (HTML).")),
    ("!doctype html", _("This is a web page (HTML).")),
)
_TEXTS: Kinds = (
    ("xliff", _("This is an XLIFF file of a translation tool. Import it as a test set.")),
    ("tmx", _("This is a translation memory (TMX). Import it as a test set.")),
)
_APPRAISE = _(
    "This looks like a batch file of Appraise (JSON). It comes in as a whole, by import_campaign --format "
    "appraise-json; judgments that Appraise exported as CSV by import_judgments --format appraise-csv."
)
_PEARMUT = _(
    "This looks like a campaign of Pearmut (JSON). It comes in as a whole, by import_campaign --format pearmut."
)
# any set of keys that stands among the first ones
_KEYS: tuple[tuple[tuple[frozenset[str], ...], str | Promise], ...] = (
    (
        (frozenset({"CAMPAIGN_NAME", "TASKS_TO_ANNOTATORS"}), frozenset({"CAMPAIGN_KEY", "CAMPAIGN_NO"})),
        _(
            "This looks like a manifest of Appraise (JSON): it holds settings and no texts. Give the file of its "
            "batches, and this one as --manifest."
        ),
    ),
    (
        (
            frozenset({"items", "itemType"}),
            frozenset({"itemID", "sourceID", "targetID"}),
            frozenset({"itemID", "segmentID", "targets"}),
        ),
        _APPRAISE,
    ),
    (
        (frozenset({"annotation", "item", "user_id"}), frozenset({"annotation", "actions", "item"})),
        _(
            "This looks like annotations of Pearmut (JSON). They come in as judgments, by import_judgments --format "
            "pearmut."
        ),
    ),
    (
        (frozenset({"annotations", "data", "result"}), frozenset({"annotations", "data", "predictions"})),
        _(
            "These look like tasks of Label Studio (JSON). Import them as judgments, by import_judgments --format "
            "label-studio."
        ),
    ),
    ((frozenset({"info", "assignment", "data"}), frozenset({"info", "assignment", "protocol"})), _PEARMUT),
    ((frozenset({"item_id", "src", "tgt"}),), _PEARMUT),
    (
        (frozenset({"src_text", "tgt_lang"}), frozenset({"doc_id", "src_lang", "tgt_lang"})),
        _(
            "This looks like a test set of WMT's general task (JSON lines). Import it as a test set, with a file for "
            "each system: drop all of them on New campaign, or use import_test_set --format wmt-genmt."
        ),
    ),
)
_OURS = ({"document", "segment", "source"}, {"document", "question"}, {"translations"})
_KEY = re.compile(r'"([^"\\]{1,60})"\s*:')
_SPREAD = re.compile(r'\[\s*[\[{]\s*["\[{\]}]|\{[ \t]*[\r\n]\s*"')
_ONE_VALUE = _(
    "This is one JSON value over the whole file, of a kind that Assay does not know. Write a table (CSV), or JSON "
    "lines with one object a line."
)


_NEEDED: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Assay", ("document", "segment", "source", "translations")),
    ("WMT GenMT", ("doc_id", "src_text")),
    ("Pearmut", ("info", "data")),
    ("Pearmut annotations", ("annotation", "item", "user_id")),
    ("Appraise batch", ("task", "items")),
    ("Appraise manifest", ("CAMPAIGN_NAME", "TASKS_TO_ANNOTATORS")),
    ("Label Studio", ("data", "annotations")),
    ("WMT GenMT scores", ("doc_id", "tgt_text", "scores")),
    ("subset2evaluate", ("src", "tgt", "scores")),
)


def keys_in(text: str) -> set[str]:
    """Of the objects of JSON, however deep."""
    return set(_KEY.findall(text))


def kind_of(head: bytes, *, formats: bool = True) -> str | None:
    """The kind of a file that begins like this, with what to do; None for a file that may be ours.

    With `formats` JSON of no known kind is told which formats of test sets were tried.
    """
    if _PICTURE.match(head):
        return str(_IS_PICTURE)
    text = head.replace(b"\x00", b"").decode("latin-1")
    for mark, message in _MARKS:
        if text.startswith(mark):
            return str(message)
    if text.startswith("PK\x03\x04"):
        return next(str(message) for name, message in _ZIPPED if name in text)
    text = _after_mark(text)
    if text.startswith("<"):
        return _element(text)
    return _json(text, formats=formats) if text.startswith(("{", "[")) else None


def campaign_format_of(text: str) -> str:
    """The format of a file that holds a whole campaign, by its beginning; empty for any other."""
    found = _json(text) if text.startswith(("{", "[")) else None
    return {str(_PEARMUT): "pearmut", str(_APPRAISE): "appraise-json"}.get(found or "", "")


def format_of_xml(head: bytes) -> str:
    """The kind of XML that test sets come in, by the first element of a file that begins like this; else empty."""
    text = _after_mark(head.replace(b"\x00", b"").decode("latin-1"))
    return next((name for name, _message in _TEXTS if text.startswith("<") and _begins_with(name, text)), "")


def _after_mark(text: str) -> str:
    return text.removeprefix("ï»¿").removeprefix("ÿþ").removeprefix("þÿ").lstrip()


def _begins_with(name: str, text: str) -> bool:
    text = re.sub(r"<\?.*?\?>|<!--.*?-->", "", text[:4096], flags=re.DOTALL).lstrip().lower()
    return re.match(rf"(<!doctype[^>]*>\s*)?<([a-z0-9]+:)?{name}[\s>/]", text) is not None


def _element(text: str) -> str | None:
    """By the first element of XML."""
    for name, message in _TEXTS:
        if _begins_with(name, text):
            return str(message)
    for name, message in (("svg", _IS_PICTURE), *_ELEMENTS):
        if _begins_with(name, text):
            return str(message) if message is _IS_PICTURE else f"{message} {_AS_TABLE}"
    return None


def _json(text: str, *, formats: bool = True) -> str | None:
    keys = keys_in(text)
    if any(own <= keys for own in _OURS) and text.startswith("{"):
        return None
    for sets, message in _KEYS:
        if any(some <= keys for some in sets):
            return str(message)
    if not formats or not _SPREAD.match(text):
        return None
    return f"{_ONE_VALUE} {formats_tried(text)}"


def is_appraise_manifest(text: str) -> bool:
    return "TASKS_TO_ANNOTATORS" in keys_in(text) and text.startswith("{")


def is_archive(head: bytes) -> bool:
    """A ZIP file that is no workbook, no document and no campaign that Assay wrote."""
    return head.startswith(b"PK\x03\x04") and kind_of(head) == str(_ZIPPED[-1][1])


def is_packed(head: bytes) -> bool:
    """An archive of any kind, within which nothing is looked for."""
    return is_archive(head) or head.startswith(
        (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"(\xb5/\xfd", b"7z\xbc\xaf", b"Rar!")
    )


def formats_tried(text: str) -> str:
    """What JSON that begins like this would need, to be of a format that Assay knows; empty if it is of one."""
    keys = keys_in(text)
    missing = [(title, [f"`{key}`" for key in needed if key not in keys]) for title, needed in _NEEDED]
    if not all(lacks for _title, lacks in missing):
        return ""
    told = [_("%(format)s: no %(keys)s") % {"format": title, "keys": ", ".join(lacks)} for title, lacks in missing]
    return _("Formats tried: %(formats)s.") % {"formats": "; ".join(map(str, told))}
