"""What happened to a file on its way is told in words, with its place, in every format; nothing of it is stored."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from campaigns.models import Campaign
from tests.test_hostile_files import IMPORTERS, outcome

pytestmark = pytest.mark.django_db
TEXT_LINES = ("text", "documents of a text")  # any line is right, and so is a part of it
ROWS_ALIKE = (
    "appraise-csv",
    "marot",
    "wmt-mqm-tsv",
    "wmt-mqm-sxs",
    "anthea",
    "judgments of unknown format",
)  # both count
NO_NAMES = (
    *TEXT_LINES,
    "mt-metrics-eval",
    "mt-metrics-eval-ratings",
    "documents of scores",
    "question lines",
    "practice",
)
IN_TEXTS = ("It is", "Talks", "When", "One", "Eins", "eins", "Late", "news", "system")
A_NUMBER = re.compile(r'(?<=": )\d+(\.\d+)?(?=[,}\]])|(?<=[,\t])(70|0\.5)(?=[,\n])')


def plain(name: str) -> str:
    return IMPORTERS[name].sound.replace(b"~", b"").decode()


def put(name: str, what: str) -> bytes:
    """After the first sign of a text."""
    text = plain(name)
    word = next(word for word in IN_TEXTS if word in text)
    return text.replace(word, word[0] + what + word[1:], 1).encode("utf-8", "surrogateescape")


def cut(name: str) -> bytes:
    """In the middle of the last row, text or element."""
    whole = plain(name).rstrip().encode()
    return whole[: whole.rindex(b"\n") + 4] if b"\n" in whole and IMPORTERS[name].suffix != ".xml" else whole[:-3]


def kinds(*suffixes: str, but: tuple[str, ...] = ()) -> list[str]:
    """Importers of files that are called so."""
    return [name for name, each in IMPORTERS.items() if each.suffix in suffixes and name not in but]


TABLES, JSON, XML = (".csv", ".tsv", ".seg.score", ".docs"), (".json", ".jsonl"), (".xml", ".xlf", ".tmx")
CASES: dict[str, tuple[Callable[[str], bytes], list[str], str]] = {
    "breaks off": (
        cut,
        kinds(*TABLES, *JSON, *XML, ".seg.rating", but=("people", "questions", "appraise-csv", "documents of scores")),
        "cells|JSON|XML is not valid|a score|rating|columns|no rows|empty|quotation mark|scores|in the middle",
    ),
    "in Latin-1": (
        lambda name: put(name, "\udce9"),
        kinds(*TABLES, *JSON, *XML, ".txt", but=("people", "mt-metrics-eval", "appraise-csv")),
        "Not UTF-8|XML is not valid|not UTF-8|Correct its name|column",
    ),
    "half a character": (lambda name: put(name, "\\ud800"), kinds(*JSON), "half a character|cannot be stored"),
    "a character NUL": (
        lambda name: put(name, "\x00"),
        kinds(*TABLES, *JSON, *XML, ".txt", but=("people", "mt-metrics-eval", "appraise-csv")),
        r"Control character U\+0000|NUL|XML is not valid|cannot be read|column",
    ),
    "no number": (
        lambda name: A_NUMBER.sub("NaN", plain(name), count=1).encode(),
        [
            name
            for name in IMPORTERS
            if IMPORTERS[name].suffix != ".xlsx" and name != "wmt-mqm-tsv" and A_NUMBER.search(plain(name))
        ],
        "“NaN” is not a number|not a finite number|no scores",
    ),
    "twice": (
        lambda name: (plain(name) + plain(name).split("\n", IMPORTERS[name].suffix in TABLES)[-1]).encode(),
        kinds(*TABLES, *JSON, *XML, but=(*ROWS_ALIKE, *NO_NAMES)),
        "twice|already|Extra data|XML is not valid|has a question|Occurs",
    ),
    "an entity": (
        lambda name: re.sub(
            r"(<!DOCTYPE[^>]*>)?(?=<(xliff|tmx|dataset))",
            '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]>',
            plain(name).replace("It is", "&e;"),
            count=1,
        ).encode(),
        kinds(*XML),
        "declares an entity",
    ),
}


@pytest.mark.drawn(6)
@pytest.mark.parametrize(("what", "name"), [(what, name) for what, case in CASES.items() for name in case[1]])
def test_it_is_refused_with_its_place(what: str, name: str, campaign: Campaign, tmp_path: Path) -> None:
    damaged, _names, words = CASES[what]
    refusal = outcome(IMPORTERS[name], damaged(name), tmp_path)
    assert refusal is not None
    assert re.search(words, refusal), refusal
    where = r"(hostile|en-de)[^:]*(, line \d+|, \[?\w+|\[\d+\])|line \d+, \w+|The file has no scores"
    assert re.search(where, refusal), refusal
    assert "Traceback" not in refusal
