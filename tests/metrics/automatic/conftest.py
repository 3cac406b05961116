from collections.abc import Sequence

import pytest

from tests.metrics.neural.light_model_files import expected
from tests.plugins.drawing import part_of


@pytest.fixture
def encoded_systems(request: pytest.FixtureRequest) -> Sequence[str]:
    """Of three systems the one a seed draws, the same for all metrics: its texts are encoded once for all of them."""
    systems: Sequence[str] = expected()["segments"]["systems"]
    seed = request.config.getoption("draw")
    return systems if seed is None else part_of(systems, len(systems), seed)
