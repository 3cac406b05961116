"""Models of scores with random terms that cross: annotators, documents and segments beside the systems."""

from metrics.statistics.mixed.contrasts import Contrasts, contrasts, critical_t
from metrics.statistics.mixed.design import RESIDUAL
from metrics.statistics.mixed.model import MixedModel, mixed_model

__all__ = ["RESIDUAL", "Contrasts", "MixedModel", "contrasts", "critical_t", "mixed_model"]
