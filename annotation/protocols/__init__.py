"""The protocols by name. Adding one is its class here (and the checklist in CONTRIBUTING.md)."""

from collections.abc import Mapping
from typing import Any

from annotation.protocols.base import Protocol
from annotation.protocols.cesa import Cesa
from annotation.protocols.direct_assessment import DirectAssessment
from annotation.protocols.esa import Esa
from annotation.protocols.gisting import Gisting
from annotation.protocols.likert import Likert
from annotation.protocols.mqm import Mqm
from annotation.protocols.post_editing import PostEditing
from annotation.protocols.ranking import Ranking

PROTOCOLS: dict[str, type[Protocol[Any]]] = {
    protocol.name: protocol for protocol in (DirectAssessment, Esa, Cesa, Gisting, Likert, Mqm, PostEditing, Ranking)
}


def protocol_for(name: str, options: Mapping[str, Any]) -> Protocol[Any]:
    """The protocol a campaign uses; KeyError for an unknown name, InvalidInput for options that do not fit."""
    return PROTOCOLS[name].with_options(options)
