"""HTER of a post-edited translation, from the text as it was shown to the text as it was left."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

from django.utils.translation import gettext_lazy as _

from annotation.protocols.base import Measure
from metrics.derivations.base import Derived, JudgedText


@dataclass(frozen=True)
class HterDerivation:
    """Uncapped, case-insensitive; weighed by the words of the post-edit, so that sums give the corpus value."""

    measure: Measure
    is_main: bool = True
    needs_text: bool = True

    @cached_property
    def signature(self) -> str:
        from metrics.automatic.hter import Hter  # noqa: PLC0415 - sacreBLEU costs half a second, and few need it

        return Hter().signature(1)

    @property
    def kept_signatures(self) -> tuple[str, ...]:
        return (self.signature,)

    def compared(self, *, is_main: bool) -> Self:
        return self if is_main == self.is_main else replace(self, is_main=is_main)

    def weighed_by(self, weights: str | None) -> Self:  # noqa: ARG002 - edits weigh what they weigh
        return self

    def derive(self, judged: Sequence[JudgedText]) -> list[Derived | None]:
        from metrics.automatic.hter import hter  # noqa: PLC0415 - as above

        found: list[Derived | None] = [None] * len(judged)
        edited = [place for place, each in enumerate(judged) if isinstance(each.answered.get("text"), str)]
        if edited:
            result = hter(
                [judged[place].shown for place in edited], [judged[place].answered["text"] for place in edited]
            )
            for place, value, words in zip(edited, result.values.tolist(), result.words.tolist(), strict=True):
                found[place] = Derived(value, words)
        return found


HTER = HterDerivation(
    Measure("hter", _("HTER"), _("edits by words of the correction"), 0, math.inf, higher_is_better=False)
)
