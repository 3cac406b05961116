"""The version every signature names; a test holds it to the one in pyproject.toml."""

VERSION = "0.1.0"
