"""Mail of a campaign, for its organisers: what was sent, and sending it."""

from typing import Any

from django.utils.translation import get_language
from rest_framework import serializers
from rest_framework.request import Request

from campaigns.actions.mail import send_again
from campaigns.mail_texts import NoMail
from campaigns.models import Campaign, Mail, MailKind, MailProblem, MailStatus
from frontend.access import get_mail_in
from frontend.api.requests import read
from frontend.api.views import ListView, OrganiserView, listed, operation
from metrics.actions.mailing import DAYS, SENT_BY_HAND, send_letters
from metrics.progress.letters import Letters
from metrics.progress.overview import STUCK_DAYS

TAG = "Mail"
MOST_RECEIVERS = 5_000


class MailSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField(source="pk")
    message = serializers.UUIDField(source="public_id", help_text="The first part of its Message-ID.")
    kind = serializers.ChoiceField(choices=MailKind.values)
    username = serializers.CharField(source="account.username")
    address = serializers.CharField(allow_blank=True, help_text="Empty when it was erased.")
    subject = serializers.CharField(allow_blank=True)
    status = serializers.ChoiceField(choices=MailStatus.values, help_text="`stopped`: the receiver wants no more mail.")
    attempts = serializers.IntegerField()
    problem = serializers.ChoiceField(
        choices=[value for value in MailProblem.values if value],
        allow_blank=True,
        help_text="Why the last attempt failed.",
    )
    server_said = serializers.CharField(allow_blank=True, help_text="The mail server's own sentence.")
    created_at = serializers.DateTimeField()
    last_attempt_at = serializers.DateTimeField(allow_null=True)
    next_attempt_at = serializers.DateTimeField(allow_null=True)


class MailRequestSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=[each.value for each in SENT_BY_HAND])
    annotators = serializers.ListField(
        child=serializers.CharField(max_length=150),
        max_length=MOST_RECEIVERS,
        allow_null=True,
        default=None,
        help_text="User names; without them, all whom the message is for.",
    )
    days = serializers.IntegerField(
        min_value=DAYS[0],
        max_value=DAYS[1],
        default=STUCK_DAYS,
        help_text="Of reminders: days without work, and since the last reminder.",
    )


class LeftOutSerializer(serializers.Serializer[Any]):
    username = serializers.CharField()
    reason = serializers.ChoiceField(choices=NoMail.values)


class StoredMailSerializer(serializers.Serializer[Any]):
    messages = serializers.IntegerField(help_text="That wait to be sent.")
    left_out = LeftOutSerializer(many=True)


@listed("mail", "Mail", Mail, MailSerializer, is_newest_first=True)
class MailsView(OrganiserView, ListView):
    def rows(self, campaign: Campaign) -> Any:
        return campaign.mails.select_related("account").defer("body")

    @operation("send_mail", {202: StoredMailSerializer}, request=MailRequestSerializer)
    def post(self, request: Request, campaign: Campaign) -> Any:
        """Send invitations, reminders or thanks.

        Who has an invitation or thanks already, or a reminder within these days, gets no second one. The same request
        sent again sends nothing more.
        """
        body = read(request, MailRequestSerializer)
        letters = Letters(campaign, MailKind(body["kind"]), get_language() or "en", self.account, body["days"])
        stored = send_letters(letters, body["annotators"])
        left_out = [{"username": account.username, "reason": reason.value} for account, reason in stored.left_out]
        return {"messages": stored.messages, "left_out": left_out}


class MailAgainView(OrganiserView):
    @operation("send_mail_again", {202: MailSerializer})
    def post(self, _request: Request, campaign: Campaign, pk: int) -> Any:
        """Send a message again, with a new link where the old one has ended."""
        return send_again(mail=get_mail_in(campaign, pk), by=self.account)
