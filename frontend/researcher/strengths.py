"""What each model of preferences makes of the systems, side by side."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

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

    @property
    def titles(self) -> list[str]:
        return [str(MODELS[model]) for model in self._known]

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
