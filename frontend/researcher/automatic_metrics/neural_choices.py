"""Metrics with a model of the operator's, as the page offers them: each with its licence and, if need be, its state."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from django.utils.translation import gettext as _

from campaigns.models import TestSet
from metrics.neural.operator_models import BadManifest
from metrics.scoring.names import title_of
from metrics.scoring.neural_states import (
    NO_MODEL,
    READY,
    NeuralMetric,
    bad_models,
    can_do_without_reference,
    licence_of,
    listed_metrics,
)


@dataclass(frozen=True)
class NeuralChoice:
    """`state` is a word or two, empty where the metric is ready; `is_possible`: whether one can ask for it.

    `reason`: why it is not ready and what to do, where that concerns no other metric.
    """

    name: str
    title: str
    licence: str
    state: str
    reason: str
    is_possible: bool
    is_ticked: bool

    @property
    def has_model(self) -> bool:
        return ":" in self.name


@dataclass(frozen=True)
class NeuralChoices:
    """`reasons` are those of several metrics, each once, and of folders that are not models."""

    choices: tuple[NeuralChoice, ...]
    reasons: tuple[str, ...]

    @property
    def has_models(self) -> bool:
        return any(each.has_model for each in self.choices)


def neural_choices(test_set: TestSet, *, has_references: bool, here: Collection[str]) -> NeuralChoices:
    """`here` are the metrics that have scored the test set; these are ticked."""
    listed = listed_metrics(test_set)
    lacking = {
        one.name for one in listed if one.model and not has_references and not can_do_without_reference(one.name)
    }
    reasons = {one.name: one.reason for one in listed if one.state != NO_MODEL and one.name not in lacking}
    times = Counter(reason for reason in reasons.values() if reason)
    choices = [
        _choice(
            one, "" if times[reasons.get(one.name, "")] > 1 else reasons.get(one.name, ""), one.name in lacking, here
        )
        for one in listed
    ]
    shared = [reason for reason, number in times.items() if number > 1]
    return NeuralChoices(tuple(choices), (*shared, *map(_unusable, bad_models())))


def _choice(one: NeuralMetric, reason: str, lacks_reference: bool, here: Collection[str]) -> NeuralChoice:
    is_possible = one.is_ready and not lacks_reference
    state = one.shown_state if one.state != READY else ""
    return NeuralChoice(
        name=one.name,
        title=title_of(one.name) if one.model else one.title,
        licence=licence_of(one.name) if one.model else "",
        state=_("needs a reference") if lacks_reference else state,
        reason=reason,
        is_possible=is_possible,
        is_ticked=is_possible and one.name in here,
    )


def _unusable(bad: BadManifest) -> str:
    """Without its reason, which has places on the server in it."""
    return _("The model %(name)s cannot be used. %(command)s says why.") % {
        "name": bad.name,
        "command": "./assay neural models",
    }
