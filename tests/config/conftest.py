from pathlib import Path

import pytest

from tests.config.embedded_runs import EmbeddedRuns
from tests.empty_databases import put_on_sqlite


@pytest.fixture
def runs(tmp_path: Path) -> EmbeddedRuns:
    put_on_sqlite(tmp_path / "data")
    return EmbeddedRuns(data=tmp_path / "data", diary=tmp_path / "diary.jsonl")
