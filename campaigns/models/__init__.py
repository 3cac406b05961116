"""What is judged, and who may."""

from campaigns.models.access import AnsweredRequest, ApiToken, Invitation, Scope, Session, ShareLink
from campaigns.models.campaign import AuditEntry, Campaign, CampaignDraft, CampaignStatus, Planning, Withdrawal
from campaigns.models.crowds import Crowd, CrowdPlace
from campaigns.models.mail import Mail, MailKind, MailProblem, MailSettings, MailStatus, MailStop, MailText
from campaigns.models.media import Medium, MediumKind
from campaigns.models.people import Account, Membership, Role, Theme
from campaigns.models.questionnaires import (
    FormAnswer,
    FormKind,
    FormQuestion,
    Moment,
    Questionnaire,
    QuestionnaireReply,
)
from campaigns.models.sign_in import Identity, SecondFactor
from campaigns.models.test_sets import (
    Document,
    Question,
    QuestionKind,
    Reference,
    Segment,
    StandsFor,
    SuggestedSpan,
    System,
    TestSet,
    TestSetStatus,
    Translation,
)
from campaigns.models.text_guidance import TextGuidance
from campaigns.models.webhooks import Delivery, DeliveryProblem, DeliveryStatus, HookEvent, Webhook
