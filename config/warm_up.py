"""What the first answers of a process would wait for: loaded once, before the processes part."""

import gc
from pathlib import Path

from django.apps import apps
from django.template.loader import get_template

import scipy.sparse
import scipy.special  # noqa: F401 - the statistics load both when they first need them

from frontend.api.docs_page import described
from metrics.automatic import METRICS


def warm_up() -> None:
    """The addresses with their description, the modules of all metrics, and the templates."""
    described()
    tuple(METRICS.values())
    folder = Path(apps.get_app_config("frontend").path) / "templates"
    for template in folder.rglob("*.html"):
        get_template(str(template.relative_to(folder)))
    gc.collect()
    gc.freeze()  # or the collector walks all of this during somebody's request, which then takes up to 200 ms
