"""Runs large models for metrics, in a process and a Python environment of its own: JSON lines in, JSON lines out.

Knows nothing of Django, of Celery, or of the rest of Assay: neither the one nor the other is in that environment.
"""
