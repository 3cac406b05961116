"""The dictionary of metrics: names cost nothing, every name has its module, its test and its heading."""

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from metrics.automatic import METRICS
from tests.metrics.automatic.contract import PAGE, MetricContract

HERE = Path(__file__).parent


def test_knowing_the_names_imports_no_metric() -> None:
    code = (
        "import sys; from metrics.automatic import METRICS; list(METRICS); 'bleu' in METRICS; "
        "heavy = ('sacrebleu', 'scipy', 'numba', 'metrics.automatic.'); "
        "print([name for name in sys.modules if name.startswith(heavy)])"
    )
    root = HERE.parents[2]
    process = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    shared = ["metrics.automatic.compiled", "metrics.automatic.compiled.flat", "metrics.automatic.base"]
    assert process.stdout.strip() == str(shared)


@pytest.mark.parametrize("name", sorted(METRICS))
def test_every_metric_inherits_the_contract(name: str) -> None:
    for path in HERE.glob("test_*.py"):
        import_module(f"tests.metrics.automatic.{path.stem}")
    direct = MetricContract.__subclasses__()
    every = [*direct, *(test for each in direct for test in each.__subclasses__())]
    tested = {getattr(test, "name", "") for test in every}
    assert name in tested, f"no class in tests/metrics/automatic inherits MetricContract with the name {name}"


def test_every_module_is_in_the_dictionary_and_every_heading_is_a_metric() -> None:
    headings = re.findall(r"^## ([a-z0-9_+]+)$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert set(METRICS) - set(headings) == set(), "docs/metrics.md lacks the heading ## of a metric"
    assert set(headings) - set(METRICS) == set(), "docs/metrics.md has a heading of no metric in METRICS"
    assert len(headings) == len(METRICS), "docs/metrics.md has a heading twice"


def test_an_unknown_name_is_a_key_error() -> None:
    assert "nonsense" not in METRICS
    with pytest.raises(KeyError):
        METRICS["nonsense"]
