"""The texts of degraded items, damaged once, when the plan is stored: everybody is shown the same."""

import random
from collections.abc import Mapping, Sequence
from functools import cached_property

from annotation.actions.outputs import outputs_of
from annotation.planning import PlannedItem
from annotation.quality import degrade
from campaigns.models import Campaign, Translation

DONORS_KNOWN = 2000
DONORS_TRIED = 40


class Damage:
    """Damages outputs of one campaign's systems with phrases of others of them; the campaign's seed decides."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.language = campaign.test_set.target_language
        self.rng = random.Random(f"{campaign.seed} damage")  # noqa: S311 - repeatable, not secret

    def of(self, items: Sequence[PlannedItem]) -> dict[int, Mapping[str, str]]:
        """By the index of a degraded item: one of its texts, by label; none where nothing can be replaced."""
        degraded = {
            index: item for index, item in enumerate(items) if item.kind == "degraded" and item.level == "segment"
        }
        texts = outputs_of((item.segment for item in degraded.values()), "text")
        return {index: self._one(item, texts) for index, item in degraded.items()}

    def _one(self, item: PlannedItem, texts: Mapping[tuple[int, int], str | None]) -> Mapping[str, str]:
        slot = self.rng.choice(item.slots)
        segment = item.segment or 0
        text = texts[segment, slot.system] or ""
        damaged = degrade(text, self._donors_for(segment), self.rng, language=self.language)
        return {} if damaged is None else {slot.label: damaged}

    def _donors_for(self, segment: int) -> list[str]:
        drawn = self.rng.sample(self._donors, min(DONORS_TRIED, len(self._donors)))
        return [text for other, text in drawn if other != segment]

    @cached_property
    def _donors(self) -> list[tuple[int, str]]:
        """Outputs from all over the test set with their segments, as many as are needed for variety."""
        outputs = Translation.objects.filter(system__campaigns=self.campaign).exclude(text=None).exclude(text="")
        known = list(outputs.order_by("pk").values_list("pk", flat=True))
        drawn = self.rng.sample(known, min(DONORS_KNOWN, len(known)))
        found = Translation.objects.in_bulk(drawn)
        return [(found[pk].segment_id, found[pk].text or "") for pk in drawn]
