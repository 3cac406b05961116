"""Which words share a meaning, read from a WordNet directory: its index files and its lists of exceptions."""

import hashlib
import re
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path

PARTS = ("noun", "verb", "adj", "adv")
INDEX_FILES = tuple(f"index.{part}" for part in PARTS)
FILES = (*INDEX_FILES, *(f"{part}.exc" for part in PARTS))  # all that is read
_CACHED_WORDS = 100_000
_LONGEST_LICENCE = 40  # lines; that of 3.0 has 29
_ENDINGS: dict[str, tuple[tuple[str, str], ...]] = {
    "noun": (
        ("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
        ("men", "man"), ("ies", "y"),
    ),
    "verb": (
        ("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""),
    ),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}  # fmt: skip


class WordNet:
    """A lexicon in the format of wndb(5WN). Reading takes a second and is put off until the first question."""

    def __init__(self, directory: str) -> None:
        self._directory = Path(directory)
        self._remembered = lru_cache(_CACHED_WORDS)(self.meanings)
        missing = [name for name in INDEX_FILES if not (self._directory / name).is_file()]
        if missing:
            raise ValueError(f"{self._directory} is not a WordNet directory: it lacks {', '.join(missing)}.")

    @cached_property
    def version(self) -> str:
        """The release that the licence in the files names, and a hash of all that is read: such as `3.0-1a2b3c4d`."""
        digest = hashlib.blake2b(digest_size=4)
        for path in map(self._directory.joinpath, FILES):
            digest.update(path.read_bytes() if path.is_file() else b"")
        return f"{self.release or 'unnamed'}-{digest.hexdigest()}"

    @property
    def release(self) -> str:
        """As the licence names it; empty where it does not."""
        match = re.search(r"WordNet (\d+(?:\.\d+)*) Copyright", self.licence)
        return match[1] if match else ""

    @cached_property
    def licence(self) -> str:
        """As at the head of the files, without line numbers."""
        with (self._directory / INDEX_FILES[0]).open(encoding="utf-8") as lines:
            head = [line for line in islice(lines, _LONGEST_LICENCE) if line.startswith(" ")]
        return "\n".join(re.sub(r"^ +\d+ ?", "", line).rstrip() for line in head).strip() + "\n"

    @property
    def words(self) -> int:
        """How many there are, each form counted once."""
        return len(self._known)

    def are_synonyms(self, word: str, other: str) -> bool:
        """Whether the words, or their base forms, are in one set of synonyms."""
        return not self._remembered(word).isdisjoint(self._remembered(other))

    @cached_property
    def _known(self) -> dict[str, frozenset[tuple[str, str]]]:
        """The sets of synonyms of each word, by part of speech and number."""
        known: dict[str, set[tuple[str, str]]] = {}
        for part in PARTS:
            for line in (self._directory / f"index.{part}").read_text(encoding="utf-8").splitlines():
                cells = line.split()
                if line.startswith(" ") or len(cells) < 4:
                    continue  # the licence is at the beginning, each line indented
                known.setdefault(cells[0], set()).update((part, number) for number in cells[-int(cells[2]) :])
        return {word: frozenset(sets) for word, sets in known.items()}

    @cached_property
    def _exceptions(self) -> dict[str, dict[str, list[str]]]:
        exceptions: dict[str, dict[str, list[str]]] = {part: {} for part in PARTS}
        for part, of_part in exceptions.items():
            path = self._directory / f"{part}.exc"
            for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
                form, *words = line.split()
                of_part[form] = words
        return exceptions

    def meanings(self, word: str) -> frozenset[tuple[str, str]]:
        """The synonym sets of the word and of its possible base forms, by the rules of each part of speech."""
        meanings = set(self._known.get(word, ()))
        for part in PARTS:
            bases = list(self._exceptions[part].get(word, ()))
            bases += [
                word.removesuffix(ending) + instead for ending, instead in _ENDINGS[part] if word.endswith(ending)
            ]
            for base in bases:
                meanings |= {meaning for meaning in self._known.get(base, ()) if meaning[0] == part}
        return frozenset(meanings)


def open_wordnet(directory: str) -> WordNet:
    """Opened once, and again when the files have changed, without a restart of the server."""
    stamps = tuple(path.stat().st_mtime_ns for path in map(Path(directory).joinpath, FILES) if path.is_file())
    return _opened(directory, stamps)


@lru_cache(2)
def _opened(directory: str, _stamps: tuple[int, ...]) -> WordNet:
    return WordNet(directory)
