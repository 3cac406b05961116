"""Parts of the benchmark of neural metrics."""
