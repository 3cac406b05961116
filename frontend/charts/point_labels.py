"""Which points of a scatter plot have room for a name, and where."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

# The size of a name, in pixels of the narrowest plot that shows it.
_WIDTH, _CHARACTER, _LINE, _AWAY = 440.0, 6.6, 13.0, 9.0


@dataclass(frozen=True)
class Label:
    anchor: str
    dx: int
    y: str


class _Box(NamedTuple):
    left: float
    right: float
    top: float
    bottom: float

    def meets(self, other: "_Box") -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


def labels_for(
    names: Sequence[str],
    places: Sequence[tuple[float, float]],
    *,
    edge: float = 0.0,
    bottom: float,
    plot_width: float = _WIDTH,
) -> list[Label | None]:
    """After, before, above or below its point, wherever a name meets no point, no other name and no edge.

    `places` are in percent across and pixels down; the plot begins at `edge` percent and ends at `bottom`.
    """
    pixels = plot_width / 100
    taken = [_Box(x * pixels - 5, x * pixels + 5, y - 5, y + 5) for x, y in places]
    labels: list[Label | None] = []
    for name, (x, y) in zip(names, places, strict=True):
        at, width = x * pixels, len(name) * _CHARACTER
        tries = (
            (Label("start", round(_AWAY), f"{y + 4:.1f}"), at + _AWAY, y),
            (Label("end", -round(_AWAY), f"{y + 4:.1f}"), at - _AWAY - width, y),
            (Label("middle", 0, f"{y - 9:.1f}"), at - width / 2, y - 13),
            (Label("middle", 0, f"{y + 18:.1f}"), at - width / 2, y + 14),
        )
        chosen = None
        for label, left, middle in tries:
            box = _Box(left, left + width, middle - _LINE / 2, middle + _LINE / 2)
            inside = box.left >= edge * pixels and box.right <= plot_width and box.bottom < bottom
            if inside and not any(box.meets(other) for other in taken):
                chosen = label
                taken.append(box)
                break
        labels.append(chosen)
    return labels
