"""The first sentence on a ranking: one of few templates, each used only if every pair it names supports it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import combinations

from django.utils.formats import number_format
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.protocols.base import Measure
from metrics.analyses.pair_tables import EXPECTED_WINS
from metrics.analyses.ranking import RankedMeasures, Ranking
from metrics.analyses.ranking_tables import ranking_notes
from metrics.differences import Difference
from metrics.findings.calibrated import calibration_sentences

MOST_NAMED = 3
Pair = frozenset[str]


def finding_of_ranking(ranking: Ranking, measures: Mapping[str, Measure], humans: frozenset[str]) -> str | None:
    """With the measure it is about, where systems have several of a kind."""
    main = ranking.main
    measure = measures.get(main.main_measure)
    sentence = None if ranking.too_early else _sentence(main, measure, humans)
    answered = {system.measure for system in main.systems} & set(measures)
    if sentence is None or measure is None or len(answered) < 2 or not ranking.distributions:
        return sentence
    return _("%(measure)s: %(finding)s") % {"measure": measure.title, "finding": sentence}


def finding_of_own(ranking: Ranking, measures: Mapping[str, Measure], humans: frozenset[str]) -> str | None:
    """What the protocol's own recipe says beside one that reproduces others."""
    own = ranking.own
    return None if own is None else _sentence(own, measures.get(own.main_measure), humans)


def _sentence(ranked: RankedMeasures, measure: Measure | None, humans: frozenset[str]) -> str | None:
    """Where no two systems differ: what could have shown, for a test without power says nothing."""
    compared = comparisons_of(ranked)
    if len(compared.names) < 2 or not compared.are_undecided:
        return finding_of(compared, humans)
    if ranked.documents_judged is not None:
        return _("Too few documents to rank: %(judged)d of at least %(needed)d") % {
            "judged": ranked.documents_judged,
            "needed": ranked.documents_needed,
        }
    amount = (ranked.detectable or {}).get(ranked.main_measure)
    if amount is None or measure is None:
        return finding_of(compared, humans)
    by = ranked.ordered_by.get(measure.name)
    difference = Difference(amount, measure, in_z=by == "z", is_share=by == EXPECTED_WINS)
    if difference.can_tell_apart:
        words = _("No two systems differ significantly; a difference of %(difference)s would probably have shown")
    else:
        words = _("Too few judgments to rank: only a difference of %(difference)s would probably have shown")
    return words % {"difference": difference}


def notes_of_ranking(ranked: RankedMeasures) -> list[str]:
    """Why a difference could not be significant, and which judgments have no z-score."""
    notes = ranking_notes(ranked)
    if ranked.without_z:
        names = get_text_list(list(ranked.without_z), _("and"))
        notes.append(_("There are no z-scores for the judgments of %(names)s.") % {"names": names})
    return notes


def notes_on_ranking(ranking: Ranking) -> list[str]:
    """With whether the recipe holds in such a design, and what keeps raw means from deciding."""
    notes = notes_of_ranking(ranking.main)
    if not ranking.too_early:
        notes += calibration_sentences(ranking.calibrated)
    uneven = ranking.uneven
    if uneven is None:
        return notes
    numbers = {"shift": uneven.shift, "error": uneven.error, "ratio": uneven.ratio, "bound": uneven.bound}
    shown = {name: number_format(Decimal(f"{value:.2f}"), decimal_pos=2) for name, value in numbers.items()}
    note = _(
        "Annotators are not spread evenly over systems. Between %(first)s and %(second)s, their severities alone shift "
        "the difference of raw means by %(shift)s (standard deviation): %(ratio)s times its error of %(error)s. Above "
        "%(bound)s, and beyond what chance gives, raw means do not decide; the recipe for incomplete designs does."
    )
    return [*notes, note % {"first": uneven.first, "second": uneven.second, **shown}]


@dataclass(frozen=True)
class Comparisons:
    """`names` in rank order; a pair may be in neither set, where ranks and tests say different things."""

    names: tuple[str, ...]
    wins: frozenset[tuple[str, str]]
    undecided: frozenset[Pair]

    @property
    def are_undecided(self) -> bool:
        """Whether no pair differs significantly."""
        return all(pair in self.undecided for pair in self.pairs_of(self.names))

    def beats_all(self, winners: tuple[str, ...], losers: tuple[str, ...]) -> bool:
        return all((winner, loser) in self.wins for winner in winners for loser in losers)

    def pairs_of(self, names: tuple[str, ...]) -> list[Pair]:
        return [frozenset(pair) for pair in combinations(names, 2)]


