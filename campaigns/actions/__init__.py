"""Every write to people and campaigns: keyword-only, atomic, returning the thing, raising one error a seam."""

from campaigns.actions.accounts import LinkError, change_password, create_account, set_first_password, update_settings
from campaigns.actions.audit import record
from campaigns.actions.campaign_drafts import discard_campaign_draft, keep_campaign_draft
from campaigns.actions.endings import (
    Ended,
    close_account,
    end_session,
    may_end_access,
    remove_member,
    reopen_account,
    sign_out_everywhere,
)
from campaigns.actions.enrolment import (
    Access,
    Admission,
    PeopleError,
    admit_waiting,
    enrol_people,
    invite_annotators,
    invite_people,
    nameless,
    replace_password,
    with_hashes,
)
from campaigns.actions.forgetting import choose_on_withdrawal
from campaigns.actions.links import (
    IssuedInvitation,
    accept_invitation,
    expire_invitation,
    invite_account,
    make_share_link,
    renew_invitation,
    revoke_invitation,
    revoke_share_link,
)
from campaigns.actions.memberships import add_member, allow_to_adjudicate, change_texts, give_consent
from campaigns.actions.tags import tag_segment, tags_given, untag_segment
from campaigns.actions.tokens import (
    KeyTaken,
    Origin,
    hand_out_tokens,
    make_api_token,
    perform_once,
    revoke_api_token,
)
from campaigns.invalid_input import AccountError

__all__ = [
    "Access",
    "AccountError",
    "Admission",
    "Ended",
    "IssuedInvitation",
    "KeyTaken",
    "LinkError",
    "Origin",
    "PeopleError",
    "accept_invitation",
    "add_member",
    "admit_waiting",
    "allow_to_adjudicate",
    "change_password",
    "change_texts",
    "choose_on_withdrawal",
    "close_account",
    "create_account",
    "discard_campaign_draft",
    "end_session",
    "enrol_people",
    "expire_invitation",
    "give_consent",
    "hand_out_tokens",
    "invite_account",
    "invite_annotators",
    "invite_people",
    "keep_campaign_draft",
    "make_api_token",
    "make_share_link",
    "may_end_access",
    "nameless",
    "perform_once",
    "record",
    "remove_member",
    "renew_invitation",
    "reopen_account",
    "replace_password",
    "revoke_api_token",
    "revoke_invitation",
    "revoke_share_link",
    "set_first_password",
    "sign_out_everywhere",
    "tag_segment",
    "tags_given",
    "untag_segment",
    "update_settings",
    "with_hashes",
]
