"""What cannot be tried everywhere is never passed over in silence."""

import os
from typing import NoReturn

import pytest


def leave_out(why: str) -> NoReturn:
    """The test fails in CI, where everything must be tried, and is left out elsewhere."""
    if os.environ.get("CI") == "true":
        pytest.fail(why)
    pytest.skip(why)
