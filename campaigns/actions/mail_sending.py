"""Mail that workers send: once a message, tried again where the server certainly did not take it."""

import logging
import smtplib
from datetime import datetime, timedelta
from email.utils import parseaddr
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from campaigns.actions.mail import is_mail_on, link_of, stop_address, stopped_hashes
from campaigns.mail_texts import LINK, one_line, with_link
from campaigns.models import Mail, MailKind, MailProblem, MailStatus, Membership
from campaigns.site_address import site_address

logger = logging.getLogger(__name__)

PAUSES = (30, 300, 1_800, 7_200, 28_800, 86_400)  # seconds after each failure; after the last one it is given up
LEASE = timedelta(seconds=300)  # after it a worker that was sending counts as dead
MOST_AT_ONCE = 20
TOO_LATE = timedelta(days=3)  # for a message that nobody sent, as while mail was switched off
SENTENCE_LIMIT = 300


class NotSent(Exception):
    """`is_final` where another attempt makes no sense, or might send a message twice."""

    def __init__(self, problem: MailProblem, said: str = "", *, is_final: bool = True) -> None:
        self.problem, self.said, self.is_final = problem, one_line(said)[:SENTENCE_LIMIT], is_final
        super().__init__(f"{problem.value} {self.said}".strip())


# --- sent -------------------------------------------------------------------------------------------------------------
def send_due() -> int:
    """Sends what is due, oldest first; how many were tried. Called by workers, any number of them at once."""
    if not is_mail_on():
        return 0
    unfinished = Mail.objects.filter(status__in=(MailStatus.WAITING, MailStatus.SENDING))
    due = unfinished.filter(next_attempt_at__lte=timezone.now()).order_by("next_attempt_at", "pk")
    waiting = list(due.values_list("pk", "status", "next_attempt_at")[:MOST_AT_ONCE])
    if not waiting:
        return 0
    connection = get_connection()
    try:
        return sum(_send(connection, pk, status, due_at) for pk, status, due_at in waiting)
    finally:
        connection.close()


def _send(connection: BaseEmailBackend, pk: int, status: str, due_at: Any) -> bool:
    """False if another worker has taken it. What a dead worker was sending is not sent again."""
    own, lease = Mail.objects.filter(pk=pk, status=status, next_attempt_at=due_at), timezone.now() + LEASE
    if status == MailStatus.SENDING:
        lost = {"status": MailStatus.FAILED, "next_attempt_at": None, "problem": MailProblem.UNCERTAIN}
        return bool(own.update(**lost))
    if not own.update(status=MailStatus.SENDING, next_attempt_at=lease, attempts=F("attempts") + 1):
        return False
    mail = Mail.objects.select_related("account", "campaign", "invitation").get(pk=pk)
    ended: dict[str, Any] = {"status": MailStatus.SENT, "next_attempt_at": None, "problem": "", "server_said": ""}
    try:
        if stopped_hashes([mail.address], mail.campaign):
            ended["status"] = MailStatus.STOPPED
        else:
            _refuse_outdated(mail, due_at)
            _deliver(connection, message_of(mail))
    except NotSent as error:
        ended |= {"status": MailStatus.FAILED, "problem": error.problem, "server_said": error.said}
        if not error.is_final and mail.attempts <= len(PAUSES):
            again = timezone.now() + timedelta(seconds=PAUSES[mail.attempts - 1])
            ended |= {"status": MailStatus.WAITING, "next_attempt_at": again}
        else:
            logger.warning("Message %s is not sent: %s", mail.public_id, error)
    taken = Mail.objects.filter(pk=pk, status=MailStatus.SENDING, next_attempt_at=lease)
    return bool(taken.update(last_attempt_at=timezone.now(), **ended))


def _refuse_outdated(mail: Mail, due_at: datetime) -> None:
    if due_at < timezone.now() - TOO_LATE:
        raise NotSent(MailProblem.TOO_LATE)
    place = Membership.objects.filter(campaign=mail.campaign, account=mail.account, withdrawn_at=None)
    if not mail.account.is_active or mail.campaign.deleted_at or not place.exists():
        raise NotSent(MailProblem.CLOSED)
    if f"{{{LINK}}}" in mail.body and not link_of(mail):
        raise NotSent(MailProblem.LINK_ENDED)


