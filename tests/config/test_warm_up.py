"""Nothing that a first answer would wait for is left to it."""

import sys

from django.template import engines

from config.warm_up import warm_up
from frontend.api.docs_page import described


def test_description_metrics_and_templates_are_loaded_before_the_first_page() -> None:
    described.cache_clear()
    warm_up()
    assert described.cache_info().currsize == 1
    assert "sacrebleu" in sys.modules
    (cached,) = engines["django"].engine.template_loaders  # type: ignore[attr-defined]
    assert len(cached.get_template_cache) > 100
