"""Parts of the benchmark of statistics."""
