"""The options of a plan, and what is wrong with them."""

from dataclasses import dataclass

MOST_SLOTS = 26
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
    meets one twice, and `items_per_assignment` counts documents.
    """

    redundancy: int = 1
    items_per_assignment: int = 100
    systems_per_segment: int | None = None
    repeats_share: float = 0.0
    degraded_share: float = 0.0
    document_scores: bool = False
    keep_documents: bool = True
    slots_per_item: int = 1
    shuffle_slots: bool = False
    reads_once: bool = False

    def systems_of(self, available: int) -> int:
        """How many of the available systems a document is judged with."""
        return available if self.systems_per_segment is None else min(self.systems_per_segment, available)

    @property
    def is_cut(self) -> bool:
        """Whether documents are shown in blocks, so that control blocks look like regular ones."""
        asks_again = bool(self.repeats_share or self.degraded_share)
        return asks_again and self.keep_documents and not self.document_scores

    @property
    def longest_pass(self) -> int | None:
        """Of how many segments a document may be to be judged in one assignment; longer ones are divided. None: any."""
        return max(1, min(LONGEST_PASS, self.items_per_assignment // FEWEST_PASSES)) if self.is_cut else None


def check_options(options: PlanningOptions, systems: int) -> None:
    """Raises `PlanningError` with every contradiction among the options, for a test set of so many systems."""
    problems = [*_numbers(options), *_shares(options), *_systems(options, systems)]
    if options.document_scores and not options.keep_documents:
        problems.append("Document scores need whole documents: keep documents together or ask for no document scores.")
    if options.reads_once:
        problems += _read_once(options)
    if problems:
        raise PlanningError(" ".join(problems))


def _read_once(options: PlanningOptions) -> list[str]:
    problems = []
    if options.repeats_share or options.degraded_share:
        problems.append(
            "Where a document is read once there is nothing to repeat or to damage: "
            "ask for no repeated and no degraded items."
        )
    if options.slots_per_item > 1:
        problems.append("A document that is read once is read in one translation: show them one by one.")
    return problems


def _numbers(options: PlanningOptions) -> list[str]:
    problems = []
    if options.redundancy < 1:
        problems.append(f"Ask for at least one judgment of each segment, not {options.redundancy}.")
    if options.items_per_assignment < 1:
        problems.append(f"Put at least one item into an assignment, not {options.items_per_assignment}.")
    if not 1 <= options.slots_per_item <= MOST_SLOTS:
        problems.append(f"Show between 1 and {MOST_SLOTS} translations side by side, not {options.slots_per_item}.")
    return problems


def _shares(options: PlanningOptions) -> list[str]:
    problems = [
        f"The share of {name} items is a number from 0 to 1, not {share}."
        for name, share in (("repeated", options.repeats_share), ("degraded", options.degraded_share))
        if not 0 <= share <= 1
    ]
    if options.items_per_assignment == 1 and (options.repeats_share or options.degraded_share):
        problems.append(
            "An assignment of one item has no room for a control item apart from its original: "
            "put more items into an assignment or ask for no repeated and no degraded items."
        )
    return problems


def _systems(options: PlanningOptions, systems: int) -> list[str]:
    problems = []
    requested = options.systems_per_segment
    if requested is not None and requested < 1:
        problems.append(f"Judge each segment with at least one system, not {requested}.")
    elif requested is not None and requested > systems:
        problems.append(f"There are only {systems} systems: ask for at most {systems} per segment, not {requested}.")
    if 1 < options.slots_per_item <= MOST_SLOTS and options.slots_per_item > options.systems_of(systems):
        problems.append(
            f"Showing {options.slots_per_item} translations side by side needs as many systems per segment: "
            f"there are {options.systems_of(systems)}."
        )
    return problems
