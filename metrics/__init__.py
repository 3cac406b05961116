VERSION = "0.1.0"  # every signature names it; a test compares it with pyproject.toml
