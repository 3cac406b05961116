"""What people may ask of what is stored about them: to see it, to take back their consent, to be forgotten."""

from typing import Any

from django.http import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema

from campaigns.models import Scope, Withdrawal
from frontend.access import RUNS_IT, get_annotator_to_forget, get_campaign_for, get_membership_for
from frontend.api.idempotency import idempotent
from frontend.api.payloads import read
from frontend.api.resource_view import ResourceView
from frontend.downloads import data_download
from metrics.actions import forget_person, withdraw_consent


class WithdrawnSerializer(serializers.Serializer[Any]):
    campaign = serializers.CharField(source="campaign.slug")
    withdrawn_at = serializers.DateTimeField(allow_null=True, help_text="null where nothing had been agreed to.")
    answers = serializers.ChoiceField(choices=Withdrawal.values, source="campaign.on_withdrawal")


class ForgettingSerializer(serializers.Serializer[Any]):
    how = serializers.ChoiceField(choices=Withdrawal.values)
    everywhere = serializers.BooleanField(
        default=False, help_text="In all campaigns I organise; else in the one of the address."
    )


class ForgottenSerializer(serializers.Serializer[Any]):
    campaigns = serializers.SerializerMethodField()
    numbers = serializers.SerializerMethodField(help_text="Accounts under which answers are kept.")
    has_no_account = serializers.BooleanField(
        help_text="It was made for a campaign of mine, was part of no other, and is gone, too."
    )

    def get_campaigns(self, forgotten: Any) -> list[str]:
        return [campaign.slug for campaign in forgotten.campaigns]

    def get_numbers(self, forgotten: Any) -> list[str]:
        return [number.username for number in forgotten.numbers]


class AccountDataView(ResourceView):
    tag = "Account"

    @extend_schema(
        operation_id="account_data",
        summary="All that is stored about me, by kinds; written while it is sent",
        responses=OpenApiTypes.OBJECT,
    )
    def get(self, request: Request) -> HttpResponseBase:  # noqa: ARG002 - Django hands it over
        return data_download(self.account)


class WithdrawalView(ResourceView):
    tag = "Account"
    scopes = {"POST": Scope.JUDGE}

    @extend_schema(
        operation_id="withdraw_consent",
        summary="Take back my consent to a campaign, for good",
        request=None,
        responses=WithdrawnSerializer,
    )
    def post(self, request: Request, slug: str) -> Response:  # noqa: ARG002 - Django hands it over
        withdrawn = withdraw_consent(membership=get_membership_for(self.account, slug))
        return Response(WithdrawnSerializer(withdrawn).data)


class ForgettingView(ResourceView):
    tag = "People"

    @extend_schema(
        operation_id="forget_person",
        summary="Forget an annotator: erase the answers, or keep them under a number",
        request=ForgettingSerializer,
        responses=ForgottenSerializer,
        examples=[
            OpenApiExample("Somebody asked to be erased", {"how": "erased", "everywhere": True}, request_only=True)
        ],
    )
    @idempotent
    def post(self, request: Request, slug: str, username: str) -> Response:
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        annotator = get_annotator_to_forget(campaign, username)
        body = read(request, ForgettingSerializer)
        campaigns = None if body["everywhere"] else [campaign]
        done = forget_person(account=annotator, how=body["how"], by=self.account, campaigns=campaigns)
        return Response(ForgottenSerializer(done).data)
