"""The race of a campaign that drops systems: its rule, who is in it, and which documents can be looked at."""

from dataclasses import dataclass

from django.db.models import Exists, Max, OuterRef, Q

from annotation.campaign_spec import PARAMETERS
from annotation.models import Assignment, AssignmentStatus, Credit, Item, Race, RaceStatus, Slot
from campaigns.models import Campaign

RULE = "all_in_race"  # each document is judged with every system in the race
UNFINISHED = (AssignmentStatus.PLANNED, AssignmentStatus.RESERVED, AssignmentStatus.OPEN)


@dataclass(frozen=True)
class RaceRule:
    """The parameters of a campaign's plan that say what the race is for."""

    question: str
    top: int
    alpha: float
    first: int
    step: int

    @classmethod
    def of(cls, campaign: Campaign) -> "RaceRule":
        """An archive may have been made before one of them was there."""

        def value(name: str) -> object:
            return campaign.plan_options.get(f"allocation{name}", PARAMETERS[f"allocation{name}"].default)

        return cls(
            question=str(value("")),
            top=int(str(value("_top"))),
            alpha=float(str(value("_alpha"))),
            first=int(str(value("_first"))),
            step=int(str(value("_step"))),
        )

    @property
    def wanted(self) -> int:
        """How many systems are left when the question is answered."""
        return self.top if self.question == "top" else 1


@dataclass(frozen=True)
class Standing:
    """One system of the race."""

    system: int
    name: str
    is_in: bool
    is_protected: bool
    dropped_after: int | None


def standings_of(race: Race) -> list[Standing]:
    """All systems of the race by name; one query."""
    columns = ("system", "system__name", "is_in", "is_protected", "dropped_after")
    return [Standing(*row) for row in race.systems.order_by("system__name").values_list(*columns)]


def served_in(race: Race, standings: list[Standing]) -> set[int]:
    """The systems that are handed out: those in the race, and none once the question is answered."""
    return set() if race.status == RaceStatus.DECIDED else {each.system for each in standings if each.is_in}


def shows_one_of(systems: set[int]) -> Q:
    """Of items: one of these systems has an output that the item shows."""
    credited = Credit.objects.filter(slot__item=OuterRef("pk"), system__in=systems)
    own = Slot.objects.filter(item=OuterRef("pk"), system__in=systems)
    return Q(Exists(own)) | Q(Exists(credited))


def race_with_finished_wave(assignment: int) -> Race | None:
    """The running race of this assignment's campaign, if nothing of the assignment's wave is left to do."""
    own = Assignment.objects.filter(pk=assignment).values("campaign")
    race = Race.objects.filter(campaign__in=own, status=RaceStatus.RUNNING).select_related("campaign").first()
    if race is None:
        return None
    size = race.campaign.redundancy
    start = Assignment.objects.values_list("round", flat=True).get(pk=assignment) // size * size
    others = Assignment.objects.filter(campaign=race.campaign_id, status__in=UNFINISHED)
    return None if others.filter(round__gte=start, round__lt=start + size).exists() else race


def unfinished_documents(race: Race) -> set[int]:
    """Documents of waves that have begun and of which something is left to do."""
    campaign = race.campaign
    own = Assignment.objects.filter(campaign=campaign)
    last = own.filter(done__gt=0).aggregate(last=Max("round"))["last"]
    if last is None:
        return set()
    size = campaign.redundancy
    begun = own.filter(round__lt=(last // size + 1) * size)
    rounds = begun.filter(status__in=UNFINISHED).values_list("round", flat=True).distinct()
    waves = {each // size for each in rounds}
    whole = [wave * size + each for wave in waves for each in range(size)]
    items = Item.objects.filter(assignment__campaign=campaign, assignment__round__in=whole).order_by()
    return set(items.values_list("document", flat=True).distinct())


def document_propensity(race: Race, wave: int) -> float:
    """How probable each document was that was not begun yet, when those of this wave were drawn."""
    left = sum(race.waves[wave:])
    return race.waves[wave] / left if wave < len(race.waves) and left else 1.0
