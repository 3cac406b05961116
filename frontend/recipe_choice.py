"""How results are computed, as a form: recipes with what each is for, and single options that differ from them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.protocols.base import Measure, Text
from metrics.recipes import INCOMPLETE, RECIPES, usual_recipe_name

ADJUDICATED = "adjudicated"
LOWEST_FIT = _("Lowest fit of annotators")

RECIPE_WORDS: Mapping[str, tuple[Text, Text]] = {
    "assay": (_("Assay"), _("Asks whether a difference would hold on other documents of the same kind.")),
    "wmt-crowd": (_("WMT crowd"), _("For comparing with WMT’s tables of 2017 to 2022 into English.")),
    "wmt-appraise": (_("WMT Appraise"), _("For comparing with WMT’s tables of 2021 and 2022 out of English.")),
    "wmt24": (_("WMT 2024"), _("For reproducing WMT’s numbers of 2024: raw scores, equal weight for each domain.")),
    "wmt25": (
        _("WMT 2025"),
        _("To reproduce, not to decide: WMT’s rule of 2025, every score a unit, one-sided tests without correction."),
    ),
    "wmt26": (
        _("WMT 2026"),
        _("To reproduce, not to decide: WMT’s rule of 2026, annotators filtered, two one-sided bounds for each pair."),
    ),
    "incomplete": (
        _("Incomplete designs"),
        _("A mixed model takes out how severe annotators and how hard texts are. For campaigns with gaps."),
    ),
    "mqm": (_("MQM"), _("For penalties of marked errors: no z-scores, otherwise as Assay.")),
}
OPTION_WORDS: Mapping[str, tuple[Text, Mapping[str, Text]]] = {
    "include": (_("Annotators"), {"all": _("All"), "passed": _("Only those who passed control items")}),
    "normalisation": (
        _("z-scores"),
        {"all": _("From all judgments"), "regular": _("From regular judgments"), "none": _("None, raw scores")},
    ),
    "test": (
        _("Test of two systems"),
        {
            "permutation": _("Permutation of documents"),
            "bootstrap": _("Paired bootstrap of documents"),
            "rank-sum": _("Rank-sum"),
            "signed-rank": _("Signed-rank"),
            "signed-rank-greater": _("Signed-rank, one-sided"),
            "bca": _("Bounds of WMT 2026"),
            "mixed": _("Mixed model"),
        },
    ),
    "correction": (_("Correction for many tests"), {"none": _("None"), "holm": _("Holm")}),
    "average": (_("Mean over"), {"segment": _("Segments"), "domain": _("Domains")}),
    ADJUDICATED: (
        _("Adjudicated outputs"),
        {"no": _("As annotators answered"), "yes": _("As was decided")},
    ),
}


@dataclass(frozen=True)
class RecipeChoice:
    """`chosen` are a run's arguments; `measure` is what systems are compared by, where that is known.

    Where nothing was adjudicated and the run does not ask for it, no choice is offered. `recipes` are names, titles,
    what each is for and which is chosen; `options` names, titles and values with words and which is chosen. Of both
    the empty value is the usual one. `made_by` is the recipe of the finished run.
    """

    protocol: str
    chosen: Mapping[str, Any]
    measure: Measure | None = None
    has_adjudications: bool = False
    made_by: str = ""

    @property
    def usual(self) -> str:
        return usual_recipe_name(self.protocol)

    @property
    def current(self) -> str:
        return self.chosen["recipe"] or self.usual

    @property
    def title(self) -> Text:
        """Of what decides: the mixed model may, though nobody chose it."""
        return RECIPE_WORDS[INCOMPLETE if self.made_by == INCOMPLETE else self.current][0]

    @property
    def differing(self) -> list[str]:
        """Options that differ from the recipe, in words."""
        chosen = (
            (title, values.get(self.chosen["options"].get(name, ""))) for name, (title, values) in OPTION_WORDS.items()
        )
        differing = [f"{title}: {words}" for title, words in chosen if words]
        return [*differing, f"{LOWEST_FIT}: {self.lowest_fit}"] if self.lowest_fit else differing

    @property
    def lowest_fit(self) -> str:
        """As the page's address has it; empty where the recipe's own is taken."""
        return str(self.chosen["options"].get("lowest_fit", ""))

    @property
    def recipes(self) -> list[tuple[str, Text, Text, bool]]:
        """Those that differ for this protocol; the usual one has no name in the page's address."""
        known = [name for name in RECIPES if self._fits(name)]
        return [
            ("" if name == self.usual else name, *RECIPE_WORDS[name], name == self.current)
            for name in sorted(known, key=lambda name: name != self.usual)
        ]

    @property
    def options(self) -> list[tuple[str, Text, list[tuple[str, Text, bool]]]]:
        relative = self.measure is not None and self.measure.is_relative
        offered = ["include", ADJUDICATED] if relative else list(OPTION_WORDS)
        if not self.has_adjudications and ADJUDICATED not in self.chosen["options"]:
            offered.remove(ADJUDICATED)
        chosen = self.chosen["options"]
        return [
            (name, title, [(value, words, value == chosen.get(name)) for value, words in values.items()])
            for name, (title, values) in OPTION_WORDS.items()
            if name in offered
        ]

    def _fits(self, name: str) -> bool:
        if name in (self.usual, self.current):
            return True
        if self.measure is not None and self.measure.is_relative:
            return False
        return RECIPES[name].weights is None  # what weighs errors is the usual one where errors are marked
