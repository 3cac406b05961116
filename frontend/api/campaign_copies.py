"""Several copies of a campaign at once, each for a language pair."""

from dataclasses import replace
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.campaign_spec import NAME_LIMIT, PARAMETERS
from campaigns.actions.enrolment import Access, with_hashes
from campaigns.models import Account, Campaign
from campaigns.new_people import MOST_PEOPLE, Person
from exchange.campaign_copies import (
    MOST_COPIES,
    CopyErrors,
    CopyPlan,
    CopyRow,
    arguments_of,
    check_copies,
    check_project,
)
from frontend.access import get_test_set_for
from frontend.api.errors import InvalidPayload
from frontend.api.invitations import PersonSerializer
from frontend.api.requests import TextUUIDField, read
from frontend.api.runs import RunSerializer, queued
from frontend.api.uploads import LONGEST_LANGUAGE
from frontend.api.views import OrganiserView, operation
from frontend.uploads import find_inspection
from jobs.actions import queue_run

TAG = "Campaigns"


class CopySerializer(serializers.Serializer[Any]):
    """With an existing `test_set`, or with files of an `upload` and their languages."""

    name = serializers.CharField(
        default="", allow_blank=True, max_length=NAME_LIMIT, help_text="By default of the campaign's name and the pair."
    )
    test_set = serializers.SlugField(allow_null=True, default=None)
    upload = TextUUIDField(allow_null=True, default=None)
    source_language = serializers.CharField(default="", allow_blank=True, max_length=LONGEST_LANGUAGE)
    target_language = serializers.CharField(default="", allow_blank=True, max_length=LONGEST_LANGUAGE)
    annotators = serializers.IntegerField(
        default=0, min_value=0, max_value=MOST_PEOPLE, help_text="Without names, if no `people` are listed."
    )
    people = serializers.ListField(child=PersonSerializer(), max_length=MOST_PEOPLE, default=list)


class CopiesSerializer(serializers.Serializer[Any]):
    copies = serializers.ListField(child=CopySerializer(), min_length=1, max_length=MOST_COPIES)
    project = serializers.CharField(
        default=None,
        allow_null=True,
        allow_blank=True,
        max_length=PARAMETERS["project"].high,
        help_text="By default the campaign's, or else its name. The campaign joins it if it has none.",
    )
    practice = serializers.BooleanField(default=False, help_text="Copy practice items to other languages, too.")
    open = serializers.BooleanField(default=False, help_text="For judging, at once.")


class CopiesView(OrganiserView):
    @operation("copy_campaign", {202: RunSerializer}, request=CopiesSerializer)
    def post(self, request: Request, campaign: Campaign) -> Response:
        """Copy a campaign to several language pairs, all or none; the run's result names the copies.

        Everything but texts and people is that of the campaign. If the run fails, each line of its error begins with
        the number of the copy, from 1, and the field. Links are made by `admit` of each copy.
        """
        account, body = self.creator, read(request, CopiesSerializer)
        project = body["project"] if body["project"] is not None else campaign.project or campaign.name[:60]
        check_project(project)
        errors = CopyErrors()
        rows = [_row(each, account, place, errors) for place, each in enumerate(body["copies"])]
        errors.take(check_copies(campaign, rows, project))
        if errors.by_row:
            by_place = {
                f"copies.{row}.{name}": several for row, each in errors.by_row.items() for name, several in each.items()
            }
            raise InvalidPayload(by_place)
        hashed = [replace(row, people=with_hashes(row.people, None)) for row in rows]
        plan = CopyPlan(project=project, practice=body["practice"], open=body["open"])
        arguments = arguments_of(campaign, hashed, plan, Access.LINK)
        return queued(queue_run(kind="campaign_copies", arguments=arguments, created_by=account), request)


def _row(body: dict[str, Any], account: Account, place: int, errors: CopyErrors) -> CopyRow:
    test_set, files = None, ()
    if body["test_set"] is not None:
        try:
            test_set = get_test_set_for(account, body["test_set"])
        except Http404:
            errors.add(place, "test_set", _("There is no such test set."))
    if body["upload"] is not None:
        run = find_inspection(account, body["upload"])
        files = run.arguments["files"] if run else ()
        if run is None:
            errors.add(place, "test_set", _("Upload the files of a test set first, and name the upload."))
    return CopyRow(
        name=body["name"],
        source_language=body["source_language"],
        target_language=body["target_language"],
        test_set=test_set,
        files=files,
        annotators=0 if body["people"] else body["annotators"],
        people=[Person(**person, line=line) for line, person in enumerate(body["people"], start=1)],
        upload=str(body["upload"] or ""),
    )
