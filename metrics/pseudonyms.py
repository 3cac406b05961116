"""Names of annotators in an archive: their own, or numbers in random order."""

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.crypto import salted_hmac

from annotation.models import (
    Assignment,
    AssignmentStatus,
    Exclusion,
    Item,
    Judgment,
    PracticeAnswer,
    ProblemReport,
    WorkCount,
)
from campaigns.models import Account, Campaign, Membership, QuestionnaireReply, Role, System
from metrics.filters import FilterError, read_filter


@dataclass(frozen=True)
class People:
    """Annotators by the key of their account: the number and the name each has in the archive."""

    numbers: Mapping[int, int]
    names: Mapping[int, str]
    renamed: Mapping[str, str]

    @property
    def are_pseudonyms(self) -> bool:
        return bool(self.renamed)

    def in_json(self, value: Any) -> Any:
        """Results with the names the archive has: every value that is exactly an annotator's name, anywhere in them."""
        if not self.renamed:
            return value
        if isinstance(value, str):
            return self.renamed.get(value, value)
        if isinstance(value, list):
            return [self.in_json(each) for each in value]
        if isinstance(value, dict):
            return {self.renamed.get(name, name): self._of_key(name, each) for name, each in value.items()}
        return value

    def _of_key(self, key: str, value: Any) -> Any:
        """A signature names who was left out on trial, among other things; a filter may name whose judgments stay."""
        if key == "signature" and isinstance(value, str):
            return self.in_text(value)
        return self.in_filter(value) if key == "where" and isinstance(value, str) else self.in_json(value)

    def in_filter(self, text: str) -> str:
        """The canonical form, as names decide the order of conditions."""
        try:
            return str(read_filter(text).renamed(self.renamed))
        except FilterError:
            return self.in_text(text)

    def in_text(self, text: str) -> str:
        """A sentence in which a name may occur as a word."""
        if not self.renamed or not text:
            return text
        longest_first = sorted(self.renamed, key=len, reverse=True)
        names = "|".join(re.escape(name) for name in longest_first)
        return re.sub(rf"(?<![\w-])(?:{names})(?![\w-])", lambda match: self.renamed[match[0]], text)


def people_of(campaign: Campaign, *, pseudonymised: bool) -> People:
    """Everybody who judged, or was invited to. Pseudonyms are drawn for each archive, and their key is not stored."""
    names = dict(_annotators(campaign).order_by("pk").values_list("pk", "username"))
    keys = list(names)
    if not pseudonymised:
        return People({key: number for number, key in enumerate(keys, 1)}, names, {})
    random.SystemRandom().shuffle(keys)
    width = max(2, len(str(len(keys))))
    numbers = {key: number for number, key in enumerate(keys, 1)}
    drawn = {key: f"annotator-{number:0{width}d}" for key, number in numbers.items()}
    return People(numbers, drawn, {names[key]: drawn[key] for key in keys})


def codes_of(campaign: Campaign) -> dict[str, str]:
    """For files that are fetched one by one: the same in each of them and every time, made with the server's key."""
    codes = {}
    for key, name in _annotators(campaign).order_by("pk").values_list("pk", "username"):
        digest = salted_hmac("annotator-code", f"{campaign.pk}:{key}", algorithm="sha256").hexdigest()
        codes[name] = f"annotator-{digest[:10]}"
    return codes


def a_system_has_the_name_of(people: People, campaign: Campaign) -> bool:
    """Then a name in a result may mean either, so results cannot be written with pseudonyms."""
    systems = System.objects.filter(test_set=campaign.test_set_id).values_list("name", flat=True)
    return any(name in people.renamed for name in systems)


def _annotators(campaign: Campaign) -> QuerySet[Account]:
    """With members who were removed."""
    archived = Assignment.objects.filter(campaign=campaign, status=AssignmentStatus.ARCHIVED)
    of_campaign: tuple[QuerySet[Any, Any], ...] = (
        Membership.ever.filter(campaign=campaign, role=Role.ANNOTATOR, withdrawn_at=None).values("account"),
        Assignment.objects.filter(campaign=campaign, annotator__isnull=False).values("annotator"),
        Exclusion.objects.filter(campaign=campaign).values("annotator"),
        WorkCount.objects.filter(campaign=campaign).values("annotator"),
        Judgment.objects.filter(item__in=Item.objects.filter(assignment__in=archived)).values("annotator"),
        PracticeAnswer.objects.filter(item__campaign=campaign).values("annotator"),
        ProblemReport.objects.filter(item__assignment__campaign=campaign).values("annotator"),
        QuestionnaireReply.objects.filter(questionnaire__campaign=campaign).values("annotator"),
    )
    return Account.objects.filter(reduce(or_, (Q(pk__in=accounts) for accounts in of_campaign)))
