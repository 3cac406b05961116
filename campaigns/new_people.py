"""People who are to get accounts: the data about them, and its errors."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db.models.functions import Lower
from django.utils.translation import gettext as _

from campaigns.languages import language_problem
from campaigns.models import Account, Campaign
from campaigns.reading.problems import Problem, excerpt, text_error

NAME_LIMIT = 150
EMAIL_LIMIT = 254
MOST_PEOPLE = 500
MOST_LANGUAGES = 20
MOST_PASSWORDS = 100  # each is hashed slowly, while somebody waits


@dataclass(frozen=True)
class Person:
    """`password` is in memory only; what is stored for later is `password_hash`. `line` is where a list names them."""

    name: str = ""
    email: str = ""
    languages: Sequence[str] = ()
    username: str = ""
    password: str = field(default="", repr=False)
    password_hash: str = field(default="", repr=False)
    line: int | None = None


def check_people(people: Sequence[Person], campaign: Campaign | None) -> list[Problem]:
    """All errors, in the order of the list. No message contains a password."""
    problems = [problem for person in people for problem in _form_errors(person)]
    problems += _duplicates(people) + _taken(people) + _members(people, campaign)
    too_many = _too_many(people)
    if not too_many:
        problems += [problem for person in people if person.password for problem in _weaknesses(person)]
    problems += too_many
    return sorted(problems, key=lambda problem: problem.line or 0)


def _problem(person: Person, column: str, message: str, value: str = "") -> Problem:
    return Problem("", person.line, column, message, excerpt(value))


def _too_many(people: Sequence[Person]) -> list[Problem]:
    problems = []
    named = sum(person != Person() for person in people)
    if named > MOST_PEOPLE:
        message = _("The list has %(count)d people; at most %(limit)d can be added at once. Split the list.")
        problems.append(Problem("", None, "", message % {"count": named, "limit": MOST_PEOPLE}))
    passwords = sum(bool(person.password) for person in people)
    if passwords > MOST_PASSWORDS:
        message = _(
            "The list has %(count)d passwords; at most %(limit)d can be set at once. Split the list, or let Assay "
            "generate the passwords."
        )
        problems.append(Problem("", None, "password", message % {"count": passwords, "limit": MOST_PASSWORDS}))
    return problems


def _form_errors(person: Person) -> Iterable[Problem]:
    if not person.name and not person.username and (person.email or person.languages or person.password):
        yield _problem(person, "name", _("Name and user name are both missing. Enter one of them."))
    for column, value, limit in (("name", person.name, NAME_LIMIT), ("username", person.username, NAME_LIMIT)):
        if len(value) > limit:
            yield _problem(person, column, _("Too long: at most %(limit)d characters.") % {"limit": limit}, value)
        elif error := text_error(value):
            yield _problem(person, column, error, value)
        elif "\ufffd" in value:
            yield _problem(
                person, column, _("A letter was lost because the file is not UTF-8. Save it as UTF-8."), value
            )
    if person.email and (len(person.email) > EMAIL_LIMIT or not _fits(validate_email, person.email)):
        yield _problem(person, "email", _("This is not an e-mail address."), person.email)
    if person.username and not _fits(UnicodeUsernameValidator(), person.username):
        message = _("A user name can contain only letters, digits and @ . + - _")
        yield _problem(person, "username", message, person.username)
    if len(person.languages) > MOST_LANGUAGES:
        yield _problem(person, "languages", _("Too many languages: at most %(limit)d.") % {"limit": MOST_LANGUAGES})
    for tag in person.languages[:MOST_LANGUAGES]:
        if error := language_problem(tag):
            yield _problem(person, "languages", error, tag)


def _fits(validate: Callable[[str], None], value: str) -> bool:
    try:
        validate(value)
    except ValidationError:
        return False
    return True


def _weaknesses(person: Person) -> Iterable[Problem]:
    if "\x00" in person.password or text_error(person.password):
        yield _problem(person, "password", _("The password contains a character that cannot be typed."))
        return
    account = Account(username=person.username, first_name=person.name[:NAME_LIMIT], email=person.email)
    try:
        validate_password(person.password, account)
    except ValidationError as error:
        for message in error.messages:
            yield _problem(person, "password", message)


def _duplicates(people: Sequence[Person]) -> list[Problem]:
    """A user name or an address is one person's; a bare name too, where nothing else tells two people apart."""
    problems = []
    seen: dict[tuple[str, str], Person] = {}
    for person in people:
        bare = "" if person.email or person.username else person.name
        for column, value in (("username", person.username), ("email", person.email), ("name", bare)):
            if not value:
                continue
            first = seen.setdefault((column, value.casefold()), person)
            if first is not person:
                message = _("Occurs twice in the list, first in line %(line)s.") % {"line": first.line}
                problems.append(_problem(person, column, message, value))
    return problems


def _taken(people: Sequence[Person]) -> list[Problem]:
    """An existing account cannot be handed out again, nor can a name that differs only in spelling."""
    usernames = {person.username.lower() for person in people if person.username}
    known = Account.objects.annotate(lower=Lower("username")).filter(lower__in=usernames) if usernames else ()
    taken = {account.username.lower() for account in known}
    message = _("This user name is taken. Choose another.")
    return [
        _problem(person, "username", message, person.username)
        for person in people
        if person.username and person.username.lower() in taken
    ]


def _members(people: Sequence[Person], campaign: Campaign | None) -> list[Problem]:
    addresses = {person.email.lower() for person in people if person.email}
    if campaign is None or not addresses:
        return []
    members = Account.objects.filter(memberships__campaign=campaign, memberships__removed_at=None).annotate(
        lower=Lower("email")
    )
    known = {account.email.lower(): account.username for account in members.filter(lower__in=addresses)}
    message = _("Is already in this campaign, as %(account)s.")
    return [
        _problem(person, "email", message % {"account": known[person.email.lower()]}, person.email)
        for person in people
        if person.email.lower() in known
    ]
