"""Figures we promise, each measured by a script of its own: `./assay bench` runs them."""
