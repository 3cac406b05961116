"""Which words share a meaning, read from a WordNet directory: its index files and its lists of exceptions."""

import hashlib
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path

PARTS = ("noun", "verb", "adj", "adv")
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
        missing = [name for name in (f"index.{part}" for part in PARTS) if not (self._directory / name).is_file()]
        if missing:
            raise ValueError(f"{self._directory} is no WordNet directory: it lacks {', '.join(missing)}.")

    @cached_property
    def version(self) -> str:
        """A hash of what is read, since the files do not all name theirs."""
        digest = hashlib.blake2b(digest_size=4)
        for part in PARTS:
            digest.update((self._directory / f"index.{part}").read_bytes())
        return digest.hexdigest()

    def are_synonyms(self, word: str, other: str) -> bool:
        """Whether the words, or words they are forms of, stand together in a set of synonyms."""
        return not self._meanings(word).isdisjoint(self._meanings(other))

    @cached_property
    def _known(self) -> dict[str, frozenset[tuple[str, str]]]:
        """The sets of synonyms of each word, by part of speech and number."""
        known: dict[str, set[tuple[str, str]]] = {}
        for part in PARTS:
            for line in (self._directory / f"index.{part}").read_text(encoding="utf-8").splitlines():
                cells = line.split()
                if line.startswith(" ") or len(cells) < 4:
                    continue  # the licence stands at the beginning, each line indented
                known.setdefault(cells[0], set()).update((part, number) for number in cells[-int(cells[2]) :])
        return {word: frozenset(sets) for word, sets in known.items()}

    @cached_property
    def _exceptions(self) -> dict[str, dict[str, list[str]]]:
        return {part: dict(self._exceptions_of(part)) for part in PARTS}

    def _exceptions_of(self, part: str) -> Iterator[tuple[str, list[str]]]:
        path = self._directory / f"{part}.exc"
        for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
            form, *words = line.split()
            yield form, words

    def _meanings(self, word: str) -> frozenset[tuple[str, str]]:
        return _meanings(self, word)

    def meanings(self, word: str) -> frozenset[tuple[str, str]]:
        """Of the word as it is, and of what it may be a form of, as each part of speech forms words."""
        found = set(self._known.get(word, ()))
        for part in PARTS:
            bases = list(self._exceptions[part].get(word, ()))
            bases += [
                word.removesuffix(ending) + instead for ending, instead in _ENDINGS[part] if word.endswith(ending)
            ]
            for base in bases:
                found |= {meaning for meaning in self._known.get(base, ()) if meaning[0] == part}
        return frozenset(found)


@cache
def _meanings(lexicon: WordNet, word: str) -> frozenset[tuple[str, str]]:
    return lexicon.meanings(word)
