"""YiSi-0: words alike by their longest common substring."""

from typing import Any, ClassVar

import pytest

from metrics.automatic.yisi_0 import Yisi0
from tests.metrics.automatic import oracles
from tests.metrics.automatic.contract import MetricContract
from tests.metrics.real_campaigns import real_case

SETTINGS: dict[str, dict[str, Any]] = {
    "learn.n3": {},
    "learn.n2": {"ngram_size": 2},
    "learn.n1": {"ngram_size": 1},
    "uniform.n3": {"weights": "uniform"},
}


class TestYisi0(MetricContract):
    name = "yisi_0"
    other_options: ClassVar[dict[str, Any]] = {"ngram_size": 1, "alpha": 0.5, "weights": "uniform"}


def test_other_weights_are_refused() -> None:
    with pytest.raises(ValueError, match="learn or uniform"):
        Yisi0(weights="guess")


@pytest.mark.real_data
@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("subset", ["de", "en", "other"])
def test_the_oracles_values(setting: str, subset: str) -> None:
    pairs = oracles.subset(subset)
    scored = Yisi0(**SETTINGS[setting]).score([p.hypothesis for p in pairs], [p.reference for p in pairs])
    expected = oracles.values("yisi0", setting)
    assert scored.segments.tolist() == pytest.approx([expected[pair.id] for pair in pairs], abs=1e-12)
    corpus = oracles.corpus_values("YiSi-0 (authors, C++)")
    assert scored.value == pytest.approx(corpus[subset, f"{setting} document score ({len(pairs)})"], abs=1e-12)


@pytest.mark.real_data
def test_the_authors_own_golden_files() -> None:
    folder = real_case("oracles") / "yisi"
    hypotheses, references, golden = (
        (folder / name).read_text(encoding="utf-8").splitlines()
        for name in ("test_hyp.en", "test_ref.en", "golden.test_hyp.sntyisi0")
    )
    scored = Yisi0().score(hypotheses, references)
    assert [f"{value:.6g}" for value in scored.segments] == [f"{float(value):.6g}" for value in golden]
    whole = (folder / "golden.test_hyp.docyisi0").read_text(encoding="utf-8")
    assert f"{scored.value:.6g}" == f"{float(whole):.6g}"
