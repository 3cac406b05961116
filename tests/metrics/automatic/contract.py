"""What every metric must do. A metric's test inherits all of it and supplies options that change its numbers."""

import json
from dataclasses import fields
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from metrics.automatic import METRICS
from metrics.automatic.base import Metric
from tests.metrics.automatic.mixed_scripts import mixed_pairs

HYPOTHESES, REFERENCES = mixed_pairs(60, seed=3)
TWO_REFERENCES = mixed_pairs(20, seed=4, references=2)
PAGE = Path(__file__).resolve().parents[3] / "docs" / "metrics.md"


class MetricContract:
    """`other_options` has another value of each option."""

    name: ClassVar[str]
    other_options: ClassVar[dict[str, Any]] = {}
    rounding: ClassVar[float] = 0.0  # how much of a segment's counts depends on what is counted beside it

    @property
    def metric(self) -> Metric:
        return METRICS[self.name]()

    def test_it_is_known_by_its_name_and_has_a_docs_heading(self) -> None:
        assert METRICS[self.name].name == self.name
        assert f"\n## {self.name}\n" in PAGE.read_text(encoding="utf-8"), (
            f"docs/metrics.md has no heading ## {self.name}"
        )
        assert METRICS[self.name].title, f"{self.name} has no title"

    def test_the_class_says_where_it_comes_from(self) -> None:
        assert "Source:" in (METRICS[self.name].__doc__ or ""), f"the docstring of {self.name} names no Source:"

    def test_every_option_is_in_the_signature(self) -> None:
        plain = self.metric.signature(1) + self.metric.segment_signature(1)
        every = fields(self.metric)  # type: ignore[arg-type]
        options = {field.name for field in every if field.metadata.get("is_option", True)}
        assert set(self.other_options) == options, "other_options has another value for each option of the metric"
        for option, value in self.other_options.items():
            changed = METRICS[self.name](**{option: value})
            assert changed.signature(1) + changed.segment_signature(1) != plain, f"{option} is not in the signature"

    def test_the_signature_names_the_number_of_references_and_a_version(self) -> None:
        assert len({self.metric.signature(count) for count in (1, 2, None)}) == 3
        assert "version:" in self.metric.signature(1)

    def test_everything_follows_from_counts(self) -> None:
        whole = self.metric.score(HYPOTHESES, REFERENCES)
        counted = self.metric.statistics(HYPOTHESES, REFERENCES)
        assert counted.shape == (60, len(self.metric.columns))
        again = self.metric.scored(counted, n_references=1)
        assert again.value == whole.value
        assert again.signature == whole.signature
        np.testing.assert_array_equal(again.segments, whole.segments)

    def test_many_sums_at_once_are_the_same_as_one_by_one(self) -> None:
        counted = self.metric.statistics(HYPOTHESES, REFERENCES)
        sums = np.stack([counted[:20].sum(axis=0), counted[20:].sum(axis=0), counted.sum(axis=0)])
        together = self.metric.values(sums)
        assert together.shape == (3,)
        assert together.tolist() == pytest.approx([self.metric.value(row) for row in sums], rel=1e-12)
        assert self.metric.values(sums[None]).shape == (1, 3)

    def test_a_segment_is_counted_alike_alone_and_among_others(self) -> None:
        counted = self.metric.statistics(HYPOTHESES, REFERENCES)
        alone = [self.metric.statistics([HYPOTHESES[at]], [REFERENCES[at]])[0] for at in range(0, 60, 7)]
        assert self.metric.learns_from_corpus or np.abs(counted[::7] - np.stack(alone)).max() <= self.rounding

    def test_the_order_of_segments_changes_nothing(self) -> None:
        forth = self.metric.score(HYPOTHESES, REFERENCES)
        back = self.metric.score(HYPOTHESES[::-1], REFERENCES[::-1])
        assert back.value == pytest.approx(forth.value, abs=self.rounding or 1e-9)
        np.testing.assert_allclose(back.segments[::-1], forth.segments, atol=self.rounding or 1e-12)

    def test_one_reference_may_stand_bare(self) -> None:
        bare = self.metric.score(HYPOTHESES, [texts[0] for texts in REFERENCES])
        assert bare.value == self.metric.score(HYPOTHESES, REFERENCES).value

    def test_the_same_reference_twice_counts_once(self) -> None:
        once = self.metric.score(HYPOTHESES, REFERENCES)
        twice = self.metric.score(HYPOTHESES, [texts * 2 for texts in REFERENCES])
        if not self.metric.learns_from_corpus:
            np.testing.assert_allclose(twice.segments, once.segments, atol=self.rounding or 1e-12)

    def test_several_references_in_varying_number(self) -> None:
        hypotheses, lists = TWO_REFERENCES
        assert np.isfinite(self.metric.score(hypotheses, lists).value)
        varying = self.metric.score(hypotheses, [lists[0][:1], *lists[1:]])
        assert varying.signature == self.metric.signature(None)

    def test_its_own_text_is_not_beaten_by_another(self) -> None:
        texts = [text for text in HYPOTHESES if len(text.split()) > 3]
        others = [*texts[1:], texts[0]]
        same, crossed = self.metric.score(texts, texts).value, self.metric.score(others, texts).value
        is_better = same > crossed if self.metric.higher_is_better else same < crossed
        assert is_better, f"texts score {same} against themselves, {crossed} against others: is higher_is_better right?"

    @pytest.mark.parametrize(("hypothesis", "reference"), [("", ""), ("", "a word"), ("a word", ""), (" ", "\u3000")])
    def test_empty_texts_have_a_number(self, hypothesis: str, reference: str) -> None:
        result = self.metric.score([hypothesis], [reference])
        assert np.isfinite(result.value)
        assert np.isfinite(result.segments).all()

    def test_a_corpus_without_segments_has_a_number_or_none_but_no_error(self) -> None:
        assert self.metric.score([], []).segments.shape == (0,)

    def test_what_does_not_fit_together_is_refused(self) -> None:
        with pytest.raises(ValueError, match="2 hypotheses, but references for 1"):
            self.metric.score(["a", "b"], ["a"])
        with pytest.raises(ValueError, match="Segment 2 has no reference"):
            self.metric.score(["a", "b"], [["a"], []])
        with pytest.raises(TypeError, match="not one text"):
            self.metric.score("a", "a")

    @pytest.mark.parametrize("language", ["de", "zh-Hant", "ja", "th", "ar"])
    def test_it_can_be_had_for_a_language(self, language: str) -> None:
        assert METRICS[self.name].for_language(language).score(["雾 fog"], ["雾 fog"]).segments.shape == (1,)

    def test_parts_are_json(self) -> None:
        parts = self.metric.score(HYPOTHESES, REFERENCES).parts
        assert json.loads(json.dumps(parts, allow_nan=False)) == parts
