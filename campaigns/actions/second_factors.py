"""Second factors of accounts: set up, asked for, renewed, turned off by their holders, reset by operators."""

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from enum import Enum, auto

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from campaigns.actions.audit import record
from campaigns.actions.endings import end_sessions, lock, may_make_campaigns, refuse_closed
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Membership, Role, SecondFactor, Session
from campaigns.models.webhooks import new_salt
from campaigns.one_time_codes import matching_step
from campaigns.secret_keys import hash_secret, new_completion_code

KEY_BYTES = 20  # as long as a digest of SHA-1 (RFC 4226, section 4)
RECOVERY_CODES = 10
LONGEST_WAIT = timedelta(days=1)


class Attempt(Enum):
    """What came of a code."""

    RIGHT = auto()
    WRONG = auto()
    TOO_MANY = auto()


def key_of(factor: SecondFactor) -> bytes:
    """It follows from the site's key and a random number of the row, so that no copy of the database has it."""
    return salted_hmac("assay.second_factor", factor.salt, algorithm="sha256").digest()[:KEY_BYTES]


def organises(account: Account) -> bool:
    """Whether it is one of those whom the setting is about."""
    return may_make_campaigns(account) or Membership.objects.filter(account=account, role=Role.ORGANISER).exists()


def factor_of(account: Account) -> SecondFactor | None:
    """The one in use."""
    return SecondFactor.objects.filter(account=account).exclude(confirmed_at=None).first()


def asks_code(account: Account) -> bool:
    return settings.SECOND_FACTOR != "off" and factor_of(account) is not None


def begin_factor(account: Account) -> SecondFactor:
    """With a new key, not in use before its first code: who stops here signs in as before."""
    with transaction.atomic():
        lock(account)
        factor = SecondFactor.objects.filter(account=account).first()
        if factor is not None and factor.confirmed_at:
            return factor
        return SecondFactor.objects.update_or_create(account=account, defaults={"salt": new_salt()})[0]


def confirm_factor(*, account: Account, code: str, session: str) -> list[str]:
    """From now on a code is asked for. The recovery codes, which are not stored, are returned this once.

    Other devices are signed out, because they came in without a code. Raises InvalidInput.
    """
    with transaction.atomic():
        factor = SecondFactor.objects.select_for_update(no_key=True).filter(account=account, confirmed_at=None).first()
        if factor is None:
            raise InvalidInput.of("code", _("This was set up before, or not begun. Reload the page."))
        step = matching_step(key_of(factor), _typed(code), seconds=time.time())
        if step is None:
            raise InvalidInput.of(
                "code", _("This code is not right. Enter the one that the app shows now, and check the phone's clock.")
            )
        codes = [new_completion_code() for _each in range(RECOVERY_CODES)]
        factor.confirmed_at, factor.last_step = timezone.now(), step
        factor.recovery_hashes = [hash_secret(each) for each in codes]
        factor.save()
        end_sessions(Session.objects.filter(account=account).exclude(session_key=session))
        record(action="second_factor_on", by=account)
    return codes


def try_code(*, account: Account, code: str) -> Attempt:
    """A code of the app, or one of the recovery codes: each is right once.

    Wrong ones are counted for the account, wherever they come from, until one is right.
    """
    return _try(account, code, then=lambda _factor: None)


def renew_recovery_codes(*, account: Account, code: str) -> tuple[Attempt, list[str]]:
    """The old ones end; the new ones are returned this once."""
    codes = [new_completion_code() for _each in range(RECOVERY_CODES)]

    def replace(factor: SecondFactor) -> None:
        factor.recovery_hashes = [hash_secret(each) for each in codes]
        record(action="recovery_codes_renewed", by=account)

    attempt = _try(account, code, then=replace)
    return attempt, codes if attempt == Attempt.RIGHT else []


def turn_off_factor(*, account: Account, code: str) -> Attempt:
    def leave(_factor: SecondFactor) -> None:
        record(action="second_factor_off", by=account)

    with transaction.atomic():
        attempt = _try(account, code, then=leave)
        if attempt == Attempt.RIGHT:
            SecondFactor.objects.filter(account=account).delete()
    return attempt


def reset_factor(*, account: Account, by: Account | None) -> bool:
    """For somebody who lost both the app and the recovery codes; whether there was one. All devices are signed out."""
    refuse_closed(account)
    with transaction.atomic():
        was_there = bool(SecondFactor.objects.filter(account=account).delete()[0])
        if was_there:
            end_sessions(Session.objects.filter(account=account))
            record(action="second_factor_reset", by=by, account=account.username)
    return was_there


def opens_again_at(factor: SecondFactor) -> datetime | None:
    """When codes are tried again; None if they are now. Each row of wrong codes makes the wait twice as long."""
    rows, rest = divmod(factor.wrong_codes, settings.AXES_FAILURE_LIMIT)
    if rest or not rows or factor.wrong_at is None:
        return None
    wait = min(timedelta(hours=settings.AXES_COOLOFF_TIME) * 2 ** min(rows - 1, 16), LONGEST_WAIT)
    return factor.wrong_at + wait if factor.wrong_at + wait > timezone.now() else None


def _try(account: Account, code: str, *, then: Callable[[SecondFactor], None]) -> Attempt:
    with transaction.atomic():
        rows = SecondFactor.objects.select_for_update(no_key=True).filter(account=account)
        factor = rows.exclude(confirmed_at=None).first()
        if factor is None:
            return Attempt.WRONG
        if opens_again_at(factor):
            return Attempt.TOO_MANY
        if _takes(factor, _typed(code)):
            factor.wrong_codes, factor.wrong_at = 0, None
            then(factor)
            factor.save()
            return Attempt.RIGHT
        factor.wrong_codes, factor.wrong_at = factor.wrong_codes + 1, timezone.now()
        factor.save()
        return Attempt.TOO_MANY if opens_again_at(factor) else Attempt.WRONG


def _takes(factor: SecondFactor, code: str) -> bool:
    """Whether it is right; then it is used up."""
    step = matching_step(key_of(factor), code, seconds=time.time(), after=factor.last_step)
    if step is not None:
        factor.last_step = step
        return True
    hashed = hash_secret(code)
    if hashed not in factor.recovery_hashes:
        return False
    factor.recovery_hashes = [each for each in factor.recovery_hashes if each != hashed]
    return True


def _typed(code: str) -> str:
    """As people type it: with blanks, in small letters."""
    return "".join(code.split()).upper()
