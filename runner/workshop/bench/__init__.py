"""Bench: a model against references with fixed ratings, on the fixed deals of a versioned suite."""
