"""The parts of the judging benchmark: contestants, what is asked of them, and what is told of it."""
