from pathlib import Path

import pytest

from tests.bootstrap.house import House, make_house


@pytest.fixture
def house(tmp_path: Path) -> House:
    return make_house(tmp_path)
