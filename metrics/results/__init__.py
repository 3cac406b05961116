"""Results of analyses: frozen dataclasses, their JSON, and their tables."""
