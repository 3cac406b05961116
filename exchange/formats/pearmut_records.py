"""A file of Pearmut's annotations, record by record, and the campaign that they are of."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NoReturn

from django.utils.text import slugify
from django.utils.translation import gettext as _

from annotation.protocols.tags import DEFAULT_TAGS, MOST_TAGS
from campaigns.reading.problems import UnreadableFileError, text_error
from campaigns.reading.table_rows import LONGEST_ROW
from exchange.json_array import first_wrong_object, lengths_of_lists, objects_in_list
from exchange.json_values import JSONError, read_json
from exchange.reading import SourceFile
from exchange.staging.judgments import Reading

RESET = "__RESET__"
CHECK, PRACTICE, JUDGED = "checks", "practice", "screens"
_NAMES = {tag.name: tag.title for tag in DEFAULT_TAGS}


def role_of(items: Sequence[object], *, is_special: bool = False, is_random: bool = False) -> str:
    """What a document is for: by its place in the file, its name, or because it has rules.

    A rule that may be skipped teaches, another one checks. `is_special`: it is before, between or after the documents.
    """
    first = items[0] if items and isinstance(items[0], Mapping) else {}
    name = str(first.get("item_id") or "")
    if is_random or name.startswith("attention_check_"):
        return CHECK
    if is_special or "_#_tutorial_#_" in name:
        return PRACTICE
    rules = [rule for item in items if isinstance(item, Mapping) for _system, rule in rules_of(item)]
    if not rules:
        return JUDGED
    return PRACTICE if all(rule.get("allow_skip") for rule in rules) else CHECK


def rules_of(item: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Of the systems that are shown."""
    rules, shown = item.get("validation"), item.get("tgt")
    if isinstance(rules, Mapping) and isinstance(shown, Mapping):
        yield from ((system, rule) for system, rule in rules.items() if system in shown and isinstance(rule, Mapping))


def may_skip(item: Mapping[str, Any]) -> bool:
    """Said of the segment, or by each of its rules."""
    rules = [rule for _system, rule in rules_of(item)]
    return bool(item.get("skippable")) or (bool(rules) and all(rule.get("allow_skip") for rule in rules))


def is_json(beginning: str) -> bool:
    return beginning.startswith(("{", "["))


def tags_of(tokens: object) -> tuple[tuple[str, str], ...] | None:
    """Names and titles of special tokens; None for what is not a list of texts."""
    if not isinstance(tokens, list) or len(tokens) > MOST_TAGS or not all(isinstance(each, str) for each in tokens):
        return None
    named = [(tag_name(token, place), token.strip("[] ") or token) for place, token in enumerate(tokens, start=1)]
    return tuple((name, _NAMES.get(name, title)) for name, title in named)


def tag_name(token: str, place: int) -> str:
    """A token in another script has no name in Latin letters."""
    name = slugify(token).replace("-", "_")
    return name if re.fullmatch("[a-z][a-z0-9_]{0,39}", name) else f"tag_{place}"


def records(reading: Reading) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """With their numbers, from 1: of a download (an object of lists by campaign), or of a log (one on each line)."""
    if _is_log(reading):
        for line, record in reading.json_objects():
            yield line.number or 0, record
        return
    if (lengths := lengths_of_lists(reading)) is not None:
        chosen = chosen_campaign(reading, list(lengths), reading.campaign_id)
        yield from enumerate(objects_in_list(reading, lengths, chosen), start=1)
        return
    value = whole_json(reading)  # which finds what is wrong
    if not isinstance(value, Mapping) or not all(isinstance(each, list) for each in value.values()):
        reading.refuse(_("This is no file of annotations: it must be an object with a list for each campaign."))
    for number, record in enumerate(value[chosen_campaign(reading, list(value), reading.campaign_id)], start=1):
        if isinstance(record, Mapping):
            yield number, record
        else:
            reading.line(number).refuse("", _("A record must be a JSON object."))


def _is_log(reading: Reading) -> bool:
    """Whether the first line is a whole record."""
    with reading.open_text(newline="\n") as stream:  # a download is often one line, and as long as the file
        lines = iter(lambda: stream.readline(LONGEST_ROW), "")
        first = next((line for line in lines if line.strip()), "")
    if len(first) == LONGEST_ROW:
        return False
    try:
        record = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return isinstance(record, dict) and "annotation" in record


