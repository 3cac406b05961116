"""METEOR: words aligned by form, stem and synonym, in as few pieces as can be."""

import random
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from metrics.automatic.alignment import align
from metrics.automatic.meteor import Meteor
from metrics.automatic.porter import stem
from metrics.automatic.wordnet import WordNet
from tests.metrics.automatic import oracles
from tests.metrics.automatic.contract import MetricContract

# Repeated words: nltk, which takes later positions first, happens on fewer chunks there, with more crossings.
MANY_REPEATS = "en058"


@pytest.fixture
def lexicon(tmp_path: Path) -> str:
    """Three sets of synonyms, in the format of wndb(5WN)."""
    (tmp_path / "index.noun").write_text(
        "  1 a licence stands here, indented\n"
        "boat n 1 1 @ 1 0 00000001\nvessel n 2 1 @ 2 0 00000001 00000002\njar n 1 0 1 0 00000002\n"
        "goose n 1 0 1 0 00000003\nbird n 1 0 1 0 00000003\n"
    )
    (tmp_path / "index.verb").write_text("buy v 1 0 1 0 00000004\npurchase v 1 0 1 0 00000004\n")
    (tmp_path / "index.adj").write_text("")
    (tmp_path / "index.adv").write_text("")
    (tmp_path / "noun.exc").write_text("geese goose\n")
    (tmp_path / "verb.exc").write_text("bought buy\n")
    return str(tmp_path)


class TestMeteor(MetricContract):
    name = "meteor"
    other_options: ClassVar[dict[str, Any]] = {
        "variant": "1.5",
        "stemmer": "none",
        "wordnet": "",
        "function_words": "",
    }

    def test_every_option_is_in_the_signature(self, lexicon: str) -> None:  # type: ignore[override]
        plain = Meteor().signature(1)
        assert "variant:2005|modules:exact+stem|" in plain
        assert "variant:1.5" in Meteor(variant="1.5").signature(1)
        assert "modules:exact|" in Meteor(stemmer="none").signature(1)
        assert "modules:exact+stem+synonym|wordnet:" in Meteor(wordnet=lexicon).signature(1)
        functions = Path(lexicon) / "function.words"
        functions.write_text("the\nof\n")
        assert "|functions:none|" in Meteor(variant="1.5").signature(1)
        assert "|functions:none|" not in Meteor(variant="1.5", function_words=str(functions)).signature(1)
        assert "functions" not in Meteor(function_words=str(functions)).signature(1), "2005 knows none"


def test_the_textbooks_numbers() -> None:
    """Precision 6/7, recall 1, two chunks of six matches."""
    parts = Meteor().score(["the cat sat there on the mat"], ["the cat sat on the mat"])
    assert (parts.parts["matches"], parts.parts["chunks"]) == (6, 2)
    assert (parts.parts["precision"], parts.parts["recall"]) == (pytest.approx(6 / 7), 1)
    f = 10 * (6 / 7) * 1 / (1 + 9 * 6 / 7)
    assert parts.value == pytest.approx(f * (1 - 0.5 * (2 / 6) ** 3))


@pytest.mark.parametrize(
    ("word", "stemmed"),
    [
        ("caresses", "caress"), ("ponies", "poni"), ("cats", "cat"), ("agreed", "agre"), ("plastered", "plaster"),
        ("motoring", "motor"), ("conflated", "conflat"), ("hopping", "hop"), ("falling", "fall"), ("filing", "file"),
        ("happy", "happi"), ("relational", "relat"), ("vietnamization", "vietnam"), ("electriciti", "electr"),
        ("adjustment", "adjust"), ("adoption", "adopt"), ("probate", "probat"), ("rate", "rate"),
        ("controll", "control"), ("is", "is"),
    ],
)  # fmt: skip
def test_stems_are_those_of_the_papers_examples(word: str, stemmed: str) -> None:
    assert stem(word) == stemmed


