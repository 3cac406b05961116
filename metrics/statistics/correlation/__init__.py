"""Whether a metric orders translations and systems as people do."""
