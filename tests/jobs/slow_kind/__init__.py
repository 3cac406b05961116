"""A kind of run for real worker processes; it comes in by settings of the tests, the product knows nothing of it."""
