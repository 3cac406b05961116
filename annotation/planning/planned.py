"""The parts of a plan: ids in order, without texts and database rows."""

from dataclasses import dataclass
from typing import Literal

Level = Literal["segment", "document", "context"]
Kind = Literal["regular", "repeat", "degraded"]


def label_of(column: int) -> str:
    return chr(ord("A") + column - 1)


@dataclass(frozen=True, slots=True)
class PlannedSlot:
    """`system` is the one whose translation is shown; `credited` names all whose output it is, `system` among them.

    `columns`, from 1, are those of the credited systems, where several stand side by side in one order. `damaged` is
    the text of a degraded item that came with its damage.
    """

    label: str
    system: int
    credited: tuple[int, ...]
    columns: tuple[int, ...] = ()
    damaged: str | None = None


@dataclass(frozen=True, slots=True)
class PlannedItem:
    """`original` is the index, within the assignment, of the genuine item that a control item repeats.

    `block` numbers, from 1, the runs of items shown together as one text: two neighbouring blocks may (rarely) belong
    to one document, so the document alone does not separate them.
    """

    document: int
    segment: int | None
    level: Level
    kind: Kind
    slots: tuple[PlannedSlot, ...]
    original: int | None = None
    block: int = 0

    @property
    def needs_judgment(self) -> bool:
        return self.level != "context"


@dataclass(frozen=True, slots=True)
class PlannedAssignment:
    """One annotator's items, and the numbers by which the hand-out never gives anybody the same output twice.

    `content` numbers the outputs: two assignments of one content ask for the same outputs (in another order, with other
    control items), two of different contents share no output (but, side by side, the partner an odd system borrowed).
    Each round contains every content once, so a campaign of redundancy K has K assignments of each content. **An
    annotator may take any assignments of different contents, of whatever rounds, and never two of one content**; that
    is all the hand-out must see to. Where documents are read once, a content is a set of documents, and its assignments
    show them in different translations, each in as many rounds as there are translations (`rotations`).
    """

    items: tuple[PlannedItem, ...]
    round: int
    content: int

    @property
    def total(self) -> int:
        return sum(item.level != "context" for item in self.items)
