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
from campaigns.actions.tags import own_tags, tag_segment, untag_segment
from campaigns.actions.tokens import (
    KeyTaken,
    Origin,
    hand_out_tokens,
    make_api_token,
    perform_once,
    revoke_api_token,
)
from campaigns.invalid_input import AccountError
