"""How far annotators agree, with each other and beyond chance."""

from metrics.statistics.agreement.annotator_pairs import AnnotatorPair, annotator_pairs, bands
from metrics.statistics.agreement.krippendorff import LEVELS, Level, krippendorff_alphas
from metrics.statistics.agreement.many_raters import fleiss_kappa, gwet_ac1
from metrics.statistics.agreement.outcome import Agreement
from metrics.statistics.agreement.pooled_pairs import PooledPairs, pooled_pairs
from metrics.statistics.agreement.preferences import PreferenceAgreement, preference_kappa
from metrics.statistics.agreement.two_raters import kappas_of_codes
from metrics.statistics.agreement.with_others import WithOthers, agreement_with_others

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