MOST_PLACES = 100
MOST_MEGABYTES = 300  # a whole value is in memory at once
_ODD_VALUES = re.compile(
    r"[\[:,]\s*(NaN|-?Infinity)|\\u[dD][89aAbB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])"
    r"|(?<!\\u[dD][89aAbB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)


def whole_json(file: SourceFile) -> Any:
    """One value over the whole file; bytes and characters that cannot be are refused at their lines."""
    try:
        if (size := file.path.stat().st_size) > MOST_MEGABYTES * 1_000_000:
            _refuse_large(file, size // 1_000_000)
        with file.open_text(newline=None) as stream:
            text = stream.read()
    except OSError as error:
        file.refuse(_("The file cannot be read: %(reason)s.") % {"reason": error.strerror})
    wrong = [(number, each) for number, line in enumerate(text.split("\n"), start=1) if (each := text_error(line))]
    for number, message in wrong:
        file.line(number).refuse("", message, is_fatal=True)
    if wrong:
        raise UnreadableFileError
    try:
        return read_json(text)
    except JSONError as error:
        message = _("This JSON cannot be stored: %(reason)s.") % {"reason": error.reason}
        if error.line is not None:
            file.refuse(message, error.line, f"column {error.column}")
        lines = [text.count("\n", 0, match.start()) + 1 for match in islice(_ODD_VALUES.finditer(text), MOST_PLACES)]
        for number in lines:
            file.line(number).refuse("", message, is_fatal=True)
        if not lines:
            file.refuse(message)
        raise UnreadableFileError from error


def _refuse_large(file: SourceFile, megabytes: int) -> NoReturn:
    """With what is wrong in it, where it is lists of objects: those that are right are read one by one."""
    if (wrong := first_wrong_object(file)) is not None:
        message = _("Record %(number)d cannot be read: %(reason)s. Download the file again, or correct it there.")
        file.refuse(message % {"number": wrong[0], "reason": wrong[1]})
    message = _("%(size)d MB. JSON that is one value is read up to %(limit)d MB. Divide it into several files.")
    file.refuse(message % {"size": megabytes, "limit": MOST_MEGABYTES})


def chosen_campaign(file: SourceFile, campaigns: list[str], requested: str) -> str:
    if requested and requested not in campaigns:
        message = _("There is no campaign “%(campaign)s” in this file. It has: %(known)s.")
        file.refuse(message % {"campaign": requested, "known": ", ".join(campaigns) or "-"})
    if not requested and len(campaigns) != 1:
        message = _("Choose one campaign of this file with --campaign-id. It has: %(known)s.")
        file.refuse(message % {"known": ", ".join(campaigns) or "-"})
    return requested or campaigns[0]


@dataclass(frozen=True)
class Place:
    """What the name of an item says."""

    document: str
    segment: str
    domain: str = ""
    languages: tuple[str, str] = ("", "")


def place_of(item: str) -> Place:
    """`DOMAIN_###_document_###_0`, `en-ja_JP_#_DOMAIN_#_document_#_s0_#_dup1`, or any other name, which is both."""
    parts = item.split("_###_")
    if len(parts) >= 3:
        return Place("_###_".join(parts[1:-1]), parts[-1], parts[0])
    parts = item.split("_#_")
    if len(parts) > 3 and re.fullmatch(r"dup\d+", parts[-1]):
        parts.pop()
    if len(parts) >= 4:
        pair = re.fullmatch(r"([a-z]{2,3})-([a-z]{2,3})(?:_\w+)?", parts[0])
        languages = (pair[1], pair[2]) if pair else ("", "")
        return Place("_#_".join(parts[2:-1]), parts[-1], parts[1], languages)
    return Place(item, item)


_MEDIUM = re.compile(r"\s*<(video|audio|img|iframe)\b", re.IGNORECASE)


def is_medium(source: object) -> bool:
    """A text that begins like this is shown as HTML there."""
    return isinstance(source, str) and _MEDIUM.match(source) is not None


def source_of(item: Mapping[str, Any]) -> str | None:
    """The words: a medium is no text."""
    source, words = item.get("src"), item.get("src_text")
    if isinstance(source, str) and not is_medium(source):
        return source
    return words if isinstance(words, str) else None
