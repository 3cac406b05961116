"""What is asked of a new campaign, checked as far as it can be before a run makes it."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404
from django.utils.text import slugify
from django.utils.translation import gettext as _
from rest_framework import serializers

from annotation.actions.proposal import (
    MOST_ITEMS,
    MOST_JUDGMENTS_EACH,
    MOST_RESERVED_MINUTES,
    NAME_LIMIT,
    Wish,
    check_wish,
)
from annotation.planning import PlanningError
from annotation.protocols import PROTOCOLS
from campaigns.invalid_input import InvalidInput
from campaigns.languages import language_problem
from campaigns.models import Account, Campaign, Planning, Withdrawal
from frontend.access import get_test_set_for
from frontend.api.errors import InvalidPayload
from frontend.api.serializers import TextUUIDField
from frontend.organiser.inspections import find_inspection
from frontend.organiser.new_campaign_sums import Summed, summed
from frontend.organiser.option_fields import field_name

LONGEST_TEXT = 100_000
LONGEST_LANGUAGE = 35
_IN_THE_RUN = ("test_set", "upload", "source_language", "target_language", "skip_bad_rows", "open")


class TextsSerializer(serializers.Serializer[Any]):
    """Files that were uploaded, and in which languages they are."""

    source_language = serializers.CharField(default="", allow_blank=True, max_length=LONGEST_LANGUAGE)
    target_language = serializers.CharField(default="", allow_blank=True, max_length=LONGEST_LANGUAGE)
    skip_bad_rows = serializers.BooleanField(default=False)


class PlanWishSerializer(serializers.Serializer[Any]):
    """On a `test_set` that is there, or on files of an `upload`."""

    protocol = serializers.ChoiceField(choices=list(PROTOCOLS))
    options = serializers.DictField(default=dict, help_text="As docs/protocols.md describes them.")
    test_set = serializers.SlugField(allow_null=True, default=None)
    upload = TextUUIDField(allow_null=True, default=None)
    redundancy = serializers.IntegerField(default=1, min_value=1, max_value=MOST_JUDGMENTS_EACH)
    planning = serializers.ChoiceField(choices=Planning.values, default=Planning.STATIC)
    items_per_assignment = serializers.IntegerField(allow_null=True, default=None, min_value=1, max_value=MOST_ITEMS)
    systems_per_segment = serializers.IntegerField(allow_null=True, default=None, min_value=1, max_value=1000)
    repeats_share = serializers.FloatField(default=0, min_value=0, max_value=1)
    degraded_share = serializers.FloatField(default=0, min_value=0, max_value=1)


class CampaignWishSerializer(TextsSerializer, PlanWishSerializer):
    """On a `test_set` that is there, or on files of an `upload` with its languages."""

    name = serializers.CharField(max_length=NAME_LIMIT)
    reservation_minutes = serializers.IntegerField(default=60, min_value=1, max_value=MOST_RESERVED_MINUTES)
    guidelines = serializers.CharField(
        default="", allow_blank=True, max_length=LONGEST_TEXT, trim_whitespace=False, help_text="Markdown."
    )
    consent = serializers.CharField(
        default="", allow_blank=True, max_length=LONGEST_TEXT, trim_whitespace=False, help_text="Markdown."
    )
    on_withdrawal = serializers.ChoiceField(
        choices=Withdrawal.values,
        default=Withdrawal.PSEUDONYMISED,
        help_text="What becomes of the answers of somebody who withdraws their consent.",
    )
    open = serializers.BooleanField(default=False, help_text="For judging, at once.")


def arguments_of(wish: Mapping[str, Any], account: Account) -> dict[str, Any]:
    """The run's arguments, plain JSON. Raises what is wrong, all of it as far as it can be known."""
    errors = _faults_of_name(wish["name"])
    texts: dict[str, Any] = {"test_set": None, "upload": "", "files": []}
    if wish["test_set"] is None:
        errors |= _faults_of_options(wish)
        texts |= files_of(wish, account, errors)
    else:
        texts["test_set"] = _checked_test_set(wish, account, errors)
    if errors:
        raise InvalidPayload(errors)
    return {**wish, **texts, "name": wish["name"].strip()}


def files_of(wish: Mapping[str, Any], account: Account, errors: dict[str, list[str]]) -> dict[str, Any]:
    """The files of an upload, as a run takes them."""
    run = find_inspection(account, wish["upload"]) if wish["upload"] else None
    if run is None:
        errors["upload"] = [_("Upload the files of a test set first, and name the upload.")]
    for field in ("source_language", "target_language"):
        if fault := language_problem(wish[field]):
            errors[field] = [fault]
    return {"upload": str(wish["upload"] or ""), "files": run.arguments["files"] if run else []}


def _checked_test_set(wish: Mapping[str, Any], account: Account, errors: dict[str, list[str]]) -> int | None:
    try:
        test_set = get_test_set_for(account, wish["test_set"])
    except Http404:
        errors["test_set"] = [_("There is no such test set.")]
        return None
    plan = {name: value for name, value in wish.items() if name not in _IN_THE_RUN}
    check_wish(Wish(test_set=test_set, systems=None, seed=0, **plan))
    return test_set.pk


def sums_of(wish: Mapping[str, Any], account: Account) -> Summed:
    """What a plan adds up to, by the fields of the page that makes campaigns."""
    errors = _faults_of_options(wish)
    if errors:
        raise InvalidPayload(errors)
    protocol = wish["protocol"]
    fields = {field_name(protocol, name): value for name, value in wish["options"].items()}
    shares = {"repeats": 100 * wish["repeats_share"], "degraded": 100 * wish["degraded_share"]}
    try:
        test_set = get_test_set_for(account, wish["test_set"]) if wish["test_set"] else None
        found = summed({**wish, **fields, **shares, "test_set": test_set}, account)
    except Http404 as error:
        raise InvalidPayload({"test_set": [_("There is no such test set.")]}) from error
    except PlanningError as error:
        raise InvalidPayload({"body": [str(error)]}) from error
    if found is None:
        raise InvalidPayload({"test_set": [_("Name a test set, or an upload whose files were read.")]})
    return found


def _faults_of_name(name: str) -> dict[str, list[str]]:
    slug = slugify(name)
    if not slug:
        return {"name": [_("Use at least one Latin letter or digit: the address is made of the name.")]}
    if Campaign.objects.filter(slug=slug).exists():
        return {"name": [_("A campaign of this name exists. Choose another.")]}
    return {}


def _faults_of_options(wish: Mapping[str, Any]) -> dict[str, list[str]]:
    try:
        PROTOCOLS[wish["protocol"]].with_options(wish["options"])
    except InvalidInput as invalid:
        return {f"options.{name}": list(messages) for name, messages in invalid.errors.items()}
    return {}