def _deliver(connection: BaseEmailBackend, message: EmailMessage) -> None:
    """Raises NotSent. The connection stays open for the next message, unless something went wrong."""
    try:
        connection.open()
    except (OSError, smtplib.SMTPException) as error:  # all failures of smtplib are OSErrors
        raise NotSent(MailProblem.NO_CONNECTION, said_by(error), is_final=False) from error
    try:
        connection.send_messages([message])
    except (OSError, ValueError) as error:
        connection.close()
        raise _not_sent(error) from error


def _not_sent(error: OSError | ValueError) -> NotSent:
    """4xx is tried again, 5xx is not. Where the connection ended, the server may have taken the message."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        codes = [code for code, _said in error.recipients.values()]
    elif isinstance(error, smtplib.SMTPResponseException):
        codes = [error.smtp_code]
    elif isinstance(error, ValueError | smtplib.SMTPNotSupportedError):
        codes = [500]  # an address or a header that cannot be sent
    else:
        return NotSent(MailProblem.UNCERTAIN, said_by(error))
    return NotSent(MailProblem.REFUSED, said_by(error), is_final=all(code >= 500 for code in codes))


def said_by(error: Exception) -> str:
    """The server's own sentence, else what the system says."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return "; ".join(f"{code} {_decoded(said)}" for code, said in error.recipients.values())
    if isinstance(error, smtplib.SMTPResponseException):
        return f"{error.smtp_code} {_decoded(error.smtp_error)}"
    return str(error) or type(error).__name__


def _decoded(said: bytes | str) -> str:
    return said.decode("utf-8", "replace") if isinstance(said, bytes) else said


# --- in words ---------------------------------------------------------------------------------------------------------
def message_of(mail: Mail) -> EmailMessage:
    """As it leaves: with its link, and how to have no more. A form of one click needs HTTPS (RFC 8058)."""
    stop = stop_address(mail)
    headers = {
        "Message-ID": f"<{mail.public_id}@{_domain()}>",
        "Auto-Submitted": "auto-generated",
        "Content-Language": mail.language,
        "List-Unsubscribe": f"<{stop}>",
    }
    if stop.startswith("https://"):
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return EmailMessage(
        subject=one_line(mail.subject),
        body=f"{with_link(mail.body, link_of(mail))}\n\n-- \n{_foot(mail, stop)}\n",
        to=[mail.address],
        reply_to=[mail.reply_to] if mail.reply_to else None,
        headers=headers,
    )


def _foot(mail: Mail, stop: str) -> str:
    with override(mail.language):
        because = (
            _("You get this message as an organiser of %(campaign)s: %(site)s")
            if mail.kind == MailKind.DIGEST
            else _("You get this message because you are an annotator in %(campaign)s: %(site)s")
        )
        about = because % {"campaign": one_line(mail.campaign.name), "site": site_address("/")}
        return f"{about}\n{_('No more of these messages: %(address)s') % {'address': stop}}"


def _domain() -> str:
    return parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2] or "localhost"


def send_test(address: str) -> None:
    """A message about nothing, sent at once. Raises NotSent."""
    message = EmailMessage(
        subject=_("Test message from Assay"),
        body=_("Mail works: %(site)s") % {"site": site_address("/")} + "\n",
        to=[address],
        headers={"Auto-Submitted": "auto-generated"},
    )
    connection = get_connection()
    try:
        _deliver(connection, message)
    finally:
        connection.close()


# --- later ------------------------------------------------------------------------------------------------------------
def erase_old_words() -> None:
    """Address and words of what ended long ago. The rows stay: nobody gets a message for the same cause again."""
    long_ago = timezone.now() - timedelta(days=settings.MAIL_DAYS)
    ended = Mail.objects.exclude(status__in=(MailStatus.WAITING, MailStatus.SENDING)).exclude(address="", body="")
    ended.filter(created_at__lt=long_ago).update(address="", reply_to="", subject="", body="", server_said="")
