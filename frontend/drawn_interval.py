"""A point with its whiskers, as a cell of a table draws it and says it in words."""

from dataclasses import dataclass
from html import escape

from django.utils.translation import gettext as _

from frontend.interval_chart import Axis
from frontend.templatetags.numbers import decimals
from metrics.results.tables import Text


@dataclass(frozen=True)
class DrawnInterval:
    """A point with its whiskers; places are percentages of the chart's width, absent without a number."""

    point: float | None
    low: float | None
    high: float | None
    decimals: int
    axis: Axis
    is_human: bool
    mark: float | None = None
    spoken: Text = ""

    @property
    def at(self) -> dict[str, str]:
        values = {"mark": self.mark, "point": self.point, "low": self.low, "high": self.high}
        return {name: self.axis.place(value) for name, value in values.items() if value is not None}

    @property
    def picture(self) -> str:
        """An SVG as high as a row."""
        at, marks = self.at, [self.axis.grid]
        if "mark" in at:
            marks.append(f'<line class="axis" x1="{at["mark"]}" x2="{at["mark"]}" y1="-7" y2="35"/>')
        if "low" in at:
            marks.append(f'<line class="ci" x1="{at["low"]}" x2="{at["high"]}" y1="14" y2="14"/>')
        if "point" in at:
            look = "hum" if self.is_human else "pt"
            marks.append(f'<circle cx="{at["point"]}" cy="14" r="4.5" class="{look}"/>')
        spoken = escape(self.words)
        return f'<svg class="ch" width="100%" height="28" role="img" aria-label="{spoken}">{"".join(marks)}</svg>'

    @property
    def half_width(self) -> float | None:
        return None if self.low is None or self.high is None else (self.high - self.low) / 2

    @property
    def half_words(self) -> str:
        """Both ends, and a star, where the value lies outside."""
        if self.low is None or self.high is None or self.half_width is None:
            return ""
        if self.point is None or self.low <= self.point <= self.high:
            return f"± {decimals(self.half_width, self.decimals)}"
        return f"{decimals(self.low, self.decimals)} – {decimals(self.high, self.decimals)} *"

    @property
    def words(self) -> str:
        """For who cannot see it."""
        numbers = (self.point, self.low, self.high, self.half_width)
        point, low, high, half = (decimals(value, self.decimals) for value in numbers)
        if self.low is None:
            return _("%(mean)s, no interval") % {"mean": point}
        words = str(self.spoken) or _("%(mean)s, 95%% interval %(low)s to %(high)s")
        return words % {"mean": point, "low": low, "high": high, "half": half}
