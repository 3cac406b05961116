"""Parts of the benchmark of metrics."""