def comparisons_of(ranked: RankedMeasures) -> Comparisons:
    """By the main measure. Systems ranked by expected wins differ significantly where their rank ranges do not overlap.

    There, a pair with a significant test is not called undecided either.
    """
    systems, measure = ranked.compared, ranked.main_measure
    names = tuple(system.system for system in systems)
    tested = frozenset((test.first, test.second) for test in ranked.tests if test.measure == measure and test.is_win)
    wins = tested
    if ranked.ordered_by.get(measure) == EXPECTED_WINS:
        wins = frozenset(
            (one.system, other.system) for one in systems for other in systems if one.rank[1] < other.rank[0]
        )
    decided = {frozenset(pair) for pair in (*wins, *tested)}
    every = {frozenset(pair) for pair in combinations(names, 2)}
    return Comparisons(names, wins, frozenset(every - decided))


def finding_of(compared: Comparisons, humans: frozenset[str]) -> str | None:
    """None where there is nothing to compare, or no template fits."""
    if len(compared.names) < 2:
        return None
    return next(_Sentences(compared, humans & set(compared.names)).fitting(), None)


@dataclass(frozen=True)
class _Sentences:
    compared: Comparisons
    humans: frozenset[str]

    @cached_property
    def leaders(self) -> tuple[str, ...]:
        """The fewest first systems that all beat all others; all of them if there are no such systems."""
        names = self.compared.names
        for count in range(1, len(names)):
            if self.compared.beats_all(names[:count], names[count:]):
                return names[:count]
        return names

    @property
    def followers(self) -> tuple[str, ...]:
        return tuple(name for name in self.compared.names if name not in self.leaders)

    def fitting(self) -> Iterator[str]:
        """Possible statements, the most informative first."""
        if self.compared.are_undecided:
            yield _("No two systems differ significantly")
        if len(self.leaders) == 1:
            yield self._one_ahead(self.leaders[0])
        yield from self._beside_the_human()
        if self.followers:
            yield from self._several_ahead()
        elif self.compared.wins and not self._somebody_beats_all():
            yield _("Some systems differ significantly, but none is ahead of all others")

    def _one_ahead(self, leader: str) -> str:
        if leader in self.humans and len(self.humans) == 1:
            return _("The human translation is ahead of every system")
        return _("%(name)s is ahead of all others") % {"name": leader}

    def _beside_the_human(self) -> Iterator[str]:
        """Where one human translation is among the leaders, and the only one there is."""
        if len(self.humans) != 1 or not self.humans <= set(self.leaders):
            return
        (human,) = self.humans
        machines = [name for name in self.compared.names if name != human]
        better = [name for name in machines if (name, human) in self.compared.wins]
        level = [name for name in machines if frozenset((name, human)) in self.compared.undecided]
        if better and len(better) <= MOST_NAMED:
            yield ngettext(
                "%(names)s is ahead of the human translation",
                "%(names)s are ahead of the human translation",
                len(better),
            ) % {"names": _listed(better)}
        elif level and not better:
            yield self._undecided_beside(level)

    def _undecided_beside(self, level: list[str]) -> str:
        if len(level) > MOST_NAMED:
            return ngettext(
                "%(count)d system does not differ significantly from the human translation",
                "%(count)d systems do not differ significantly from the human translation",
                len(level),
            ) % {"count": len(level)}
        return ngettext(
            "%(names)s does not differ significantly from the human translation",
            "%(names)s do not differ significantly from the human translation",
            len(level),
        ) % {"names": _listed(level)}

    def _several_ahead(self) -> Iterator[str]:
        undecided = [pair in self.compared.undecided for pair in self.compared.pairs_of(self.leaders)]
        count = len(self.leaders)
        if all(undecided):
            few = _("%(names)s are ahead of all others and do not differ significantly")
            many = ngettext(
                "%(count)d system is ahead of all others and does not differ significantly",
                "%(count)d systems are ahead of all others and do not differ significantly",
                count,
            )
        elif any(undecided):
            few = _("%(names)s are ahead of all others; some of them do not differ significantly")
            many = ngettext(
                "%(count)d system is ahead of all others; some of them do not differ significantly",
                "%(count)d systems are ahead of all others; some of them do not differ significantly",
                count,
            )
        else:
            return
        yield few % {"names": _listed(self.leaders)} if count <= MOST_NAMED else many % {"count": count}

    def _somebody_beats_all(self) -> bool:
        names = self.compared.names
        return any(self.compared.beats_all((name,), tuple(other for other in names if other != name)) for name in names)


def _listed(names: list[str] | tuple[str, ...]) -> str:
    return str(get_text_list(list(names), _("and")))
