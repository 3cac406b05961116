"""What follows from answers by a formula that may change. Adding one is a line in DERIVATIONS.

Which of them a protocol's answers give is said by the protocol: `derived_measures` and `compared_by`.

An answer is stored as entered; a number that follows from it carries the signature of its formula. Where the formula
changes, the number is computed anew (`metrics.actions.derive_scores`) and the answer stays what it was.
"""

from annotation.protocols import PROTOCOLS, protocol_for
from annotation.protocols.base import Measure
from campaigns.models import Campaign
from metrics.derivations.base import Derivation, Derived, JudgedText
from metrics.derivations.hter import HTER
from metrics.derivations.penalty import PenaltyDerivation

__all__ = ["DERIVATIONS", "Derivation", "Derived", "JudgedText", "derivations_of", "measures_of"]

DERIVATIONS: dict[str, Derivation] = {"penalty": PenaltyDerivation(), "hter": HTER}


def derivations_of(protocol: str, weights: str | None = None) -> tuple[Derivation, ...]:
    """Those of a protocol, in the order pages and files show them; none for most. `weights` names a profile."""
    made = PROTOCOLS.get(protocol)
    if made is None:
        return ()
    return tuple(
        DERIVATIONS[name].compared(is_main=name == made.compared_by).weighed_by(weights)
        for name in made.derived_measures
    )


def measures_of(campaign: Campaign, weights: str | None = None) -> list[tuple[Measure, str | None]]:
    """The campaign's measures, what systems are compared by first, each with its formula's signature if it has one."""
    derived = derivations_of(campaign.protocol, weights)
    stored = [(measure, None) for measure in protocol_for(campaign.protocol, campaign.options).measures]
    first = [(each.measure, each.signature) for each in derived if each.is_main]
    return [*first, *stored, *((each.measure, each.signature) for each in derived if not each.is_main)]
