from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.annotation.importing.judgments_file import write_file

WriteFile = Callable[..., Path]


@pytest.fixture
def judgments_file(tmp_path: Path) -> WriteFile:
    def write(*rows: Mapping[str, object], name: str = "judgments.csv") -> Path:
        return write_file(tmp_path / name, rows)

    return write
