"""METEOR: words aligned by form, stem and synonym, in as few pieces as can be."""

from pathlib import Path
from typing import Any, ClassVar

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
    other_options: ClassVar[dict[str, Any]] = {"variant": "1.5", "stemmer": "none", "wordnet": ""}

    def test_every_option_is_in_the_signature(self, lexicon: str) -> None:  # type: ignore[override]
        plain = Meteor().signature(1)
        assert "variant:2005|modules:exact+stem|" in plain
        assert "variant:1.5" in Meteor(variant="1.5").signature(1)
        assert "modules:exact|" in Meteor(stemmer="none").signature(1)
        assert "modules:exact+stem+synonym|wordnet:" in Meteor(wordnet=lexicon).signature(1)


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
