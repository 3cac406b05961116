from pathlib import Path

import pytest

from tests.config.embedded_runs import EmbeddedRuns


@pytest.fixture
def runs(tmp_path: Path) -> EmbeddedRuns:
    return EmbeddedRuns(data=tmp_path / "data", diary=tmp_path / "diary.jsonl")
