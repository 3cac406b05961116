"""The options of a plan, and what is wrong with them."""

from dataclasses import dataclass

LONGEST_PASS = 24
FEWEST_PASSES = 4


class PlanningError(ValueError):
    """A plan that cannot be made; the message says what to change and names all errors at once."""


@dataclass(frozen=True)
class PlanningOptions:
    """How the outputs of a test set become assignments.

    `items_per_assignment` counts regular segments; repeats, degraded items and document scores come on top of it.
    `systems_per_segment` None means all. The shares are of the blocks shown (documents or excerpts of them), each of
    which is as likely to be asked again. `slots_per_item` above 1 shows several systems of a segment side by side;
    `shuffle_slots` puts them in a new order in each item. With `reads_once` documents are asked about as wholes, nobody
    meets one twice, and `items_per_assignment` counts documents. With `whole_documents` a screen is a whole document:
    it is never cut, and each of its rows is judged, also where its outputs are all alike. With an `allocation` other
    than "none" documents are judged one after the other in random order, each with all systems (see waves.py).
    """

    redundancy: int = 1
    items_per_assignment: int = 100
    systems_per_segment: int | None = None
    repeats_share: float = 0.0
    degraded_share: float = 0.0
    document_scores: bool = False
    slots_per_item: int = 1
    shuffle_slots: bool = False
    reads_once: bool = False
    whole_documents: bool = False
    allocation: str = "none"

    def systems_of(self, available: int) -> int:
        """How many of the available systems a document is judged with."""
        return available if self.systems_per_segment is None else min(self.systems_per_segment, available)

    @property
    def is_cut(self) -> bool:
        """Whether documents are shown in blocks, so that control blocks look like regular ones."""
        asks_again = bool(self.repeats_share or self.degraded_share)
        return asks_again and not self.document_scores and not self.whole_documents

    @property
    def longest_pass(self) -> int | None:
        """Of how many segments a document may be to be judged in one assignment; longer ones are divided. None: any."""
        return max(1, min(LONGEST_PASS, self.items_per_assignment // FEWEST_PASSES)) if self.is_cut else None


def check_options(options: PlanningOptions, systems: int) -> None:
    """Raises `PlanningError` with every contradiction among the options, for a test set of so many systems.

    The range of each one by itself is checked before, by its parameter in `CampaignSpec`.
    """
    problems = []
    asks_again = options.repeats_share or options.degraded_share
    if options.items_per_assignment == 1 and asks_again:
        problems.append(
            "An assignment of one item has no room for a control item apart from its original: "
            "put more items into an assignment or ask for no repeated and no degraded items."
        )
    requested, available = options.systems_per_segment, options.systems_of(systems)
    if requested is not None and requested > systems:
        problems.append(f"There are only {systems} systems: ask for at most {systems} per segment, not {requested}.")
    if options.slots_per_item > max(1, available):
        problems.append(
            f"Showing {options.slots_per_item} translations side by side needs as many systems per segment: "
            f"there are {available}."
        )
    if options.reads_once and asks_again:
        problems.append(
            "Where a document is read once there is nothing to repeat or to damage: "
            "ask for no repeated and no degraded items."
        )
    if options.reads_once and options.slots_per_item > 1:
        problems.append("A document that is read once is read in one translation: show them one by one.")
    if problems:
        raise PlanningError(" ".join(problems))
