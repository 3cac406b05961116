"""The words of other languages, made ready when the translators' files have changed."""

from pathlib import Path

from bootstrap.places import WORDS, WORK
from bootstrap.stamps import digest_of, is_current, put_stamp
from bootstrap.steps import one_at_a_time, perform

STAMP = WORK / "stamps" / "words"


def compile_words(python: Path) -> None:
    files = sorted(WORDS.glob("*/LC_MESSAGES/django.po"))
    digest = digest_of(files)
    if _are_ready(files, digest):
        return
    with one_at_a_time():
        if not _are_ready(files, digest):
            perform("Putting the words of other languages into place", [python, "manage.py", "compile_words"])
            put_stamp(STAMP, digest)


def _are_ready(files: list[Path], digest: str) -> bool:
    made = (file.with_name(name) for file in files for name in ("django.mo", "scripts.json"))
    return is_current(STAMP, digest) and all(file.exists() for file in made)
