"""The guidelines that a new campaign starts with: made from its protocol and options, in the organiser's language.

They are Markdown, stored with the campaign and edited there; a later version of Assay changes no campaign.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from annotation.campaign_spec import CampaignSpec
from annotation.guidelines.comparing import comprehension, post_editing, ranking
from annotation.guidelines.contrasting import contrastive_error_spans
from annotation.guidelines.errors import error_spans, mqm
from annotation.guidelines.parts import common_rules, section
from annotation.guidelines.scores import direct_assessment, likert
from annotation.protocols import PROTOCOLS, protocol_for
from annotation.protocols.base import Protocol
from campaigns.invalid_input import InvalidInput

_TEXTS: Mapping[str, Callable[[Any], list[str]]] = {
    "direct_assessment": direct_assessment,
    "likert": likert,
    "ranking": ranking,
    "mqm": mqm,
    "esa": error_spans,
    "cesa": contrastive_error_spans,
    "post_editing": post_editing,
    "gisting": comprehension,
}


def default_guidelines(protocol: Protocol[Any]) -> str:
    """Task, order of work, scale or categories with examples, rules; a protocol without a text has the rules alone."""
    own = _TEXTS[protocol.name](protocol) if protocol.name in _TEXTS else [section("", str(protocol.description))]
    return "\n\n".join([*own, common_rules()]) + "\n"


def with_guidelines(spec: CampaignSpec) -> CampaignSpec:
    """Without guidelines of its own, a campaign begins with these; called where the organiser's language is active."""
    if spec.guidelines.strip() or spec.protocol not in PROTOCOLS:
        return spec
    try:
        return replace(spec, guidelines=default_guidelines(protocol_for(spec.protocol, spec.options)))
    except InvalidInput:
        return spec  # its options are refused in their turn
