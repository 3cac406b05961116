"""Moments in Hindi, which Django would write the American way."""

DATETIME_FORMAT = "j F Y, H:i"
SHORT_DATETIME_FORMAT = "d-m-Y, H:i"
