"""How far annotators agree, with each other and beyond chance."""

from metrics.statistics.agreement.kappas import fleiss_kappa, gwet_ac1, kappas_of_codes
from metrics.statistics.agreement.krippendorff import LEVELS, Level, krippendorff_alphas
from metrics.statistics.agreement.outcome import Agreement
from metrics.statistics.agreement.pairs import (
    AnnotatorPair,
    PooledPairs,
    WithOthers,
    agreement_with_others,
    annotator_pairs,
    bands,
    pooled_pairs,
)
from metrics.statistics.agreement.preferences import PreferenceAgreement, preference_kappa

__all__ = [
    "LEVELS",
    "Agreement",
    "AnnotatorPair",
    "Level",
    "PooledPairs",
    "PreferenceAgreement",
    "WithOthers",
    "agreement_with_others",
    "annotator_pairs",
    "bands",
    "fleiss_kappa",
    "gwet_ac1",
    "kappas_of_codes",
    "krippendorff_alphas",
    "pooled_pairs",
    "preference_kappa",
]
