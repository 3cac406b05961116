"""Error typologies as data: a JSON file for each that is known by name. No weights: those belong to metrics."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from annotation.taxonomies.typology import Category, Typology, typology_from

__all__ = ["TYPOLOGIES", "Category", "Typology", "typology_from", "typology_named"]

# In the order of the menu. A new one needs its file here, its line here and a line in docs/protocols.md.
TYPOLOGIES: Mapping[str, str] = {
    "wmt2021": "Google / WMT 2021",
    "anthea2023": "Anthea 2023 (WMT 2023)",
    "mqm-core": "MQM-Core",
    "dqf-mqm": "DQF-MQM",
}
_FOLDER = Path(__file__).parent


@cache
def typology_named(name: str) -> Typology:
    """KeyError for a name that is not known."""
    if name not in TYPOLOGIES:
        raise KeyError(name)
    return typology_from(json.loads((_FOLDER / f"{name}.json").read_text(encoding="utf-8")))
