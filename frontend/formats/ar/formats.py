"""Moments in Arabic, which Django would write the American way; the marks keep day, month and year in their order."""

DATETIME_FORMAT = "j F، Y، H:i"
SHORT_DATETIME_FORMAT = "d\u200f/m\u200f/Y، H:i"
