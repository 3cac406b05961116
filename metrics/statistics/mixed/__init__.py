"""Models of scores with random terms that cross: annotators, documents and segments beside the systems."""

from metrics.statistics.mixed.contrasts import Contrasts, contrasts
from metrics.statistics.mixed.model import RESIDUAL, MixedModel, mixed_model

__all__ = ["RESIDUAL", "Contrasts", "MixedModel", "contrasts", "mixed_model"]
