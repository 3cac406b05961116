"""What each model of preferences makes of the systems, side by side."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from frontend.researcher.sorting import COLUMN, Sorted, SortKey, nothing_asked

MODELS = {
    "expected_wins": _("Expected wins"),
    "bradley_terry": _("Bradley–Terry"),
    "davidson": _("Davidson"),
    "rao_kupper": _("Rao–Kupper"),
    "trueskill": _("TrueSkill"),
}
SHARES = {"expected_wins"}


@dataclass(frozen=True)
class Strength:
    """`share` is a percentage; others are log-strengths or skills about 0. `place` counts from 1 within the model."""

    value: float | None
    is_share: bool
    place: int | None


@dataclass(frozen=True)
class Strengths:
    """`models` as the analysis `ranking` gives them; `names` in rank order."""

    models: Mapping[str, Mapping[str, float | None]]
    names: Sequence[str]
    query: QueryDict = field(default_factory=nothing_asked)

    @cached_property
    def sorted(self) -> Sorted[tuple[str, list[Strength]]]:
        keys: dict[str, SortKey[tuple[str, list[Strength]]]] = {"system": SortKey(_("System"), _name)}
        for place, model in enumerate(self._known):
            keys[COLUMN + model] = SortKey(MODELS[model], partial(_value, place), is_down_first=True)
        return Sorted(self.rows, keys, self.query, table="models")

    @property
    def columns(self) -> list[str]:
        return ["system", *self._known]

    @property
    def rows(self) -> list[tuple[str, list[Strength]]]:
        return [(name, [self._cell(model, name) for model in self._known]) for name in self.names]

    def csv_rows(self) -> Iterator[list[Any]]:
        for name in self.names:
            yield [name, *(self.models[model].get(name) for model in self._known)]

    @property
    def _known(self) -> list[str]:
        return [model for model in MODELS if model in self.models]

    def _cell(self, model: str, name: str) -> Strength:
        value = self.models[model].get(name)
        if value is None:
            return Strength(None, model in SHARES, None)
        place = 1 + sum(other is not None and other > value for other in self.models[model].values())
        return Strength(100 * value if model in SHARES else value, model in SHARES, place)


def _name(row: tuple[str, list[Strength]]) -> str:
    return row[0].casefold()


def _value(place: int, row: tuple[str, list[Strength]]) -> float | None:
    return row[1][place].value
