"""What survives kill -9, a database that goes away, and sixteen annotators at once: shared with ./assay bench."""
