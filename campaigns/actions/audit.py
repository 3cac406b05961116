"""The record of who did what, when."""

from typing import Any

from django.db.models import Q

from campaigns.models import Account, AuditEntry, Campaign

# The keys in `detail` that contain names of people.
NAMES_IN_RECORDS = ("account", "annotator", "to", "number", "first", "last")

# Actions of people on their own data. Without actor as soon as the person is forgotten.
OWN_ACTIONS = frozenset(
    {
        "api_token_made",
        "api_token_revoked",
        "consent_given",
        "consent_withdrawn",
        "identity_connected",
        "identity_disconnected",
        "invitation_accepted",
        "password_changed",
        "password_set",
        "practice_passed",
        "recovery_codes_renewed",
        "second_factor_off",
        "second_factor_on",
        "session_ended",
    }
)
# What organisers, researchers and operators do. Of somebody who judged as well it keeps its actor.
WORK_ACTIONS = frozenset(
    {
        "account_closed",
        "account_created",
        "account_invited",
        "account_renamed",
        "account_reopened",
        "address_changed",
        "adjudicating_allowed",
        "adjudicating_forbidden",
        "adjudication_undone",
        "annotator_excluded",
        "annotator_readmitted",
        "archive_imported",
        "assignment_reassigned",
        "assignment_reset",
        "assignment_returned",
        "campaign_archived",
        "campaign_begun",
        "campaign_closed",
        "campaign_copied",
        "campaign_created",
        "campaign_deleted",
        "campaign_extended",
        "campaign_opened",
        "campaign_paused",
        "campaign_purged",
        "campaign_renamed",
        "campaign_restored",
        "campaign_unarchived",
        "checks_imported",
        "crowd_link_renewed",
        "crowd_set",
        "glossary_changed",
        "instruction_changed",
        "invitation_revoked",
        "judgments_imported",
        "deadline_set",
        "dispute_answered",
        "late_texts_added",
        "mail_settings_changed",
        "mail_stored",
        "mail_text_changed",
        "member_added",
        "member_removed",
        "media_added",
        "metric_scores_imported",
        "metric_scores_removed",
        "organising_allowed",
        "organising_ended",
        "password_replaced",
        "pauses_set",
        "people_admitted",
        "people_invited",
        "person_erased",
        "person_pseudonymised",
        "practice_item_added",
        "practice_set",
        "project_set",
        "person_let_in",
        "questionnaire_asked",
        "questionnaire_not_asked",
        "questionnaire_removed",
        "questionnaire_reworded",
        "questionnaire_set",
        "race_decided",
        "race_paused",
        "race_resumed",
        "race_stopped",
        "race_system_brought_back",
        "race_system_dropped",
        "results_share_revoked",
        "results_shared",
        "second_factor_reset",
        "segment_tagged",
        "segment_untagged",
        "signed_out_everywhere",
        "spans_suggested",
        "test_set_deleted",
        "test_set_renamed",
        "texts_changed",
        "tokens_handed_out",
        "translation_adjudicated",
        "webhook_added",
        "webhook_changed",
        "webhook_removed",
        "webhook_secret_replaced",
        "withdrawal_chosen",
    }
)


def record(*, action: str, by: Account | None, campaign: Campaign | None = None, **detail: Any) -> AuditEntry:
    """`action` is a verb in the past, such as `invitation_revoked`; never put a secret into `detail`.

    A new action is named in one of the two sets above: they decide what of it is forgotten with its actor.
    """
    if action not in OWN_ACTIONS | WORK_ACTIONS:
        message = f"{action!r} is in neither OWN_ACTIONS nor WORK_ACTIONS."
        raise ValueError(message)
    return AuditEntry.objects.create(action=action, actor=by, campaign=campaign, detail=detail)


def entries_naming(username: str) -> Q:
    """Entries whose detail names the person, whatever their actor."""
    named = Q()
    for key in NAMES_IN_RECORDS:
        named |= Q(**{f"detail__{key}": username})
    return named