def test_synonyms_count_by_themselves_and_in_other_forms(lexicon: str) -> None:
    metric = Meteor(wordnet=lexicon)
    counted = metric.statistics(["she bought vessels and geese"], ["she purchased boats and birds"])
    assert counted.tolist() == [[5, 5, 2, 0, 3, 1]]
    without = Meteor().statistics(["she bought vessels and geese"], ["she purchased boats and birds"])
    assert without.tolist() == [[5, 5, 2, 0, 0, 2]]
    assert not WordNet(lexicon).are_synonyms("jar", "boat")


def test_a_directory_that_is_no_wordnet_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"lacks index\.noun, index\.verb"):
        WordNet(str(tmp_path))


def test_fewest_crossings_and_fewest_chunks_are_two_choices() -> None:
    def same(word: str, other: str) -> bool:
        return word == other

    words, others = ["a", "b", "c", "a"], ["c", "a", "b", "a", "c"]
    crossings, chunks = (align(words, others, [same], avoid=avoid) for avoid in ("crossings", "chunks"))
    assert crossings.matches == chunks.matches == (4,)
    assert chunks.chunks <= crossings.chunks


def _crossings(pairs: Iterable[tuple[int, int]]) -> int:
    return sum((a < c) != (b < d) for (a, b), (c, d) in combinations(pairs, 2))


def _fewest_crossings(words: list[str], others: list[str]) -> tuple[int, int]:
    """The most matches there can be, and the fewest crossings of so many, by trying every alignment."""
    best = (0, 0)

    def extend(at: int, pairs: tuple[tuple[int, int], ...]) -> None:
        nonlocal best
        if at == len(words):
            best = min(best, (-len(pairs), _crossings(pairs)))
            return
        extend(at + 1, pairs)
        for to, other in enumerate(others):
            if other == words[at] and all(to != taken for _at, taken in pairs):
                extend(at + 1, (*pairs, (at, to)))

    extend(0, ())
    return -best[0], best[1]


def test_no_alignment_with_as_many_matches_has_fewer_crossings() -> None:
    rng = random.Random(5)
    for _ in range(150):
        words, others = (rng.choices("abcd", k=rng.randint(0, 6)) for _side in range(2))
        found = align(words, others, [str.__eq__])
        crossings = _crossings((at, to) for at, to, _stage in found.pairs)
        assert (sum(found.matches), crossings) == _fewest_crossings(words, others), (words, others)


def test_function_words_are_worth_less(lexicon: str) -> None:
    functions = Path(lexicon) / "function.words"
    functions.write_text("the\nof\n")
    metric = Meteor(variant="1.5", function_words=str(functions))
    counted = metric.statistics(["the cat of mine sat"], ["a cat of mine slept"])
    assert counted.tolist() == [[5, 5, 3, 0, 0, 1, 2, 1, 1, 0, 0, 1, 0, 0]]
    precision = (0.75 * 2 + 0.25) / (0.75 * 3 + 0.25 * 2)
    recall = (0.75 * 2 + 0.25) / (0.75 * 4 + 0.25)
    f = precision * recall / (0.85 * precision + 0.15 * recall)
    assert metric.value(counted[0]) == pytest.approx(f * (1 - 0.6 * (1 / 3) ** 0.2))


def test_texts_that_match_wholly_are_worth_one_in_the_newer_variants() -> None:
    assert Meteor(variant="1.5").score(["the cat sat"], ["the cat sat"]).value == 1
    assert Meteor(variant="2005").score(["the cat sat"], ["the cat sat"]).value == pytest.approx(1 - 0.5 / 27)


def test_an_operators_wordnet_is_for_english(lexicon: str) -> None:
    resources = {"wordnet": lexicon, "meteor_variant": "1.5"}
    assert Meteor.for_language("en-GB").equipped(resources) == Meteor(variant="1.5", wordnet=lexicon)
    assert Meteor.for_language("de").equipped(resources) == Meteor(variant="1.5", stemmer="none")
    with pytest.raises(ValueError, match="no WordNet directory"):
        Meteor().equipped({"wordnet": "/nowhere"})


