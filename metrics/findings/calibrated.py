"""What simulated campaigns like this one say of its recipe: whether it holds, and if not, which one decides."""

from collections.abc import Iterator, Mapping
from decimal import Decimal

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from metrics.analyses.calibrated import (
    BY_MODEL,
    BY_Z,
    COVERED,
    DYNAMIC,
    FULL,
    POOL,
    RAW,
    SCREENS,
    TIED,
    UNEQUAL,
    CalibratedAs,
    Cell,
    Measured,
    cell_of,
    deciding_instead,
)
from metrics.results.tables import Text

DESIGNS: Mapping[str, Text] = {
    FULL: gettext_lazy("every output judged, annotators spread evenly over systems"),
    POOL: gettext_lazy("a pool: whoever comes takes the next document"),
    DYNAMIC: gettext_lazy("some systems judged more often than others"),
    SCREENS: gettext_lazy("several systems of a document side by side"),
    UNEQUAL: gettext_lazy("annotators of very unequal noise"),
    TIED: gettext_lazy("annotators tied to systems"),
}
NOISES: Mapping[str, Text] = {
    "esa": gettext_lazy("ESA"),
    "da": gettext_lazy("direct assessment by a crowd"),
    "mqm": gettext_lazy("MQM"),
}
RECIPES: Mapping[str, Text] = {
    RAW: gettext_lazy("raw means"),
    BY_Z: gettext_lazy("z-scores"),
    BY_MODEL: gettext_lazy("the recipe for incomplete designs"),
}


def calibration_sentences(found: CalibratedAs | None) -> list[str]:
    """Of the design and noise that were simulated and are nearest; none where nothing was."""
    cell = cell_of(found) if found else None
    return [] if found is None or cell is None else [" ".join(_sentences(found, cell))]


def _sentences(found: CalibratedAs, cell: Cell) -> Iterator[str]:
    shown = {
        "design": DESIGNS[found.design],
        "noise": NOISES[found.noise],
        "recipe": RECIPES[found.recipe],
        "campaigns": number_format(cell.campaigns, force_grouping=True),
        "rate": _percent(cell.rate),
    }
    yield _("Design of this campaign: %(design)s; its noise is most like that of %(noise)s.") % shown
    if cell.decides:
        yield (
            _(
                "In %(campaigns)s simulated campaigns of this kind, where all systems are equal, %(recipe)s called "
                "%(rate)s%% of pairs different at 5%%: that holds."
            )
            % shown
        )
    else:
        yield (
            _(
                "In %(campaigns)s simulated campaigns of this kind, where all systems are equal, %(recipe)s called "
                "%(rate)s%% of pairs different at 5%%: that does not decide here."
            )
            % shown
        )
        if cell.rate.high < cell.promised[0]:
            yield _("Differences that exist may not be found.")
        yield from _instead(found)
    yield from _on_means(cell.mean)


def _instead(found: CalibratedAs) -> Iterator[str]:
    name = deciding_instead(found)
    other = cell_of(CalibratedAs(found.design, found.noise, name)) if name else None
    if name and other:
        shown = {"recipe": RECIPES[name], "rate": _percent(other.rate)}
        yield _("What decides is %(recipe)s: %(rate)s%% of such pairs.") % shown


def _on_means(mean: Measured) -> Iterator[str]:
    if mean.meets(COVERED):
        return
    if mean.high < COVERED[0]:
        yield _("Its 95%% intervals of means cover only %(share)s%%: compare systems by their differences.") % {
            "share": _percent(mean)
        }
    else:
        yield _("Its 95%% intervals of means are wider than they need to be: they cover %(share)s%%.") % {
            "share": _percent(mean)
        }


def _percent(measured: Measured) -> str:
    return number_format(Decimal(f"{100 * measured.share:.1f}"), decimal_pos=1)
