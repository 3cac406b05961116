"""Who gets which mail of a campaign, in which words, and why somebody gets none."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from django.db.models import Max
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_supported_language_variant, gettext_lazy, override

from annotation.queries.progress import planned_work
from annotation.queries.task_list import finishers_of
from campaigns.actions.endings import beyond_reach
from campaigns.actions.mail import COUNTED, Letter, address_hash, link_ends_at, stopped_hashes
from campaigns.languages import language_name
from campaigns.mail_texts import LINK, NoMail, Template, one_line, template_of
from campaigns.models import Account, Campaign, CampaignStatus, Mail, MailKind, MailText, Role
from campaigns.site_address import site_address
from metrics.progress.campaign_state import Share, campaign_state_of
from metrics.progress.overview import STUCK_DAYS, AnnotatorLine, Concern, overview_of

_CONCERNS = {
    Concern.FAILS_CONTROLS: gettext_lazy("fails controls"),
    Concern.TOO_FAST: gettext_lazy("too fast"),
    Concern.STUCK: gettext_lazy("has stopped"),
    Concern.LATE: gettext_lazy("reservation expired"),
    Concern.UNOPENED: gettext_lazy("link not opened"),
}


@dataclass(frozen=True)
class Receiver:
    """Somebody whom a message is for. `days_idle` is of reminders; `last_at` is when they got one of the kind."""

    letter: Letter
    hindrance: NoMail | None
    last_at: datetime | None
    done: int = 0
    left: int = 0
    days_idle: int | None = None
    finished_at: datetime | None = None

    @property
    def account(self) -> Account:
        return self.letter.account


@dataclass(frozen=True)
class _Person:
    account: Account
    share: Share
    days_idle: int | None = None
    finished_at: datetime | None = None


@dataclass(frozen=True)
class Letters:
    """The letters of one kind. `by` is who sends them: nobody for a worker. `days` without work are of reminders."""

    campaign: Campaign
    kind: MailKind
    language: str  # of those whose language is not known
    by: Account | None = None
    days: int = STUCK_DAYS
    told_alerts: Collection[str] = ()
    draft: Template | None = None  # to be looked at before it is stored

    @cached_property
    def receivers(self) -> list[Receiver]:
        """By name."""
        people = sorted(self._people, key=lambda person: str(person.account).casefold())
        accounts = [person.account for person in people]
        last = self._last_messages(accounts)
        stopped = stopped_hashes((each.email for each in accounts), self.campaign)
        unreachable = beyond_reach(accounts, self.by)
        return [
            self._receiver(each, last.get(each.account.pk), stopped=stopped, unreachable=unreachable) for each in people
        ]

    def to(self, usernames: Collection[str] | None) -> list[Receiver]:
        """Some of them, or all."""
        return [each for each in self.receivers if usernames is None or each.account.username in usernames]

    # --- who ----------------------------------------------------------------------------------------------------------
    @cached_property
    def _people(self) -> list[_Person]:
        if self.kind == MailKind.DIGEST:
            organisers = Account.objects.filter(
                memberships__campaign=self.campaign,
                memberships__role=Role.ORGANISER,
                memberships__removed_at=None,
                is_active=True,
            )
            return [_Person(account, Share()) for account in organisers]
        chosen = dict(self._chosen)
        places = self.campaign.memberships.judging().filter(account__in=chosen, is_program=False)
        active = places.filter(account__is_active=True).select_related("account")
        return [_Person(place.account, *chosen[place.account_id]) for place in active]

    @property
    def _chosen(self) -> Iterator[tuple[int, tuple[Share, int | None, datetime | None]]]:
        """Annotators whom this kind is for, members or not, with what is known about their work."""
        if self.kind == MailKind.REMINDER:
            for line in self.lines if self.campaign.status == CampaignStatus.OPEN else ():
                if line.share.left and line.days_idle >= self.days and not line.person.is_excluded:
                    yield line.person.account, (line.share, line.days_idle, None)
            return
        state = campaign_state_of(self.campaign)
        done = finishers_of(self.campaign) if self.kind == MailKind.THANKS else {}
        for person in state.people:
            waits = self.kind == MailKind.INVITATION and not person.opened and not person.is_excluded
            if waits or person.account in done:
                share = state.shares.get(person.account, Share())
                yield person.account, (share, None, done.get(person.account))

    @cached_property
    def lines(self) -> Sequence[AnnotatorLine]:
        return overview_of(self.campaign).lines

    def _last_messages(self, accounts: Collection[Account]) -> dict[int, datetime]:
        """Of what is sent once, whatever became of it: it can be sent again from the log."""
        own = Mail.objects.filter(campaign=self.campaign, kind=self.kind, account__in=accounts)
        if self.kind == MailKind.REMINDER:
            own = own.filter(status__in=COUNTED)
        return dict(own.order_by().values_list("account").annotate(Max("created_at")))

    def _receiver(
        self, person: _Person, last_at: datetime | None, *, stopped: Collection[str], unreachable: Collection[int]
    ) -> Receiver:
        account, letter = person.account, self._letter(person)
        has_one = last_at is not None and self.kind != MailKind.DIGEST
        if self.kind == MailKind.REMINDER and last_at is not None:
            has_one = last_at >= timezone.now() - timedelta(days=self.days)
        reasons = {
            NoMail.NOT_ALLOWED: account.pk in unreachable and f"{{{LINK}}}" in letter.body,
            NoMail.NO_ADDRESS: not account.email,
            NoMail.STOPPED: bool(account.email) and address_hash(account.email) in stopped,
            NoMail.HAS_ONE: has_one,
        }
        hindrance = next((reason for reason, holds in reasons.items() if holds), None)
        share = person.share
        return Receiver(letter, hindrance, last_at, share.done, share.left, person.days_idle, person.finished_at)

    # --- in which words -----------------------------------------------------------------------------------------------
    def _letter(self, person: _Person) -> Letter:
        account = person.account
        language = _language_of(account) or self.language
        template = self.draft or template_of(self.kind, language, self.own_texts)
        filled = template.filled(self._values_of(person, language))
        cause = f"{self.kind.value}:{self.campaign.pk}:{account.pk}"
        if self.kind == MailKind.DIGEST:
            cause += f":{timezone.now():%Y-%m-%d}"
        return Letter(account, self.kind, cause, language, filled.subject, filled.body)

    def _values_of(self, person: _Person, language: str) -> dict[str, str]:
        """A personal link is not among them: it is made for a message that is stored."""
        return {
            **self._values_in(language),
            "name": one_line(str(person.account)),
            "done": str(person.share.done),
            "left": str(person.share.left),
        }

    def _values_in(self, language: str) -> dict[str, str]:
        """What is the same for all who read one language."""
        if language not in self._by_language:
            test_set = self.campaign.test_set
            with override(language):
                self._by_language[language] = {
                    "campaign": one_line(self.campaign.name),
                    "source": language_name(test_set.source_language),
                    "target": language_name(test_set.target_language),
                    "minutes": str(self._minutes),
                    "until": date_format(link_ends_at(), "DATE_FORMAT"),
                    "sign_in": site_address("/sign-in/"),
                    "timesheet": site_address("/timesheet/"),
                    "overview": site_address(f"/campaigns/{self.campaign.slug}/overview/"),
                    "alerts": self._alerts if self.kind == MailKind.DIGEST else "",
                }
        return self._by_language[language]

    @cached_property
    def _by_language(self) -> dict[str, dict[str, str]]:
        return {}

    @cached_property
    def own_texts(self) -> dict[str, MailText]:
        return {text.kind: text for text in self.campaign.mail_texts.all()}

    @cached_property
    def _minutes(self) -> int:
        """Of each annotator, if all take the same part."""
        if self.kind != MailKind.INVITATION:
            return 0
        people = self.campaign.memberships.filter(role=Role.ANNOTATOR).count()
        return max(1, round(planned_work(self.campaign).seconds / max(1, people) / 60))

    @property
    def _alerts(self) -> str:
        """Those that were not told yet, one kind a line."""
        names: dict[Concern, list[str]] = {}
        for concern, line in concerns_in(self.lines):
            if alert_key(concern, line) not in self.told_alerts:
                names.setdefault(concern, []).append(one_line(line.person.name))
        return "\n".join(f"- {_CONCERNS[concern]}: {', '.join(own)}" for concern, own in sorted(names.items()))


def concerns_in(lines: Iterable[AnnotatorLine]) -> Iterator[tuple[Concern, AnnotatorLine]]:
    return ((concern, line) for line in lines for concern in line.concerns)


def alert_key(concern: Concern, line: AnnotatorLine) -> str:
    return f"{concern.value}:{line.person.account}"


def _language_of(account: Account) -> str:
    """The first of a person's languages that the pages have; empty where there is none."""
    for tag in account.languages:
        with suppress(LookupError):
            return get_supported_language_variant(str(tag).lower())
    return ""