def test_unknown_variants_and_stemmers_are_refused() -> None:
    with pytest.raises(ValueError, match="no variant '2010'"):
        Meteor(variant="2010")
    with pytest.raises(ValueError, match="porter or none"):
        Meteor(stemmer="snowball")


@pytest.mark.real_data
def test_the_oracles_counts_and_where_chunks_agree_its_values() -> None:
    metric, file = Meteor(), "meteor2005-nltk"
    counts, scores = oracles.statistics(file, "nowordnet"), oracles.values(file, "nowordnet.default")
    pairs = [oracles.pairs()[key] for key in counts]
    counted = metric.statistics([pair.hypothesis for pair in pairs], [pair.reference for pair in pairs])
    values = metric.segment_values(counted)
    agreeing = 0
    for pair, row, value in zip(pairs, counted.tolist(), values.tolist(), strict=True):
        words, others, exact, stems, _synonyms, chunks = row
        *expected, their_chunks = counts[pair.id]
        assert [words, others, exact, exact + stems] == expected, pair.id
        assert chunks <= their_chunks or pair.id == MANY_REPEATS
        if chunks == their_chunks:
            agreeing += 1
            assert value == pytest.approx(scores[pair.id], abs=1e-12), pair.id
    assert agreeing == 183


JAR = {  # variant: file, column of scores, column of counts
    "1.5": ("meteor15-en", "rank.exact+stem+synonym", "rank.exact+stem+synonym"),
    "1.5-adq": ("meteor15-en", "adq.exact+stem+synonym", "rank.exact+stem+synonym"),
    "1.5-hter": ("meteor15-en", "hter.exact+stem+synonym", "rank.exact+stem+synonym"),
    "1.5-li": ("meteor15-en", "li.exact+stem+synonym", "rank.exact+stem+synonym"),
    "1.5-de": ("meteor15-de", "rank.exact+stem", "rank.exact+stem"),
}


def _as_ours(counts: list[float]) -> list[float]:
    """The program's 23 numbers in our columns: content and function words together, and a whole match in no chunk."""
    length, other_length, functions, other_functions, *rest = counts
    stages = [rest[at : at + 4] for at in range(0, 12, 4)]
    chunks, matches, other_matches = rest[16:]
    is_whole = chunks == 1 and (matches, other_matches) == (length, other_length)
    both = [content + function for content, _other, function, _other_function in stages]
    ours, theirs = [stage[2] for stage in stages], [stage[3] for stage in stages]
    return [length, other_length, *both, 0 if is_whole else chunks, functions, other_functions, *ours, *theirs]


@pytest.mark.real_data
@pytest.mark.parametrize("variant", JAR)
def test_from_the_counts_of_meteor_1_5_follow_its_scores(variant: str) -> None:
    file, column, counted = JAR[variant]
    scores, counts = oracles.values(file, column), oracles.statistics(file, counted)
    metric, rows = Meteor(variant=variant), np.array([_as_ours(counts[key]) for key in scores])
    assert metric.values(rows).tolist() == pytest.approx(list(scores.values()), abs=1e-12)
    corpus = oracles.corpus_values("METEOR 1.5")
    subset = "de" if file.endswith("de") else "en"
    assert metric.value(rows.sum(axis=0)) == pytest.approx(
        corpus[subset, f"{column} final score ({len(scores)})"], abs=1e-12
    )


@pytest.mark.real_data
def test_texts_in_other_languages_are_scored_as_by_meteor_1_5() -> None:
    """Chinese, Japanese, Arabic, Hindi and others: no stems, no function words; it splits at fewer kinds of blanks."""
    metric, compared = Meteor(variant="1.5-li", stemmer="none"), 0
    for key, row in oracles.table("meteor15-other").items():
        if row["setting"].startswith("other") and key not in ("xx023", "xx040"):
            pair = oracles.pairs()[key]
            scored = metric.score([pair.hypothesis], [pair.reference])
            assert scored.value == pytest.approx(float(row["score"]), abs=1e-12), key
            compared += 1
    assert compared == 30
