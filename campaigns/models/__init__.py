"""What is judged, and who may: one model a file."""

from campaigns.models.account import Account, Theme
from campaigns.models.answered_request import AnsweredRequest
from campaigns.models.api_token import ApiToken, Scope
from campaigns.models.audit_entry import AuditEntry
from campaigns.models.campaign import Campaign, CampaignStatus, Planning, Withdrawal
from campaigns.models.campaign_draft import CampaignDraft
from campaigns.models.document import Document
from campaigns.models.invitation import Invitation
from campaigns.models.membership import Membership, Role
from campaigns.models.question import Question, QuestionKind
from campaigns.models.reference import Reference
from campaigns.models.segment import Segment
from campaigns.models.session import Session
from campaigns.models.share_link import ShareLink
from campaigns.models.suggested_span import SuggestedSpan
from campaigns.models.system import StandsFor, System
from campaigns.models.test_set import TestSet, TestSetStatus
from campaigns.models.translation import Translation

__all__ = [
    "Account",
    "AnsweredRequest",
    "ApiToken",
    "AuditEntry",
    "Campaign",
    "CampaignDraft",
    "CampaignStatus",
    "Document",
    "Invitation",
    "Membership",
    "Planning",
    "Question",
    "QuestionKind",
    "Reference",
    "Role",
    "Scope",
    "Segment",
    "Session",
    "ShareLink",
    "StandsFor",
    "SuggestedSpan",
    "System",
    "TestSet",
    "TestSetStatus",
    "Theme",
    "Translation",
    "Withdrawal",
]
