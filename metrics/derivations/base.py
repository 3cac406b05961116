"""What a derivation is: a measure, the formula's signature, and the formula. Pure: no row, no request."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

from annotation.protocols.base import Measure


@dataclass(frozen=True)
class JudgedText:
    """One translation as it was shown, and what was answered about it (the slot's part of the answer)."""

    shown: str
    answered: Mapping[str, Any]

    @classmethod
    def of(cls, shown: str, answer: Any, label: str) -> Self:
        """With the part of the answer that is about this slot; nothing where a file brought something else."""
        slots = answer.get("slots") if isinstance(answer, Mapping) else None
        values = slots.get(label) if isinstance(slots, Mapping) else None
        return cls(shown, values if isinstance(values, Mapping) else {})


@dataclass(frozen=True)
class Derived:
    """A number, and how much it weighs in a corpus value: what its formula divided by, or 1."""

    value: float
    weight: float = 1.0


class Derivation(Protocol):
    """A formula over answers."""

    @property
    def measure(self) -> Measure: ...

    @property
    def is_main(self) -> bool:
        """Whether systems are compared by it, before what the protocol itself stores."""
        ...

    @property
    def signature(self) -> str:
        """Everything that can change the numbers, but the texts."""
        ...

    @property
    def kept_signatures(self) -> tuple[str, ...]:
        """Whose numbers stay beside its own: variants of one formula between which readers choose."""
        ...

    @property
    def needs_text(self) -> bool:
        """Whether nothing follows where a translation's text is unknown."""
        ...

    def compared(self, *, is_main: bool) -> Self:
        """The formula as the measure that systems are compared by, or as one beside it."""
        ...

    def weighed_by(self, weights: str | None) -> Self:
        """The formula with a profile of weights, where it has such; None: its own."""
        ...

    def derive(self, judged: Sequence[JudgedText]) -> Sequence[Derived | None]:
        """A number for each, None where the answer gives none."""
        ...
