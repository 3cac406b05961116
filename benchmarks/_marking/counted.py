"""What a pair of hands does on a page: presses of the mouse, keys, the way of the pointer."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from playwright.sync_api import Locator, Page

# The picture of a stretch of text, wherever its elements begin and end.
BOX = """(text, [start, end]) => {
  const walk = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let before = 0;
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (start >= before && start < before + node.data.length) range.setStart(node, start - before);
    if (end > before && end <= before + node.data.length) range.setEnd(node, end - before);
    before += node.data.length;
  }
  const boxes = [...range.getClientRects()].filter(({ width }) => width);
  const [first, last] = [boxes[0], boxes.at(-1)];
  const middle = ({ top, height }) => top + height / 2;
  return [first.left + 2, middle(first), last.right - 2, middle(last)];
}"""


@dataclass
class Effort:
    clicks: int = 0
    keys: int = 0
    travel: float = 0.0
    busy_ms: float = 0.0

    @property
    def actions(self) -> int:
        return self.clicks + self.keys


class Hands:
    """`marking` is the share of the marks in `all`."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.all, self.marking = Effort(), Effort()
        self._at = (0.0, 0.0)
        self._into = [self.all]

    @contextmanager
    def a_mark(self) -> Iterator[None]:
        self._into = [self.all, self.marking]
        yield
        self._into = [self.all]

    @contextmanager
    def timed(self) -> Iterator[None]:
        """The time of the page's thread."""
        session = self.page.context.new_cdp_session(self.page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})

        def seconds() -> float:
            metrics = session.send("Performance.getMetrics")["metrics"]
            return float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))

        begun = seconds()
        yield
        self.all.busy_ms = 1000 * (seconds() - begun)

    def move(self, x: float, y: float) -> None:
        way = math.dist(self._at, (x, y))
        for effort in self._into:
            effort.travel += way
        self.page.mouse.move(x, y, steps=3)
        self._at = (x, y)

    def click(self, x: float, y: float) -> None:
        self.drag(x, y, x, y)

    def drag(self, x: float, y: float, to_x: float, to_y: float) -> None:
        self.move(x, y)
        for effort in self._into:
            effort.clicks += 1
        self.page.mouse.down()
        if (x, y) != (to_x, to_y):
            self.move(to_x, to_y)
        self.page.mouse.up()

    def click_on(self, place: Locator) -> None:
        self.click_within(place, 0.5)

    def click_within(self, place: Locator, share: float, *, edge: float = 0) -> None:
        """At this share of its width, without its edges: those of a slider belong to half a thumb."""
        box = place.bounding_box()
        if box is None:
            raise AssertionError(f"{place} is not shown.")
        self.click(box["x"] + edge + share * (box["width"] - 2 * edge), box["y"] + box["height"] / 2)

    def press(self, *keys: str) -> None:
        for key in keys:
            for effort in self._into:
                effort.keys += 1
            self.page.keyboard.press(key)


def box_of(text: Locator, start: int, end: int) -> list[float]:
    return [float(number) for number in text.evaluate(BOX, [start, end])]
