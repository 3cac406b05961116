"""The parts of the judging benchmark: contestants, what they must do, and how results are reported."""
