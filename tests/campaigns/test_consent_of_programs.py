"""The migration that stores the consent for which handed out tokens had stood."""

from importlib import import_module

from django.apps import apps

from campaigns.actions import invite_annotators, make_api_token, revoke_invitation
from campaigns.models import Campaign, Membership, Scope
from campaigns.queries import standing_tokens
from tests.cast import Cast

MIGRATION = import_module("campaigns.migrations.0012_consent_of_programs")


def test_tokens_of_invitations_become_programs_and_others_stay_what_they_are(campaign: Campaign, cast: Cast) -> None:
    robot, revoked, person = invite_annotators(campaign=campaign, count=3, by=cast.organiser)
    for issued, name in ((robot, "invitation"), (revoked, "invitation"), (person, "notebook")):
        make_api_token(account=issued.invitation.account, name=name, scopes=[Scope.JUDGE], by=None)
    revoke_invitation(invitation=revoked.invitation, by=cast.organiser)
    MIGRATION.store_consent(apps, None)
    places = {place.account_id: place for place in Membership.objects.filter(campaign=campaign)}
    program, person_place = places[robot.invitation.account_id], places[person.invitation.account_id]
    token = standing_tokens(robot.invitation.account).get()
    assert (program.is_program, program.consented_at, program.consented_by) == (True, token.created_at, cast.organiser)
    assert (token.handed_out_for, token.invitation) == (campaign, robot.invitation)
    assert (person_place.is_program, person_place.consented_at) == (False, None)
    assert standing_tokens(person.invitation.account).get().handed_out_for is None
    assert not standing_tokens(revoked.invitation.account).exists()
    MIGRATION.forget_consent(apps, None)
    assert not Membership.objects.filter(is_program=True).exists()
