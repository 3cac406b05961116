"""Charts of the mixed model: how much of a score is whose, and how severe each annotator is."""

import math
from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from frontend.charts.drawing import Box, Dot, Drawing, Line, Mark, Words
from frontend.charts.figure import Figure, axis_marks, directions
from frontend.interval_chart import Axis, axis_for
from frontend.shown_table import ShownTable
from frontend.templatetags.numbers import decimals, signed
from metrics.analyses.mixed import MixedMeasure, Severity
from metrics.analyses.mixed_tables import TERM_WORDS, severities_table, variances_table
from metrics.results.tables import Text
from metrics.results.values import Missing
from metrics.statistics.mixed import RESIDUAL

ROW, BAR = 28, 16
SEVERITY_ROW = 24
MOST_ROWS = 40


def shares_figure(result: MixedMeasure, title: Text) -> Figure | None:
    """A bar for each part of a score; None without a model."""
    shares = {name: share for name, share in result.shares.items() if name != RESIDUAL}
    if not shares:
        return None
    plain = _("How much of a score is whose")
    return Figure(
        name="variances",
        plain=plain,
        title=_shares_finding(result),
        lead=_(
            "%(measure)s: the variance of a single score, beyond the differences between systems, by where it comes "
            "from."
        )
        % {"measure": title},
        drawing=_shares_drawing(result, plain),
        table=ShownTable(variances_table([result])),
    )


def _shares_finding(result: MixedMeasure) -> str:
    """What the annotator is of a score, where there are several; otherwise its largest part."""
    if "annotator" in result.shares:
        return _("%(share)s%% of a single score is the annotator") % {"share": _percent(result.shares["annotator"])}
    largest = max((name for name in result.shares if name != RESIDUAL), key=lambda name: result.shares[name])
    return _("%(share)s%% of a single score: %(part)s") % {
        "share": _percent(result.shares[largest]),
        "part": TERM_WORDS[largest],
    }


def _percent(share: float) -> str:
    return decimals(100 * share, 0)


def _shares_drawing(result: MixedMeasure, plain: str) -> Drawing:
    axis = axis_for([0.0, *(100 * share for share in result.shares.values())])
    bottom = ROW * len(result.shares)
    marks: list[Mark] = [*axis_marks(axis, bottom, unit="%")]
    for place, (name, share) in enumerate(result.shares.items()):
        y = ROW * place + ROW / 2
        look = "c6" if name == RESIDUAL else "c1" if name == "annotator" else "c3"
        marks.append(Words(0, y + 4, str(TERM_WORDS[name]), "lab", "end", -10, is_name=True))
        marks.append(Box(0, y - BAR / 2, axis.share(100 * share), BAR, look))
        marks.append(Words(100, y + 4, f"{_percent(share)}%", "", "end", 54))
    spoken = ", ".join(f"{TERM_WORDS[name]} {_percent(share)}%" for name, share in result.shares.items())
    return Drawing(f"{plain}: {spoken}", bottom + 22, marks)


def severities_figure(result: MixedMeasure, title: Text) -> Figure | None:
    """Those who give the lowest numbers first; None where fewer than two annotators have an effect."""
    rows = sorted((one for one in result.annotators if not isinstance(one.effect, Missing)), key=_effect)
    if len(rows) < 2:
        return None
    plain = _("Annotators’ severity in the mixed model")
    shown = rows if len(rows) <= MOST_ROWS else rows[: MOST_ROWS // 2] + rows[-MOST_ROWS // 2 :]
    lead = _(
        "%(measure)s: how far above or below all others each scores the same texts and systems, with 95%% interval. "
        "The model takes this out of the systems’ means."
    ) % {"measure": title}
    if len(shown) < len(rows):
        lead += " " + _("The %(count)d farthest from the others.") % {"count": len(shown)}
    return Figure(
        name="severities",
        plain=plain,
        title=_severity_finding(rows) or plain,
        lead=lead,
        drawing=_severities_drawing(shown, plain),
        table=ShownTable(severities_table([result])),
    )


def _effect(one: Severity) -> float:
    return math.nan if isinstance(one.effect, Missing) else one.effect


def _severity_finding(rows: Sequence[Severity]) -> str:
    """The distance between the ends, where their intervals do not meet."""
    first, last = rows[0], rows[-1]
    if isinstance(first.interval, Missing) or isinstance(last.interval, Missing):
        return ""
    if first.interval[1] >= last.interval[0]:
        return ""
    return _("%(high)s gives %(amount)s more than %(low)s for the same") % {
        "high": last.annotator,
        "amount": decimals(_effect(last) - _effect(first), 1),
        "low": first.annotator,
    }


def _severities_drawing(rows: Sequence[Severity], plain: str) -> Drawing:
    ends = [end for row in rows if not isinstance(row.interval, Missing) for end in row.interval]
    effects = [_effect(row) for row in rows]
    axis = axis_for([0.0, *ends, *effects])
    bottom = SEVERITY_ROW * len(rows)
    marks = [*axis_marks(axis, bottom, is_signed=True), Line(axis.share(0), -4, axis.share(0), bottom + 4, "axis zero")]
    for place, row in enumerate(rows):
        marks += _severity_row(row, axis, SEVERITY_ROW * place + SEVERITY_ROW / 2)
    marks += directions(_("← gives lower numbers"), _("higher numbers →"), bottom + 34)
    spoken = ", ".join(
        f"{row.annotator} {signed(effect, axis.decimals + 1)}" for row, effect in zip(rows, effects, strict=True)
    )
    return Drawing(f"{plain}: {spoken}", bottom + 42, marks)


def _severity_row(row: Severity, axis: Axis, y: float) -> Iterator[Mark]:
    effect = _effect(row)
    is_apart = not isinstance(row.interval, Missing) and (row.interval[0] > 0 or row.interval[1] < 0)
    look = "lab" if is_apart else ""
    yield Words(0, y + 4, row.annotator, look, "end", -10, is_name=True)
    if not isinstance(row.interval, Missing):
        yield Line(axis.share(row.interval[0]), y, axis.share(row.interval[1]), y, "ci thick")
    yield Dot(axis.share(effect), y, "pt", 4)
    yield Words(100, y + 4, signed(effect, axis.decimals + 1), look, "end", 54)
