"""METEOR: words aligned by form, stem and synonym, with a penalty on how often the order breaks (Lavie et al.)."""

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import snowballstemmer
from numpy.typing import NDArray

from metrics.automatic.base import FloatArray, IntArray, Metric, cells_of, divided, language_of, own_signature
from metrics.automatic.compiled.flat import Codes, Flat, Numbers, Starts, groups
from metrics.automatic.wordnet import WordNet, open_wordnet

Stage = Callable[[str, str], bool]
Pairs = dict[int, int]


@dataclass(frozen=True)
class Parameters:
    """`alpha` weighs precision against recall, `beta` and `gamma` shape the penalty; what stems and synonyms are worth.

    `delta`: what a content word is worth, a function word being worth the rest; None tells no words apart.
    `avoid`: which of the alignments with the most matches counts, the one with the fewest "crossings" or "chunks".
    """

    alpha: float
    beta: float
    gamma: float
    stem: float
    synonym: float
    delta: float | None = None
    avoid: str = "chunks"


VARIANTS: Mapping[str, Parameters] = {
    "2005": Parameters(0.9, 3.0, 0.5, stem=1.0, synonym=1.0, avoid="crossings"),
    "1.5": Parameters(0.85, 0.2, 0.6, delta=0.75, stem=0.6, synonym=0.8),  # English, as rankings by people taught it
    "1.5-adq": Parameters(0.75, 1.4, 0.45, delta=0.7, stem=1.0, synonym=0.6),
    "1.5-hter": Parameters(0.4, 1.5, 0.35, delta=0.55, stem=0.2, synonym=0.6),
    "1.5-li": Parameters(0.75, 1.4, 0.7, delta=0.5, stem=0.5, synonym=0.5),  # any language
    "1.5-de": Parameters(0.95, 1.0, 0.55, delta=0.55, stem=0.8, synonym=0.0),
}
_STAGES = 3
_BEAM = 64
NO_STEMS = "none"
_CACHED_WORDS = 100_000
# By language tag. Porter's algorithms for English and Dutch are chosen by name.
ALGORITHMS: Mapping[str, str] = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish",
    "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian",
    "it": "italian", "lt": "lithuanian", "nb": "norwegian", "ne": "nepali", "nl": "dutch", "nn": "norwegian",
    "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian",
    "st": "sesotho", "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
KNOWN = frozenset(snowballstemmer.algorithms())
_ENGLISH = ("porter", "english")  # stems of the paper of 2005 and of METEOR 1.5


