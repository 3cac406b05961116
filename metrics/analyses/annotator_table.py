"""The table of annotators: how each scores, how reliably, what to check, and whether their judgments count."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from annotation.protocols.base import Measure
from metrics.analyses.annotators import FEWEST_ANSWERS, Annotator
from metrics.results.tables import Cell, Column, Form, Note, Table, Text
from metrics.results.values import Missing

FEWEST_REPEATS = 10  # fewer are not enough for a correlation
TO_CHECK = "to_check"
STATES: Mapping[str, Note] = {
    "passed": Note(gettext_lazy("passed"), "ok"),
    "failed": Note(gettext_lazy("failed"), "bad"),
    "too_few": Note(gettext_lazy("too few"), "tag"),
}
# Warnings cast doubt on the answers; the others only say how little is known.
FLAGS: Mapping[str, Note] = {
    "controls_failed": Note(gettext_lazy("did not notice degraded items"), "warn"),
    "degraded_not_lower": Note(gettext_lazy("scores degraded items no lower than the others"), "warn"),
    "low_agreement": Note(gettext_lazy("agrees unusually little with the other annotators"), "warn"),
    "uniform": Note(gettext_lazy("nearly always the same answer"), "warn"),
    "fast": Note(gettext_lazy("under 3 seconds on average"), "warn"),
    "hasty": Note(gettext_lazy("needs less than a third of the others’ time"), "warn"),
    "same_score_run": Note(gettext_lazy("more than 8 equal answers in a row"), "warn"),
    "above_reference": Note(gettext_lazy("scores systems no lower than planted references")),
    "low_reference": Note(gettext_lazy("scores planted references below 90% of the scale")),
    "no_z": Note(gettext_lazy("answers do not vary, so there is no z-score")),
    "few_judgments": Note(gettext_lazy("fewer than 10 judgments")),
    "controls_insufficient": Note(gettext_lazy("too few control items to test")),
}
WITHOUT_OTHERS: Mapping[str, Text] = {
    "no_overlap": gettext_lazy("n/a: nothing shared"),
    "few_shared": gettext_lazy("n/a: fewer than 10 shared"),
    "": gettext_lazy("n/a: all answers are the same"),
}
OF_CONTROLS = frozenset({"controls_failed", "degraded_not_lower"})


@dataclass(frozen=True)
class AnnotatorContext:
    """What the table says besides the result: names of people, who is excluded now, whatever the run knew, and, for
    organisers, addresses of an annotator's page and of the decision about them.
    """

    measure: Measure | None = None
    people: Mapping[str, str] = field(default_factory=dict)
    excluded: frozenset[str] = frozenset()
    is_of_passed: bool = False
    addresses: Callable[[str], tuple[str, str]] | None = None
    signature: str = ""

    def name(self, one: Annotator) -> str:
        return self.people.get(one.annotator, one.annotator)

    def counts(self, one: Annotator) -> bool:
        return one.included and one.annotator not in self.excluded


def checks_of(one: Annotator) -> list[Note]:
    """The flags in words, warnings first. A few control items are not enough for a warning."""
    return [
        note
        for name, note in FLAGS.items()
        if name in one.flags and (name not in OF_CONTROLS or one.control_state == "failed")
    ]


def warnings_of(one: Annotator) -> int:
    return sum(note.level == "warn" for note in checks_of(one))


def to_check(annotators: Sequence[Annotator], context: AnnotatorContext) -> list[str]:
    """The names of annotators who count although they have warnings, most warnings first."""
    doubted = [one for one in annotators if context.counts(one) and warnings_of(one)]
    return [context.name(one) for one in sorted(doubted, key=lambda one: (-warnings_of(one), context.name(one)))]


def annotators_table(annotators: Sequence[Annotator], context: AnnotatorContext) -> Table:
    """Those with most warnings first; columns without information in this campaign are not on the page."""
    has_scores = context.measure is None or not context.measure.is_relative
    has_controls = any(one.control_state != "none" for one in annotators)
    has_repeats = any(one.repeat_n for one in annotators)
    of_scores = ("chart:spread", "mean") if has_scores else ()
    return Table(
        "annotators",
        _("Annotators"),
        columns=_columns(_span(annotators, context.measure)),
        rows=tuple(_row(one, context) for one in sorted(annotators, key=lambda one: context.name(one).casefold())),
        part="annotators",
        page=(
            "name", "standing", TO_CHECK, "judgments", *of_scores, "seconds_median",
            *(("control_p",) if has_controls else ()), *(("repeat_difference",) if has_repeats else ()),
            "uniform_share", "with_others", *(("others_difference",) if has_scores else ()),
        ),
        few=("standing", TO_CHECK, "judgments", "seconds_median", "with_others"),
        has_one_line=True,
        paper=(
            "annotator", "judgments", "mean", "deviation", "seconds_median", "control_n", "control_p", "included",
        ),
        terminal=(
            "annotator", "judgments", "mean", "deviation", "seconds_median", "control_p", "repeat_difference",
            "included", "flags",
        ),
        order=f"-{TO_CHECK}",
        lead=_("Look at the answers before excluding anyone."),
        notes=tuple(_notes(has_scores=has_scores, has_controls=has_controls, has_repeats=has_repeats)),
        dimmed=frozenset(context.name(one) for one in annotators if not context.counts(one)),
        paper_csv_has_all=False,
    )  # fmt: skip


def _span(annotators: Sequence[Annotator], measure: Measure | None) -> tuple[float, float]:
    """The whole scale where it has two ends, or what means and deviations take."""
    if measure is not None and math.isfinite(measure.high - measure.low):
        return measure.low, measure.high
    ends = [end for one in annotators if (spread := _spread(one, measure)) for end in spread]
    return min(ends, default=0.0), max(ends, default=1.0)


def _spread(one: Annotator, measure: Measure | None) -> tuple[float, float] | None:
    """One standard deviation around the mean, as far as the scale goes."""
    if isinstance(one.mean, Missing) or isinstance(one.deviation, Missing):
        return None
    low, high = (-math.inf, math.inf) if measure is None else (measure.low, measure.high)
    return max(one.mean - one.deviation, low), min(one.mean + one.deviation, high)


def _columns(span: tuple[float, float]) -> tuple[Column, ...]:
    """Those of the file, then those of a page alone."""
    places = 1 if span[1] - span[0] >= 10 else 2
    return (
        Column("annotator", gettext_lazy("Annotator"), Form.TEXT),
        Column("judgments", "n", Form.COUNT, highest_first=True),
        Column("mean", gettext_lazy("Mean"), decimals=places, under="deviation", highest_first=True),
        Column("deviation", gettext_lazy("Deviation"), decimals=places, prefix=gettext_lazy("SD ")),
        Column(
            "seconds_median", gettext_lazy("Median time"), Form.SECONDS, 0, missing={"": gettext_lazy("not recorded")},
            paper_title=gettext_lazy("Median seconds"),
        ),
        Column("control_n", gettext_lazy("Degraded items"), Form.COUNT),
        Column(
            "control_p", gettext_lazy("Controls, p"), Form.P, 4, under="control", highest_first=True,
            missing={"no_controls": pgettext_lazy("control items", "none")},
            paper_title=gettext_lazy("p of the control test"),
        ),
        Column("control_difference", "", Form.SIGNED),
        Column("control_state", "", Form.TEXT),
        Column("repeat_n", "", Form.COUNT),
        Column(
            "repeat_difference", gettext_lazy("Repeat difference"), decimals=places, under="repeats",
            highest_first=True, missing={"no_repeats": pgettext_lazy("repeats", "none")},
        ),
        Column("repeat_pearson", ""),
        Column(
            "uniform_share", gettext_lazy("Same answer"), Form.SHARE, 0, highest_first=True,
            missing={"": gettext_lazy("n/a")},
        ),
        Column("others_n", "", Form.COUNT),
        Column("others_pearson", gettext_lazy("With others, r")),
        Column("others_interval", "", Form.ENDS, keys=("others_low", "others_high"), of="others_pearson"),
        Column(
            "others_difference", gettext_lazy("Above others"), Form.SIGNED, places, highest_first=True,
            missing={"": gettext_lazy("n/a")},
        ),
        Column("others_difference_interval", "", Form.ENDS, keys=("difference_low", "difference_high")),
        Column("middle", "", Form.ENDS, keys=("middle_low", "middle_high")),
        Column("included", gettext_lazy("Included"), Form.YES_NO),
        Column("flags", "", Form.TEXT),
        Column("signature", gettext_lazy("Signature"), Form.TEXT),
        Column("name", gettext_lazy("Annotator"), Form.NAME, is_in_files=False),
        Column("standing", gettext_lazy("In results"), Form.TEXT, under="decision", is_in_files=False),
        Column(
            TO_CHECK, gettext_lazy("To check"), Form.TEXT, highest_first=True, missing={"": gettext_lazy("nothing")},
            is_in_files=False,
        ),
        Column(
            "spread", gettext_lazy("Mean ± SD"), Form.ENDS, places, of="mean", span=span,
            spoken=gettext_lazy("mean %(mean)s, standard deviation %(half)s"), is_in_files=False,
        ),
        Column(
            "with_others", gettext_lazy("With others, r"), under="others_interval", is_in_files=False,
            missing=WITHOUT_OTHERS,
        ),
        Column("decision", "", Form.TEXT, is_in_files=False),
        Column("control", "", Form.TEXT, is_in_files=False),
        Column("repeats", "", Form.TEXT, is_in_files=False),
    )  # fmt: skip


def _row(one: Annotator, context: AnnotatorContext) -> tuple[Cell, ...]:
    few_shared = 0 < one.others_n < FEWEST_ANSWERS
    own, decision = context.addresses(one.annotator) if context.addresses else ("", "")
    name = context.name(one)
    return (
        one.annotator, one.judgments, one.mean, one.deviation, one.seconds_median, one.control_n, one.control_p,
        one.control_difference, one.control_state, one.repeat_n, one.repeat_difference, one.repeat_pearson,
        one.uniform_share, one.others_n, one.others_pearson, one.others_interval, one.others_difference,
        one.others_difference_interval, one.middle, one.included,
        " ".join(one.flags), context.signature,
        Note(name, address=own) if own else name,
        _standing(one, context),
        checks_of(one) or None,
        _spread(one, context.measure),
        Missing("few_shared") if few_shared else one.others_pearson,
        _decision(one, name, decision, context) if decision else None,
        _of_controls(one),
        _of_repeats(one) if one.repeat_n else None,
    )  # fmt: skip


def _standing(one: Annotator, context: AnnotatorContext) -> str | Note:
    if one.annotator in context.excluded:
        return Note(_("excluded"), "tag")
    if one.included:
        return _("counts")
    return Note(_("did not pass") if context.is_of_passed else _("excluded when computed"), "tag")


def _decision(one: Annotator, name: str, address: str, context: AnnotatorContext) -> Note:
    if one.annotator in context.excluded:
        return Note(_("Include again …"), address=address, spoken=_("Include %(name)s again") % {"name": name})
    return Note(_("Exclude …"), address=address, spoken=_("Exclude %(name)s") % {"name": name})


def _pairs(count: int) -> str:
    return ngettext("%(count)d pair", "%(count)d pairs", count) % {"count": count}


def _of_controls(one: Annotator) -> Note | None:
    state = STATES.get(one.control_state)
    return replace(state, text=f"{state.text} ({_pairs(one.control_n)})") if state else None


def _of_repeats(one: Annotator) -> str:
    if one.repeat_n < FEWEST_REPEATS or isinstance(one.repeat_pearson, Missing):
        return _pairs(one.repeat_n)
    return f"{_pairs(one.repeat_n)}, r {one.repeat_pearson:.2f}"


def _notes(*, has_scores: bool, has_controls: bool, has_repeats: bool) -> Iterator[str]:
    if has_controls:
        yield _("Controls: one-sided test that degraded items score lower than their originals; passed at p ≤ 0.05.")
    else:
        yield _("No control items were judged, so nobody could pass or fail.")
    if has_repeats:
        yield _("Repeats: mean difference between the two answers to the same output.")
    else:
        yield _("No output was judged twice by the same annotator.")
    if has_scores:
        yield _("Same answer: share of the most frequent answer.")
    else:
        yield _("Same answer: share of comparisons that are ties.")
    yield _(
        "With others: correlation with the mean of the other annotators who count, 95% interval below. Agreeing with "
        "the majority does not mean being right."
    )
    if has_scores:
        yield _("Above others: mean difference from the others on the same outputs.")
