"""Tokens that organisers handed out stood for consent given; now the consent is stored, and the token says whose it is."""

from typing import Any

from django.db import migrations

NAME, SCOPES = "invitation", "judge"  # as every token was called and scoped that came with an invitation


def store_consent(apps: Any, schema_editor: Any) -> None:  # noqa: ARG001 - Django's signature
    ApiToken = apps.get_model("campaigns", "ApiToken")
    Invitation = apps.get_model("campaigns", "Invitation")
    Membership = apps.get_model("campaigns", "Membership")
    handed_out = ApiToken.objects.filter(name=NAME, scopes=SCOPES, handed_out_for=None)
    for token in handed_out.select_related("account").order_by("pk").iterator(chunk_size=1000):
        places = Membership.objects.filter(account=token.account_id, role="annotator")
        place = places.filter(campaign=token.account.made_for_id).first() or places.order_by("pk").first()
        if place is None:
            continue
        links = Invitation.objects.filter(account=token.account_id, campaign=place.campaign_id)
        link = links.filter(created_at__lte=token.created_at).order_by("-created_at").first()
        token.handed_out_for_id, token.invitation = place.campaign_id, link
        token.save(update_fields=["handed_out_for", "invitation"])
        by = link.created_by_id if link else None
        Membership.objects.filter(pk=place.pk).update(is_program=True)
        agreed = {"consented_at": token.created_at, "consented_by": by}
        Membership.objects.filter(pk=place.pk, consented_at=None).update(**agreed)


def forget_consent(apps: Any, schema_editor: Any) -> None:  # noqa: ARG001 - Django's signature
    """What was not agreed to by its own page is not agreed to."""
    Membership = apps.get_model("campaigns", "Membership")
    Membership.objects.filter(is_program=True).update(consented_at=None, consented_by=None, is_program=False)
    apps.get_model("campaigns", "ApiToken").objects.exclude(handed_out_for=None).update(handed_out_for=None)


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0011_what_access_came_of")]

    operations = [migrations.RunPython(store_consent, forget_consent)]
