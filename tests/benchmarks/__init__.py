"""Benchmarks measure; these tests tell that they measure what they say."""
