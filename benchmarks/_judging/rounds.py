"""Everybody's turn, again and again."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks._judging.concurrent_annotators import Measurement, measure
from benchmarks._judging.contestant import BenchmarkFailed, Contestant
from benchmarks._judging.figures import Cell
from benchmarks._judging.plan import Plan
from bootstrap.steps import say


@dataclass
class Outcome:
    """`versions` are of those who took part to the end; the others are left out, for a reason that has been said."""

    measured: dict[Cell, list[Measurement]] = field(default_factory=lambda: defaultdict(list))
    versions: dict[str, str] = field(default_factory=dict)
    left_out: set[str] = field(default_factory=set)

    def leave_out(self, contestant: Contestant, reason: BenchmarkFailed) -> None:
        """What was measured of it until now goes with it."""
        if contestant.is_ours:
            raise reason
        say(f"{contestant.name} is left out: {reason}")
        self.left_out.add(contestant.name)
        for cell in [cell for cell in self.measured if cell.contestant == contestant.name]:
            del self.measured[cell]


def take_turns(contestants: Sequence[Contestant], plan: Plan) -> Outcome:
    """Neighbours in time are different contestants, and each is the first in its turn."""
    outcome = Outcome()
    for contestant in contestants:
        say(f"making the campaigns for {contestant.name} …")
        try:
            contestant.prepare()
        except BenchmarkFailed as error:
            outcome.leave_out(contestant, error)
    for number in range(plan.rounds):
        first = number % len(contestants)
        _take_round(
            [*contestants[first:], *contestants[:first]], plan, outcome, named=f"round {number + 1} of {plan.rounds}"
        )
    staying = [contestant for contestant in contestants if contestant.name not in outcome.left_out]
    outcome.versions = {contestant.name: contestant.versions for contestant in staying}
    return outcome


def _take_round(contestants: Sequence[Contestant], plan: Plan, outcome: Outcome, *, named: str) -> None:
    for stored in plan.sizes:
        for annotators in plan.crowds:
            say(f"{named}: {stored:,} stored before, {annotators} judging …")
            for contestant in contestants:
                if contestant.name not in outcome.left_out:
                    _take_turn(contestant, Cell(contestant.name, stored, annotators), plan, outcome)


def _take_turn(contestant: Contestant, cell: Cell, plan: Plan, outcome: Outcome) -> None:
    try:
        measurement = measure(contestant, stored=cell.stored, annotators=cell.annotators, plan=plan)
    except BenchmarkFailed as error:
        outcome.leave_out(contestant, error)
    else:
        outcome.measured[cell].append(measurement)
