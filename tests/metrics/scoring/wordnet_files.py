"""WordNet as it really is, and a small release in its format."""

import shutil
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from metrics.automatic.wordnet import FILES
from metrics.scoring.wordnet_folder import WordNetError, from_debian
from tests.left_out import leave_out

LICENCE = (
    "  1 This software and database is being provided to you, the LICENSEE, by  \n"
    "  2 Princeton University under the following license.  \n"
    "  3   \n"
    "  4 WordNet 3.0 Copyright 2006 by Princeton University.  All rights reserved.  \n"
)


def write_release(folder: Path, *, words: int = 2_000, release: str = "3.0") -> Path:
    """As many words without synonyms, and a boat that is a vessel."""
    folder.mkdir(parents=True, exist_ok=True)
    licence = LICENCE.replace("3.0", release)
    nouns = [f"word{number} n 1 0 1 0 {number:08d}" for number in range(words)]
    nouns += ["boat n 1 0 1 0 99999999", "vessel n 1 0 1 0 99999999"]
    (folder / "index.noun").write_text(licence + "\n".join(nouns) + "\n")
    for part in ("verb", "adj", "adv"):
        (folder / f"index.{part}").write_text(licence)
    for part in ("noun", "verb", "adj", "adv"):
        (folder / f"{part}.exc").write_text("geese goose\n" if part == "noun" else "")
    return folder


def real_wordnet() -> str:
    """Debian's, fetched once. Where it cannot be had a test that needs it fails in CI and is left out elsewhere."""
    folder = _fetched()
    if isinstance(folder, WordNetError):
        leave_out(f"WordNet cannot be fetched: {folder}")
    return folder.name


@cache
def _fetched() -> "TemporaryDirectory[str] | WordNetError":
    folder = TemporaryDirectory(prefix="wordnet-")  # gone with the process
    try:
        with from_debian() as brought:
            for name in FILES:
                shutil.copy(brought.folder / name, folder.name)
    except WordNetError as error:
        return error
    return folder
