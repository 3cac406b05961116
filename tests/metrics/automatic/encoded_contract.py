"""What metrics over vectors must do besides: refuse models they do not have, and guard empty texts."""

from dataclasses import replace
from typing import Any, ClassVar

import pytest

from metrics.automatic import METRICS
from metrics.automatic.base import Metric
from metrics.neural.light_model import LIGHT, LIGHT_MODELS, ModelMissing
from tests.metrics.automatic.contract import MetricContract
from tests.metrics.neural.light_model_files import models_folder

OTHER = replace(LIGHT, name="other-model", sha256="ab" * 32)


class EncodedContract(MetricContract):
    rounding = 2e-6
    other_options: ClassVar[dict[str, Any]] = {"model": OTHER.name, "layer": 3}
    not_learning: ClassVar[dict[str, Any]] = {}

    @pytest.fixture(autouse=True)
    def _model(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ASSAY_MODELS_DIR", models_folder())
        known = {**LIGHT_MODELS, OTHER.name: OTHER}
        monkeypatch.setattr("metrics.automatic.encoded_metric.LIGHT_MODELS", known)

    @pytest.mark.parametrize(("hypothesis", "reference"), [("", ""), ("", "a word"), ("a word", ""), (" ", "\u3000")])
    def test_an_empty_side_is_worth_nothing(self, hypothesis: str, reference: str) -> None:
        assert self.metric.score([hypothesis], [reference]).segments.tolist() == [0]

    def test_texts_that_are_longer_than_the_model_reads_are_counted(self) -> None:
        short, long = "The ferry sails.", "one two " * 300
        result = METRICS[self.name](**self.not_learning).score([short, long, short], [[short], [short], [short, long]])
        assert result.parts["cut"] == 2
        assert self.metric.score([short], [[short]]).parts["cut"] == 0

    def test_the_best_of_several_references_counts(self) -> None:
        text, references = "The ferry sails at noon.", ["Fog.", "The ferry leaves at noon.", "A cat sat."]
        metric = METRICS[self.name](**self.not_learning)
        alone = [metric.score([text], [reference]).value for reference in references]
        several = metric.score([text], [references]).value
        assert several == pytest.approx(max(alone), abs=self.rounding)
        assert alone.index(max(alone)) == 1

    def _with(self, options: dict[str, Any]) -> Metric:
        return METRICS[self.name](**options)

    def test_models_and_layers_it_does_not_have_are_refused(self) -> None:
        with pytest.raises(ValueError, match="no model 'guess'"):
            self._with({"model": "guess"})
        with pytest.raises(ValueError, match="layers 1 to 12, not 13"):
            self._with({"layer": 13})

    def test_without_its_model_there_is_an_error_and_no_number(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ASSAY_MODELS_DIR", "/nowhere")
        with pytest.raises(ModelMissing):
            self.metric.demand()
        with pytest.raises(ModelMissing):
            self.metric.score(["fog"], ["fog"])
        assert "sha:1571fc982750" in self.metric.signature(1)

    def test_the_signature_says_what_computed_it(self) -> None:
        signature = self.metric.signature(1)
        for cell in ("model:e5-small-q4", "layer:9", "max:512", "dtype:float32", "libraries:numpy-"):
            assert f"|{cell}" in signature
        older = signature.replace("libraries:numpy-", "libraries:numpy-1.")
        assert self.metric.as_signed(older).signature(1) == older