@dataclass(frozen=True)
class Alignment:
    """`matches` of each stage; `chunks`: runs of pairs that neighbour each other, in the same order, in both texts.

    `pairs` are the places in both texts and the number of the stage.
    """

    matches: tuple[int, ...]
    chunks: int
    pairs: tuple[tuple[int, int, int], ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class Meteor(Metric):
    """F of aligned words, lowered by how many chunks the alignment falls into. The variant is always named.

    2005: nine times as much weight on recall, penalty 0.5 * (chunks / matches)^3; of all alignments with the most
    matches the one with the fewest crossings. 1.5: the parameters METEOR 1.5 has for a task or language; stems and
    synonyms are worth less, function words (of a file the operator names, a word a line) less than content words, and
    of all alignments with the most matches the one with the fewest chunks counts; texts that match wholly have none.
    Its tables of paraphrases, its tokenizer and its lists belong to that program. `stemmer` is an algorithm of Snowball
    or none; without it Porter's for 2005, and "english" for 1.5, as the papers and programs have it. Synonyms are those
    of a WordNet directory, in English; without one the signature says so. Of several references the best; the corpus
    score is that of the summed counts.
    Source: Banerjee & Lavie 2005, "METEOR: an automatic metric for MT evaluation with improved correlation with human
    judgments", ACL workshop; Denkowski & Lavie 2014, "Meteor universal", WMT.
    """

    variant: str = "2005"
    stemmer: str | None = None
    wordnet: str = ""
    function_words: str = ""

    name: ClassVar[str] = "meteor"
    title: ClassVar[str] = "METEOR"
    has_kernel: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            raise ValueError(f"There is no variant {self.variant!r}. Known: {', '.join(VARIANTS)}.")
        if self.stemmer_name not in (*KNOWN, NO_STEMS):
            raise ValueError(
                f"There is no stemmer {self.stemmer!r}. Known: {', '.join(sorted(KNOWN))}, and {NO_STEMS}."
            )

    @property
    def stemmer_name(self) -> str:
        return self.stemmer or _ENGLISH[self.variant != "2005"]

    @classmethod
    def for_language(cls, target_language: str) -> Self:
        """Stems are those of the language; one that Snowball does not know is compared by form alone."""
        language = language_of(target_language)
        return cls() if language == "en" else cls(stemmer=ALGORITHMS.get(language, NO_STEMS))

    def equipped(self, resources: Mapping[str, str]) -> Self:
        """Takes a `meteor_variant`, and for English a `wordnet`."""
        wordnet = resources.get("wordnet", "") if self.stemmer_name in _ENGLISH else ""
        equipped = replace(self, variant=resources.get("meteor_variant") or self.variant, wordnet=wordnet)
        equipped.signature(1)  # reads what is named
        return equipped

    def as_signed(self, signature: str) -> Self:
        cells = cells_of(signature)
        variant, stems = cells.get("variant", ""), cells.get("stems", "").partition("-")[0]
        return replace(
            self,
            variant=variant if variant in VARIANTS else self.variant,
            stemmer=stems if stems in (*KNOWN, NO_STEMS) else self.stemmer,
            wordnet="" if cells.get("synonyms") == "none" else self.wordnet,
        )

    @property
    def columns(self) -> tuple[str, ...]:
        plain = ("words", "reference_words", "exact", "stems", "synonyms", "chunks")
        if self._parameters.delta is None:
            return plain
        sides = [f"function_{name}" for name in plain[:-1]], [f"reference_function_{name}" for name in plain[2:-1]]
        return (*plain, *sides[0], *sides[1])

    @cached_property
    def _functions(self) -> frozenset[str]:
        if not self.function_words:
            return frozenset()
        return frozenset(Path(self.function_words).read_text(encoding="utf-8").lower().split())

    @cached_property
    def _wordnet(self) -> WordNet | None:
        return open_wordnet(self.wordnet) if self.wordnet else None

    @cached_property
    def _stem(self) -> Callable[[str], str]:
        return stemmer(self.stemmer_name)

    @property
    def _parameters(self) -> Parameters:
        return VARIANTS[self.variant]

    def segment_statistics(self, hypothesis: str, references: Sequence[str]) -> Sequence[float]:
        words = hypothesis.lower().split()
        rows = [self._compared(words, reference.lower().split()) for reference in references]
        return rows[int(np.argmax(self.values(np.array(rows, dtype=np.float64))))]

    def _compared(self, words: list[str], others: list[str]) -> list[float]:
        aligned = align(words, others, self._stages(), avoid=self._parameters.avoid)
        matches = sum(aligned.matches)
        plain: list[float] = [len(words), len(others), *aligned.matches]
        if self._parameters.delta is None:
            return [*plain, aligned.chunks]
        is_whole = aligned.chunks == 1 and matches == len(words) == len(others)
        ours, theirs = ([word in self._functions for word in text] for text in (words, others))
        by_stage = [[0.0] * _STAGES, [0.0] * _STAGES]
        for at, to, stage in aligned.pairs:
            by_stage[0][stage] += ours[at]
            by_stage[1][stage] += theirs[to]
        return [*plain, 0 if is_whole else aligned.chunks, sum(ours), sum(theirs), *by_stage[0], *by_stage[1]]

    def counted_by_kernel(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> FloatArray:
        from metrics.automatic.compiled.alignment import Lexicon, alignments  # noqa: PLC0415 - loads the compiler
        from metrics.automatic.compiled.splitting import words_at_blanks  # noqa: PLC0415

        ours = [text.lower() for text, some in zip(hypotheses, references, strict=True) for _each in some]
        split = words_at_blanks(ours, [text.lower() for some in references for text in some])
        (texts, others), words = split.sides, split.written()
        is_function = np.array([word in self._functions for word in words], dtype=np.bool_)
        lexicon = Lexicon(self._stems_of(words), self._meanings_of(words), is_function)
        avoids_chunks = self._parameters.avoid == "chunks"
        aligned = alignments(texts, others, lexicon, avoids_chunks=avoids_chunks, beam=_BEAM)
        lengths, chunks, matches = (np.diff(texts.starts), np.diff(others.starts)), aligned[:, 0], aligned[:, 1:4]
        if self._parameters.delta is None:
            rows = np.column_stack([*lengths, matches, chunks])
        else:
            is_whole = (chunks == 1) & (matches.sum(axis=1) == lengths[0]) & (lengths[0] == lengths[1])
            functions = [_sums(lexicon.is_function[side.codes], side.starts) for side in (texts, others)]
            rows = np.column_stack([*lengths, matches, np.where(is_whole, 0, chunks), *functions, aligned[:, 4:]])
        return self.best_of(rows.astype(np.float64), groups(references))

    def _stems_of(self, words: Sequence[str]) -> Codes:
        """A number for each stem, −1 where there are none."""
        if self.stemmer_name == NO_STEMS:
            return np.full(len(words), -1, dtype=np.int32)
        return Numbers().flat([[self._stem(word) for word in words]]).codes

    def _meanings_of(self, words: Sequence[str]) -> Flat:
        wordnet, numbers = self._wordnet, Numbers()
        meanings = numbers.flat([list(wordnet.meanings(word)) if wordnet is not None else () for word in words])
        for first, last in pairwise(meanings.starts.tolist()):
            meanings.codes[first:last].sort()
        return meanings

    def _stages(self) -> list[Callable[[str, str], bool]]:
        """How two words may match; each stage is for the words that earlier stages left unmatched."""
        stages: list[Callable[[str, str], bool]] = [str.__eq__]
        stages.append(_never if self.stemmer_name == NO_STEMS else self._have_one_stem)
        stages.append(self._wordnet.are_synonyms if self._wordnet is not None else _never)
        return stages

    def _have_one_stem(self, word: str, other: str) -> bool:
        return self._stem(word) == self._stem(other)

    def values(self, sums: FloatArray) -> FloatArray:
        parameters, delta = self._parameters, self._parameters.delta
        matches, chunks = sums[..., 2:5], sums[..., 5]
        worth = np.array([1.0, parameters.stem, parameters.synonym])
        words = [sums[..., 0], sums[..., 1]]
        weighted = [matches @ worth] * 2
        if delta is not None:
            for side, (count, first) in enumerate(((6, 8), (7, 11))):
                functions = sums[..., first : first + _STAGES]
                weighted[side] = delta * ((matches - functions) @ worth) + (1 - delta) * (functions @ worth)
                words[side] = delta * (words[side] - sums[..., count]) + (1 - delta) * sums[..., count]
        precision, recall = (divided(matched, length) for matched, length in zip(weighted, words, strict=True))
        f = divided(precision * recall, parameters.alpha * precision + (1 - parameters.alpha) * recall)
        broken = divided(chunks, matches.sum(axis=-1))
        return f * (1 - parameters.gamma * broken**parameters.beta)

    def parts(self, sums: FloatArray, segments: FloatArray) -> dict[str, Any]:
        words, others, *by_stage, chunks = sums[:6].tolist()
        parameters, matches = self._parameters, sum(by_stage)
        return super().parts(sums, segments) | {
            "precision": matches / words if words else None,
            "recall": matches / others if others else None,
            "matches": int(matches),
            "penalty": parameters.gamma * (chunks / matches) ** parameters.beta if matches else None,
            "variant": self.variant,
        }

    def signature(self, n_references: int | None) -> str:
        modules = ["exact"] + ["stem"] * (self.stemmer_name != NO_STEMS) + ["synonym"] * bool(self.wordnet)
        stems = "" if self.stemmer_name == NO_STEMS else f"-{version('snowballstemmer')}"
        cells = [
            f"variant:{self.variant}",
            f"modules:{'+'.join(modules)}",
            f"stems:{self.stemmer_name}{stems}",
            f"synonyms:{f'wordnet-{self._wordnet.version}' if self._wordnet is not None else 'none'}",
        ]
        if self._parameters.delta is not None:
            digest = hashlib.sha256("\n".join(sorted(self._functions)).encode()).hexdigest()[:8]
            cells.append(f"functions:{digest if self._functions else 'none'}")
        return own_signature(n_references, "case:lc", "tok:blanks", *cells)


def _sums(flags: NDArray[np.bool_], starts: Starts) -> IntArray:
    """How many flags each text has."""
    return np.diff(np.concatenate([[0], np.cumsum(flags)])[starts])


def _never(word: str, other: str) -> bool:  # noqa: ARG001 - replaces a stage that is switched off
    return False


def stemmer(algorithm: str) -> Callable[[str], str]:
    """What stems words in small letters, remembering them. Not for several threads at once.

    >>> [stemmer("porter")(word) for word in ("approves", "approved", "ferries", "is")]
    ['approv', 'approv', 'ferri', 'is']
    >>> stemmer("german")("häfen") == stemmer("german")("hafen")
    True
    """
    stem: Callable[[str], str] = snowballstemmer.stemmer(algorithm).stemWord
    if algorithm == "porter":
        # As in Porter's own program, which METEOR and nltk follow; the paper's rules alone make "i" of "is".
        return lru_cache(_CACHED_WORDS)(lambda word: stem(word) if len(word) > 2 else word)
    return lru_cache(_CACHED_WORDS)(stem)


class _Way(NamedTuple):
    """Choices for the words so far; `last` is where the word before went, -2 if nowhere. Ways sort best first."""

    left_out: int
    cost: tuple[int, int]
    taken: int
    last: int
    pairs: tuple[tuple[int, int], ...]


def align(
    words: Sequence[str], others: Sequence[str], stages: Sequence[Stage], *, avoid: str = "crossings"
) -> Alignment:
    """Each stage aligns what those before have left: as many pairs as can be, then with the fewest `crossings`
    (or `chunks`).

    After every word only the best partial alignments are continued (a beam); with few repeated words that is all.

    >>> same = lambda word, other: word == other
    >>> align("on the mat sat the cat".split(), "the cat sat on the mat".split(), [same], avoid="chunks")
    Alignment(matches=(6,), chunks=3)
    """
    fixed: Pairs = {}
    stage_of: Pairs = {}
    for number, stage in enumerate(stages):
        used = set(fixed.values())
        choices = {
            at: [to for to, other in enumerate(others) if to not in used and stage(word, other)]
            for at, word in enumerate(words)
            if at not in fixed
        }
        if any(choices.values()):
            fixed = _best(len(words), fixed, choices, avoid)
        stage_of |= dict.fromkeys(fixed.keys() - stage_of.keys(), number)
    counts = tuple(list(stage_of.values()).count(number) for number in range(len(stages)))
    pairs = tuple((at, to, stage_of[at]) for at, to in sorted(fixed.items()))
    return Alignment(counts, _chunks(fixed), pairs)


def _best(n_words: int, fixed: Pairs, choices: dict[int, list[int]], avoid: str) -> Pairs:
    wanted = Counter(to for places in choices.values() for to in places)
    # leaving a word out is never better where no other word can have its only place
    fixed = fixed | {at: to[0] for at, to in choices.items() if len(to) == 1 and wanted[to[0]] == 1}
    ways = [_Way(0, (0, 0), 0, -2, ())]
    for at in range(n_words):
        options: list[int | None] = [fixed[at]] if at in fixed else [*choices[at], None]
        best: dict[tuple[int, int], _Way] = {}
        for way in ways:
            for to in options:
                if to is None or not way.taken >> to & 1:
                    longer = _longer(way, at, to, avoid, could=bool(choices.get(at)))
                    state = (longer.taken, longer.last)
                    if state not in best or longer < best[state]:
                        best[state] = longer
        ways = sorted(best.values())[:_BEAM]
    return dict(ways[0].pairs)


def _longer(way: _Way, at: int, to: int | None, avoid: str, *, could: bool) -> _Way:
    if to is None:
        return _Way(way.left_out + could, way.cost, way.taken, -2, way.pairs)
    crossings, chunks = (way.taken >> to + 1).bit_count(), int(to != way.last + 1)
    added = (crossings, chunks) if avoid == "crossings" else (chunks, crossings)
    cost = (way.cost[0] + added[0], way.cost[1] + added[1])
    return _Way(way.left_out, cost, way.taken | 1 << to, to, (*way.pairs, (at, to)))


def _chunks(pairs: Pairs) -> int:
    return sum(1 for at, to in pairs.items() if pairs.get(at - 1, -2) != to - 1)
