"""How much is measured."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Plan:
    """`loops` is the least that is measured in one go; every annotator takes them from an assignment of their own."""

    sizes: tuple[int, ...]  # judgments stored before
    crowds: tuple[int, ...]  # annotators at once
    loops: int
    warm_up: int  # of each annotator, not measured
    rounds: int
    assignment: int  # texts in one
    segments: int = 1  # in a text

    def __post_init__(self) -> None:
        if max(self.loops_of_each(crowd) for crowd in self.crowds) + self.warm_up > self.assignment:
            raise ValueError("An assignment has too few texts for so many loops.")
        if any(size % self.assignment for size in self.sizes):
            raise ValueError("What was judged before must fill whole assignments.")

    def loops_of_each(self, annotators: int) -> int:
        return max(self.loops // annotators, self.loops // 4)

    @property
    def past_assignments(self) -> int:
        return max(self.sizes) // self.assignment

    @property
    def texts(self) -> int:
        """Enough for the past and for everybody who judges."""
        return (self.past_assignments + max(self.crowds)) * self.assignment


FULL = Plan(sizes=(0, 20_000), crowds=(1, 8), loops=400, warm_up=20, rounds=3, assignment=500)
QUICK = Plan(sizes=(0, 100), crowds=(1, 4), loops=20, warm_up=2, rounds=1, assignment=50)
