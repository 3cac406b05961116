import pytest

pytest.register_assert_rewrite("tests.metrics.automatic.contract")  # so that its failures show their numbers
