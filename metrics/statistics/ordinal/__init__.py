"""The mixed model of ratings in ordered bands, such as the points of a Likert scale."""

from metrics.statistics.ordinal.model import OrdinalModel, ordinal_model

__all__ = ["OrdinalModel", "ordinal_model"]
