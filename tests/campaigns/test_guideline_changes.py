"""What somebody who read the guidelines before is shown: only what was changed since, word by word."""

from datetime import timedelta

from django.utils import timezone

import pytest

from campaigns.actions.memberships import change_texts, note_guidelines_read
from campaigns.guideline_changes import changed_paragraphs, changes_to_read
from campaigns.models import AuditEntry, Campaign, Membership, Role

BEFORE = "# How to judge\n\nRead the **whole** text.\n\n- Mark errors.\n- Score last."


def _shown(before: str, after: str) -> list[str]:
    signs = {"same": "{}", "removed": "[-{}-]", "added": "[+{}+]"}
    return [
        "".join(signs[piece.kind].format(piece.text) for piece in each) for each in changed_paragraphs(before, after)
    ]


@pytest.mark.parametrize(
    ("after", "shown"),
    [
        (BEFORE, []),
        (BEFORE.replace("**whole**", "whole").replace("\n\n- Mark", "\n\n\n* Mark"), []),
        (BEFORE.replace("Mark errors", "Mark all errors"), ["Mark [+all +]errors."]),
        (BEFORE.replace("\n- Score last.", ""), ["[-Score last.-]"]),
        (BEFORE + "\n\nTake breaks.", ["[+Take breaks.+]"]),
        (
            BEFORE.replace("Mark errors.", "Nothing here is as it was."),
            ["[-Mark errors.-]", "[+Nothing here is as it was.+]"],
        ),
        ("", ["[-How to judge-]", "[-Read the whole text.-]", "[-Mark errors.-]", "[-Score last.-]"]),
    ],
)
def test_words_that_were_changed_are_told_and_no_others(after: str, shown: list[str]) -> None:
    assert _shown(BEFORE, after) == shown


def test_long_paragraphs_are_compared_as_a_whole() -> None:
    words = " ".join(f"w{number}" for number in range(3000))
    assert _shown(words, f"{words} more") == [f"[-{words}-]", f"[+{words} more+]"]


@pytest.fixture
def membership(campaign: Campaign) -> Membership:
    Campaign.objects.filter(pk=campaign.pk).update(guidelines=BEFORE)
    long_ago = timezone.now() - timedelta(days=9)
    Membership.objects.filter(campaign=campaign, role=Role.ANNOTATOR).update(consented_at=long_ago)
    return Membership.objects.filter(campaign=campaign, role=Role.ANNOTATOR)[0]


def _change(membership: Membership, guidelines: str, days_ago: int) -> None:
    change_texts(campaign=membership.campaign, guidelines=guidelines, consent="", by=None)
    entry = AuditEntry.objects.filter(action="texts_changed").order_by("-pk")[0]
    AuditEntry.objects.filter(pk=entry.pk).update(at=timezone.now() - timedelta(days=days_ago))


def _new(membership: Membership) -> str:
    changes = changes_to_read(Membership.objects.select_related("campaign").get(pk=membership.pk))
    return "".join(piece.text for each in changes.paragraphs for piece in each) if changes else ""


@pytest.mark.django_db
def test_all_changes_since_the_last_reading_are_told_together(membership: Membership) -> None:
    assert _new(membership) == ""
    _change(membership, BEFORE.replace("last", "first"), 5)
    _change(membership, BEFORE.replace("last", "last, always"), 3)
    assert _new(membership) == "Score last.last, always."
    note_guidelines_read(membership=membership, seen_at=timezone.now() - timedelta(days=4))
    assert _new(membership) == "Score first.last, always."
    note_guidelines_read(membership=membership, seen_at=timezone.now() + timedelta(days=4))
    assert _new(membership) == ""
    assert membership.guidelines_read_at is not None
    assert membership.guidelines_read_at <= timezone.now()


@pytest.mark.django_db
def test_an_older_reading_does_not_take_a_newer_one_back(membership: Membership) -> None:
    now = timezone.now()
    note_guidelines_read(membership=membership, seen_at=now)
    note_guidelines_read(membership=membership, seen_at=now - timedelta(days=1))
    assert membership.guidelines_read_at == now


@pytest.mark.django_db
def test_what_was_taken_back_before_it_was_read_is_not_told(membership: Membership) -> None:
    _change(membership, "Something else.", 5)
    _change(membership, BEFORE, 3)
    assert _new(membership) == ""


@pytest.mark.django_db
def test_a_changed_consent_is_no_change_of_the_guidelines(membership: Membership) -> None:
    change_texts(campaign=membership.campaign, guidelines=BEFORE, consent="Other words.", by=None)
    assert _new(membership) == ""
