"""What goes in and comes out. Written by `./assay manage write_client` from the schema of the API: do not edit."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict


class Access(TypedDict):
    access: NotRequired[AccessEnum]


AccessEnum = Literal['link', 'password', 'both']


class Account(TypedDict):
    username: str
    name: str
    may_create_campaigns: bool



class AddedMedia(TypedDict):
    added: int
    replaced: int
    unchanged: int
    unused: list[str]
    unequal: list[str]
    documents_without: list[str]



class Adjudication(TypedDict):
    id: int
    answer: dict[str, Any]
    based_on: NotRequired[str | None]
    reason: str
    decided_by: NotRequired[str | None]
    decided_at: str
    undone_at: str | None
    document: str
    segment: str
    system: str



class Admitted(TypedDict):
    username: str
    name: str
    id: int | None
    expires_at: str | None
    link: str | None
    password: str | None
    token: str | None



class AdmittedList(TypedDict):
    results: list[Admitted]



class AgreementOfCampaigns(TypedDict):
    reasons: NotRequired[dict[str, str]]
    level: AgreementOfCampaignsLevelEnum
    pearson: float | None
    kendall_b: float | None
    pairwise_accuracy: float | None
    systems: int
    segments: int
    outputs: int


AgreementOfCampaignsLevelEnum = Literal['system', 'output', 'segment']

AllocationEnum = Literal['none', 'best', 'top', 'ranking']


class AnalysisRequest(TypedDict):
    recipe: NotRequired[str | None]
    analyses: NotRequired[list[str] | None]
    options: NotRequired[dict[str, Any]]



class Answer(TypedDict):
    slots: NotRequired[dict[str, dict[str, Any]]]
    comment: NotRequired[str]
    cannot_judge: NotRequired[str | None]



class Answered(TypedDict):
    id: str
    item: str
    annotator: str
    kind: ItemKindEnum
    is_left_out: bool
    cannot_judge: str
    values: dict[str, float]
    errors: list[Error]
    post_edit: str | None
    damaged: str | None
    beside: list[str]
    comment: str
    seconds: float | None
    submitted_at: str



class Archive(TypedDict):
    name: str
    archive: str



class Assignment(TypedDict):
    id: int
    campaign: str
    protocol: str
    status: str
    done: int
    total: int


AssignmentStatusEnum = Literal['planned', 'reserved', 'open', 'done', 'closed', 'archived']


class Assignments(TypedDict):
    results: list[Assignment]



class AttentionChecks(TypedDict):
    checks: int
    loud: int
    imported: int
    share: float
    threshold: float | None
    annotators: list[CheckedAnnotator]



class Beside(TypedDict):
    codes: dict[str, list[Code]]
    lost: dict[str, list[str]]
    terms: list[TermHits]


BlankEnum = Literal['']


class Both(TypedDict):
    systems: list[str]
    text: str
    answers: list[Given]



class Campaign(TypedDict):
    slug: str
    name: str
    test_set: str
    source_language: str
    target_language: str
    protocol: ProtocolEnum
    status: CampaignStatusEnum
    created_at: str
    opened_at: str | None
    closed_at: str | None
    project: str
    finish_by: str | None



class CampaignBeside(TypedDict):
    campaign: str
    name: str
    protocol: str



class CampaignDraft(TypedDict):
    id: int
    name: str
    created_at: str
    updated_at: str
    values: dict[str, list[str]]



class CampaignDraftRequest(TypedDict):
    values: dict[str, list[str]]



class CampaignFile(TypedDict):
    name: str
    file: str
    source_language: str
    target_language: str
    campaign_id: NotRequired[str]
    protocol: NotRequired[ProtocolEnum | BlankEnum]



class CampaignSpec(TypedDict):
    source_language: NotRequired[str]
    target_language: NotRequired[str]
    skip_bad_rows: NotRequired[bool]
    empty_outputs: NotRequired[EmptyOutputsEnum]
    confirm_realigned: NotRequired[bool]
    protocol: ProtocolEnum
    options: NotRequired[dict[str, Any]]
    test_set: NotRequired[str | None]
    upload: NotRequired[str | None]
    name: str
    open: NotRequired[bool]
    redundancy: NotRequired[int]
    planning: NotRequired[PlanningEnum]
    items_per_assignment: NotRequired[int | None]
    reservation_minutes: NotRequired[int]
    systems_per_segment: NotRequired[int | None]
    allocation: NotRequired[AllocationEnum]
    allocation_top: NotRequired[int]
    allocation_alpha: NotRequired[float]
    allocation_first: NotRequired[int]
    allocation_step: NotRequired[int]
    selection: NotRequired[SelectionEnum]
    selection_metric: NotRequired[str]
    selection_budget: NotRequired[int | None]
    selection_unit: NotRequired[SelectionUnitEnum]
    selection_of: NotRequired[SelectionOfEnum]
    repeats_share: NotRequired[float]
    degraded_share: NotRequired[float]
    attention_checks: NotRequired[int | None]
    check_systems: NotRequired[str]
    check_share: NotRequired[float]
    check_kind: NotRequired[CheckKindEnum]
    check_threshold: NotRequired[float | None]
    guidelines: NotRequired[str]
    consent: NotRequired[str]
    on_withdrawal: NotRequired[WithdrawalEnum]
    project: NotRequired[str]


CampaignStatusEnum = Literal['draft', 'open', 'paused', 'closed']


class CampaignsBeside(TypedDict):
    campaigns: list[CampaignBeside]
    comparison: ComparedCampaigns | None


CheckKindEnum = Literal['silent', 'loud']


class CheckedAnnotator(TypedDict):
    annotator: str
    served: int
    passed: int
    failed: int
    passed_later: int
    is_over: bool



class Choice(TypedDict):
    name: NotRequired[str]
    label: str



class Code(TypedDict):
    kind: str
    start: int
    end: int



class Column(TypedDict):
    column: str
    meaning: MeaningEnum
    name: NotRequired[str]



class ComparedCampaign(TypedDict):
    campaign: str
    name: str
    protocol: str
    systems_by: ScoredBy | None
    outputs_by: ScoredBy | None
    annotators: int
    run: int | None
    signature: str
    is_stale: bool
    missing: MissingEnum | NullEnum | None



class ComparedCampaigns(TypedDict):
    reasons: NotRequired[dict[str, str]]
    first: ComparedCampaign
    second: ComparedCampaign
    systems: list[ComparedSystem]
    pairs: list[PairInBoth]
    agreement: list[AgreementOfCampaigns]
    annotators: SharedAnnotators



class ComparedSystem(TypedDict):
    system: str
    is_human: bool
    first: Standing | None
    second: Standing | None



class Comparison(TypedDict):
    metric: NotRequired[str | None]


ConcernsEnum = Literal['fails_controls', 'too_fast', 'stuck', 'late', 'unopened']


class Context(TypedDict):
    document: str
    position: int
    source: str | None
    reference: str | None
    text: str | None



class Copies(TypedDict):
    copies: list[Copy]
    project: NotRequired[str | None]
    practice: NotRequired[bool]
    open: NotRequired[bool]



class Copy(TypedDict):
    name: NotRequired[str]
    test_set: NotRequired[str | None]
    upload: NotRequired[str | None]
    source_language: NotRequired[str]
    target_language: NotRequired[str]
    annotators: NotRequired[int]
    people: NotRequired[list[Person]]



class Crowd(TypedDict):
    is_open: NotRequired[bool]
    places: int
    counted_label: NotRequired[str]
    places_each: NotRequired[int | None]
    needs_participant: NotRequired[bool]
    parameters: NotRequired[dict[str, str]]
    completed_address: NotRequired[str]
    screened_out_address: NotRequired[str]
    full_address: NotRequired[str]
    link: str



class CrowdPlace(TypedDict):
    annotator: str
    participant: str
    labels: dict[str, str]
    joined_at: str
    screened_out_at: str | None



class CrowdRequest(TypedDict):
    is_open: NotRequired[bool]
    places: int
    counted_label: NotRequired[str]
    places_each: NotRequired[int | None]
    needs_participant: NotRequired[bool]
    parameters: NotRequired[dict[str, str]]
    completed_address: NotRequired[str]
    screened_out_address: NotRequired[str]
    full_address: NotRequired[str]



class Day(TypedDict):
    day: str
    judgments: int
    sum: int



class DayAnswer(TypedDict):
    annotator: str
    day: str
    answer: str



class DayNote(TypedDict):
    campaign: str
    day: str
    note: str



class Decided(TypedDict):
    id: int
    answer: dict[str, Any]
    based_on: NotRequired[str | None]
    reason: str
    decided_by: NotRequired[str | None]
    decided_at: str
    undone_at: str | None



class Decision(TypedDict):
    document: str
    segment: str
    system: str
    answer: NotRequired[dict[str, Any]]
    based_on: NotRequired[str | None]
    reason: str
    instead_of: NotRequired[int | None]



class Deletion(TypedDict):
    name: NotRequired[str]



class Delivery(TypedDict):
    id: int
    message: str
    event: EventEnum
    status: DeliveryStatusEnum
    attempts: int
    response_status: int | None
    problem: DeliveryProblemEnum | BlankEnum
    created_at: str
    last_attempt_at: str | None
    next_attempt_at: str | None


DeliveryProblemEnum = Literal['forbidden', 'unknown_host', 'no_connection', 'certificate', 'timeout', 'redirect', 'refused', 'not_http']

DeliveryStatusEnum = Literal['waiting', 'delivered', 'given_up']


class Detail(TypedDict):
    detail: str
    code: str



class Difference(TypedDict):
    apart: float
    document: str
    segment: NotRequired[str | None]
    segment_id: NotRequired[int | None]
    outputs: list[Both]



class Disagreements(TypedDict):
    first: str
    second: str
    measure: str
    shared: int
    alike: int
    results: list[Difference]



class DocumentScore(TypedDict):
    annotator: str
    system: NotRequired[str | None]
    measure: str
    value: float



class Draft(TypedDict):
    answer: Answer
    base_revision: int



class DroppedSystem(TypedDict):
    system: str



class Elimination(TypedDict):
    question: str
    top: int
    alpha: float
    first: int
    step: int
    status: EliminationStatusEnum | NullEnum | None
    planned_documents: int
    saved: int
    systems: list[RacedSystem]



class EliminationStatus(TypedDict):
    status: EliminationStatusStatusEnum


EliminationStatusEnum = Literal['running', 'paused', 'stopped', 'decided']

EliminationStatusStatusEnum = Literal['paused', 'running', 'stopped']

EmptyOutputsEnum = Literal['empty', 'gap']


class End(TypedDict):
    outlook: OutlookEnum
    early: str | None
    middle: str | None
    late: str | None
    on: str | None



class Ended(TypedDict):
    sessions: int
    tokens: int



class Error(TypedDict):
    side: str
    start: int
    end: int
    category: str
    severity: str
    note: str
    quote: str



class Errors(TypedDict):
    errors: dict[str, list[str]]


EventEnum = Literal['campaign_opened', 'assignment_done', 'alert', 'run_finished', 'test']

EventsEnum = Literal['campaign_opened', 'assignment_done', 'alert', 'run_finished']


class Exclusion(TypedDict):
    annotator: str
    reason: str
    decided_by: NotRequired[str | None]
    decided_at: str
    lifted_at: str | None



class ExpectedMark(TypedDict):
    start: NotRequired[list[int]]
    end: NotRequired[list[int]]
    tag: NotRequired[str]
    severity: NotRequired[str]
    category: NotRequired[str]
    note: NotRequired[str]



class Extension(TypedDict):
    redundancy: int



class ExtensionCost(TypedDict):
    redundancy: int
    items: int
    assignments: int
    seconds: int



class Feedback(TypedDict):
    is_right: bool
    text: str
    verdicts: list[NumberVerdict]
    orders: list[OrderVerdict]
    texts: list[TextVerdict]
    marks: list[MarkVerdict]



class Files(TypedDict):
    files: list[str]



class Finding(TypedDict):
    results: str | None
    notes: list[str]
    agreement: str | None
    metrics: str | None
    exclusion: list[str] | None



class Flag(TypedDict):
    document: str
    segment: str
    segment_id: int
    system: str
    flag: FlagEnum
    what: str
    expected: str
    found: str
    share: float | None
    missing: list[str]
    added: list[str]
    systems: list[str]


FlagEnum = Literal['empty', 'other_language', 'untranslated', 'copied', 'cut', 'numbers', 'codes']


class FlagPage(TypedDict):
    next: str | None
    run: int | None
    is_stale: bool
    systems: dict[str, dict[str, int]]
    results: list[Flag]



class Forgetting(TypedDict):
    how: WithdrawalEnum
    everywhere: NotRequired[bool]



class Forgotten(TypedDict):
    campaigns: list[str]
    numbers: list[str]
    has_no_account: bool



class FormAnswer(TypedDict):
    annotator: str
    question: str
    value: Any
    answered_at: str


FormKindEnum = Literal['single', 'multiple', 'scale', 'text', 'number']


class FormQuestion(TypedDict):
    name: NotRequired[str]
    kind: FormKindEnum
    text: str
    help: NotRequired[str]
    required: NotRequired[bool]
    choices: NotRequired[list[Choice]]
    low: NotRequired[float | None]
    high: NotRequired[float | None]
    low_label: NotRequired[str]
    high_label: NotRequired[str]
    longest: NotRequired[int | None]



class Format(TypedDict):
    name: str
    title: str
    description: str
    file_name: str
    content_type: str



class Formats(TypedDict):
    results: list[Format]



class Found(TypedDict):
    id: int
    document: str
    segment: str
    system: str | None
    domain: str
    tags: list[str]
    source: str | None
    judgments: int | None
    spread: float | None
    metric_gap: float | None



class FoundPage(TypedDict):
    next: str | None
    previous: str | None
    run: int | None
    is_stale: bool
    results: list[Found]



class Genmt(TypedDict):
    pair: NotRequired[str]
    set: NotRequired[str]
    split: NotRequired[SplitEnum]
    mended: NotRequired[list[Mended]]



class Given(TypedDict):
    value: float
    text: str
    comment: str
    marks: list[Mark]
    questions: dict[str, str]



class GivenMark(TypedDict):
    start: NotRequired[int]
    end: NotRequired[int]
    tag: NotRequired[str]
    severity: NotRequired[str]
    category: NotRequired[str]



class GlossaryTerm(TypedDict):
    term: str
    required: NotRequired[list[str]]
    forbidden: NotRequired[list[str]]
    note: NotRequired[str]



class Guidance(TypedDict):
    document: NotRequired[str]
    domain: str
    instruction: str
    terms: list[GlossaryTerm]



class Held(TypedDict):
    id: int
    position: int
    annotator: NotRequired[str | None]
    status: AssignmentStatusEnum
    done: int
    total: int
    claimed_at: str | None
    finished_at: str | None
    expires_at: str | None
    returned_at: str | None



class InstructionRequest(TypedDict):
    document: NotRequired[str]
    domain: NotRequired[str]
    instruction: str


IntervalNoteEnum = Literal['few_resamples', 'one_segment', 'misses_score']


class Invitation(TypedDict):
    id: int
    username: str
    role: RoleEnum
    created_at: str
    expires_at: str
    accepted_at: str | None
    revoked_at: str | None



class InvitationRequest(TypedDict):
    access: NotRequired[AccessEnum]
    count: NotRequired[int | None]
    people: NotRequired[list[Person]]
    role: NotRequired[RoleEnum]
    api_tokens: NotRequired[bool]



class Issued(TypedDict):
    id: int
    username: str
    role: RoleEnum
    created_at: str
    expires_at: str
    accepted_at: str | None
    revoked_at: str | None
    link: str | None
    token: str | None



class Item(TypedDict):
    id: str
    document: str
    title: str
    level: ItemLevelEnum
    position: int
    source: str | None
    reference: str | None
    slots: list[ShownText]
    questions: list[Question]
    suggested: list[Suggested]
    draft: Answer | None
    answer: Answer | None
    revision: int
    instruction: NotRequired[str]
    skippable: NotRequired[bool]
    media: NotRequired[list[Medium]]
    beside: NotRequired[Beside]


ItemKindEnum = Literal['regular', 'repeat', 'degraded', 'reference', 'practice', 'check']

ItemLevelEnum = Literal['segment', 'document']


class ItemSheet(TypedDict):
    id: str
    assignment: int
    annotator: NotRequired[str | None]
    document: str
    segment: NotRequired[str | None]
    level: ItemLevelEnum
    kind: ItemKindEnum
    source: str | None
    reference: str | None
    slots: list[SheetSlot]
    questions: list[SheetQuestion]
    answer: SheetAnswer | None
    reports: list[SegmentReport]



class ItemsPage(TypedDict):
    items: list[Item]
    context: list[Context]
    done: int
    total: int
    completion_code: str | None
    is_withdrawn: bool
    has_more: bool
    screens_done: NotRequired[int]
    screens_total: NotRequired[int]



class Judgment(TypedDict):
    id: str
    item: str
    annotator: str
    assignment: int
    document: str
    segment: NotRequired[str | None]
    level: ItemLevelEnum
    kind: ItemKindEnum
    revision: int
    is_current: bool
    is_surplus: bool
    cannot_judge: str
    answer: Answer
    slots: list[ShownSlot]
    scores: list[Score]
    spans: list[Span]
    started_at: str | None
    submitted_at: str
    elapsed_ms: int | None
    active_ms: int | None



class LateAddition(TypedDict):
    at: str
    systems: list[str]
    documents: list[str]



class LateAdditions(TypedDict):
    results: list[LateAddition]



class LateFile(TypedDict):
    file: str
    questions: NotRequired[str | None]
    systems: NotRequired[list[str] | None]
    empty_outputs: NotRequired[EmptyOutputsEnum]
    dry_run: NotRequired[bool]



class LateTexts(TypedDict):
    systems: list[str]
    documents: list[str]
    tasks: int | None
    given: int | None
    judgments: int | None



class LeftOut(TypedDict):
    username: str
    reason: NoMailEnum



class Line(TypedDict):
    username: str
    name: str
    is_excluded: bool
    assignments: int
    done: int
    total: int
    judgments: int
    left: int
    late: int
    seconds_median: float | None
    last_judgment: str | None
    days_left: float | None
    is_behind: bool
    concerns: list[ConcernsEnum]



class ListedDraft(TypedDict):
    id: int
    name: str
    created_at: str
    updated_at: str



class Mail(TypedDict):
    id: int
    message: str
    kind: MailKindEnum
    username: str
    address: str
    subject: str
    status: MailStatusEnum
    attempts: int
    problem: MailProblemEnum | BlankEnum
    server_said: str
    created_at: str
    last_attempt_at: str | None
    next_attempt_at: str | None


MailKindEnum = Literal['invitation', 'reminder', 'thanks', 'digest']

MailProblemEnum = Literal['refused', 'no_connection', 'uncertain', 'link_ended', 'closed', 'too_late']


class MailRequest(TypedDict):
    kind: MailRequestKindEnum
    annotators: NotRequired[list[str] | None]
    days: NotRequired[int]


MailRequestKindEnum = Literal['invitation', 'reminder', 'thanks']

MailStatusEnum = Literal['waiting', 'sending', 'sent', 'failed', 'stopped']


class Mark(TypedDict):
    side: str
    severity: str
    category: str
    words: str



class MarkVerdict(TypedDict):
    slot: str
    outcome: OutcomeEnum
    expected: ExpectedMark | None
    given: GivenMark | None
    is_right: bool


MeaningEnum = Literal['document', 'segment', 'source', 'reference', 'system', 'title', 'domain', 'tags', 'instruction', 'none', 'references', 'translations', 'suggested', 'alignments']


class MediaFiles(TypedDict):
    files: list[str]



class Medium(TypedDict):
    file: str
    kind: MediumKindEnum
    type: str
    width: int | None
    height: int | None
    duration_ms: int | None
    alt: str
    name: str
    has_captions: bool
    of_document: bool


MediumKindEnum = Literal['picture', 'audio', 'video']


class Member(TypedDict):
    username: str
    name: str
    email: str
    languages: list[str]
    role: RoleEnum
    consented_at: str | None
    may_adjudicate: bool
    qualified_at: str | None
    is_program: bool
    consented_by: NotRequired[str | None]



class Mended(TypedDict):
    system: str
    document: str
    parts: list[str]



class Methods(TypedDict):
    text: str
    latex: str
    bibtex: str
    signature: str



class Metric(TypedDict):
    name: str
    title: str
    higher_is_better: bool
    is_imported: bool
    references: list[str]
    signature: str
    systems: list[SystemScore]



class MetricMark(TypedDict):
    start: int
    end: int
    severity: str



class Metrics(TypedDict):
    results: list[Metric]
    neural: list[NeuralMetric]


MissingEnum = Literal['no_run', 'too_early']

MomentEnum = Literal['entry', 'exit']


class NeuralMetric(TypedDict):
    name: str
    title: str
    state: StateEnum
    reason: str
    licence: str
    needs_reference: bool



class NewShare(TypedDict):
    id: int
    name: str
    shows_texts: bool
    created_at: str
    expires_at: str
    revoked_at: str | None
    link: str | None



class NewToken(TypedDict):
    id: int
    name: str
    scopes: list[ScopesEnum]
    created_at: str
    expires_at: str | None
    last_used_at: str | None
    revoked_at: str | None
    made_with: int | None
    is_handed_out: bool
    secret: str | None



class NewWebhook(TypedDict):
    id: int
    address: str
    events: list[EventsEnum]
    is_active: bool
    created_at: str
    secret: str | None



class Newer(TypedDict):
    revision: int
    answer: Answer | None


NoMailEnum = Literal['no_address', 'stopped', 'has_one', 'not_allowed']


class NoteText(TypedDict):
    text: str


NullEnum = Literal[None]


class NumberVerdict(TypedDict):
    slot: str
    measure: str
    low: float
    high: float
    value: float | None
    is_right: bool



class Offer(TypedDict):
    name: str
    title: str



class OrderVerdict(TypedDict):
    better: str
    worse: str
    is_right: bool


OutcomeEnum = Literal['found', 'other_kind', 'other_place', 'missed', 'extra']

OutlookEnum = Literal['empty', 'draft', 'not_begun', 'too_early', 'standstill', 'distant', 'expected', 'paused', 'closed', 'finished']


class Output(TypedDict):
    systems: list[str]
    text: str | None
    spread: float | None
    mean: float | None
    metrics: dict[str, float]
    metric_gap: float | None
    metric_marks: dict[str, list[MetricMark]]
    judgments: list[Answered]
    decision: Decided | None
    history: list[Decided]



class OutputHits(TypedDict):
    required: list[list[int]]
    forbidden: list[list[int]]



class OwnAnswers(TypedDict):
    agree: bool
    answers: dict[str, Any]



class OwnNote(TypedDict):
    annotator: NotRequired[str | None]
    segment: int | None
    text: str
    written_by: NotRequired[str | None]
    written_at: str | None



class OwnQuestionnaire(TypedDict):
    moment: MomentEnum
    consent: str
    questions: list[FormQuestion]
    answers: dict[str, Any]
    agreed_at: str | None
    sent_at: str | None
    may_change: bool
    is_screened_out: bool



class PaginatedAdjudicationList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Adjudication]



class PaginatedCampaignList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Campaign]



class PaginatedCrowdPlaceList(TypedDict):
    next: str | None
    previous: str | None
    results: list[CrowdPlace]



class PaginatedDeliveryList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Delivery]



class PaginatedExclusionList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Exclusion]



class PaginatedFormAnswerList(TypedDict):
    next: str | None
    previous: str | None
    results: list[FormAnswer]



class PaginatedGuidanceList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Guidance]



class PaginatedHeldList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Held]



class PaginatedInvitationList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Invitation]



class PaginatedJudgmentList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Judgment]



class PaginatedListedDraftList(TypedDict):
    next: str | None
    previous: str | None
    results: list[ListedDraft]



class PaginatedMailList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Mail]



class PaginatedMemberList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Member]



class PaginatedOwnNoteList(TypedDict):
    next: str | None
    previous: str | None
    results: list[OwnNote]



class PaginatedPracticeAnswerList(TypedDict):
    next: str | None
    previous: str | None
    results: list[PracticeAnswer]



class PaginatedReportedList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Reported]



class PaginatedRunList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Run]



class PaginatedScoreImportList(TypedDict):
    next: str | None
    previous: str | None
    results: list[ScoreImport]



class PaginatedSegmentList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Segment]



class PaginatedSegmentScoreList(TypedDict):
    next: str | None
    previous: str | None
    results: list[SegmentScore]



class PaginatedSessionList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Session]



class PaginatedShareList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Share]



class PaginatedTestSetList(TypedDict):
    next: str | None
    previous: str | None
    results: list[TestSet]



class PaginatedTokenList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Token]



class PaginatedWebhookList(TypedDict):
    next: str | None
    previous: str | None
    results: list[Webhook]



class PairInBoth(TypedDict):
    reasons: NotRequired[dict[str, str]]
    better: str
    other: str
    is_changed: bool
    p_first: float | None
    is_significant_first: bool
    p_second: float | None
    is_significant_second: bool



class Paper(TypedDict):
    tables: list[Offer]
    figures: list[Offer]
    methods: Methods | None



class Part(TypedDict):
    run: int
    name: str
    result: Any



class PatchedCampaignTexts(TypedDict):
    name: NotRequired[str]
    finish_by: NotRequired[str | None]
    is_archived: NotRequired[bool]
    guidelines: NotRequired[str]
    consent: NotRequired[str]
    on_withdrawal: NotRequired[WithdrawalEnum]
    project: NotRequired[str]



class PatchedTestSetName(TypedDict):
    name: NotRequired[str]



class Pauses(TypedDict):
    pause_seconds: int
    words_per_minute: int



class Person(TypedDict):
    name: NotRequired[str]
    email: NotRequired[str]
    languages: NotRequired[list[str]]
    username: NotRequired[str]
    password: NotRequired[str]



class PlanSpec(TypedDict):
    protocol: ProtocolEnum
    options: NotRequired[dict[str, Any]]
    test_set: NotRequired[str | None]
    upload: NotRequired[str | None]
    redundancy: NotRequired[int]
    planning: NotRequired[PlanningEnum]
    items_per_assignment: NotRequired[int | None]
    reservation_minutes: NotRequired[int]
    systems_per_segment: NotRequired[int | None]
    allocation: NotRequired[AllocationEnum]
    allocation_top: NotRequired[int]
    allocation_alpha: NotRequired[float]
    allocation_first: NotRequired[int]
    allocation_step: NotRequired[int]
    selection: NotRequired[SelectionEnum]
    selection_metric: NotRequired[str]
    selection_budget: NotRequired[int | None]
    selection_unit: NotRequired[SelectionUnitEnum]
    selection_of: NotRequired[SelectionOfEnum]
    repeats_share: NotRequired[float]
    degraded_share: NotRequired[float]
    attention_checks: NotRequired[int | None]
    check_systems: NotRequired[str]
    check_share: NotRequired[float]
    check_kind: NotRequired[CheckKindEnum]
    check_threshold: NotRequired[float | None]



class PlanSums(TypedDict):
    documents: int
    segments: int
    systems: int
    outputs: int
    judgments: int
    repeats: int
    degraded: int
    document_scores: int
    total: int
    assignments: int
    is_exact: bool
    fewest_annotators: int
    pairs: list[int] | None
    seconds: int
    enough: list[str]


PlanningEnum = Literal['static', 'pool']


class PracticeAnswer(TypedDict):
    annotator: str
    attempt: int
    item: int
    screen: int
    is_right: bool
    is_skipped: bool
    tries: int
    right_at: int | None
    submitted_at: str



class PracticeReceipt(TypedDict):
    revision: int
    done: int
    total: int
    completion_code: str | None
    feedback: Feedback



class PracticeRequest(TypedDict):
    items: list[dict[str, Any]]
    pass_mark: NotRequired[float | None]
    attempts: NotRequired[int]



class PracticeSettings(TypedDict):
    items: int
    pass_mark: float | None
    attempts: int
    annotators: list[Practised]



class PracticeTrial(TypedDict):
    answer: Answer



class Practised(TypedDict):
    annotator: str
    attempt: int
    answered: int
    right: int
    qualified_at: str | None
    passed_at_attempt: int | None
    skipped: list[int]



class Progress(TypedDict):
    done: int
    total: int
    assignments_done: int
    assignments_planned: int
    problem_reports: int
    seconds_median: float | None
    per_day_pace: float | None
    active_today: int
    expectation: End
    days: list[Day]
    hours: list[int]
    annotators: list[Line]


ProtocolEnum = Literal['direct_assessment', 'esa', 'cesa', 'gisting', 'likert', 'mqm', 'post_editing', 'ranking']


class Question(TypedDict):
    name: str
    text: str
    choices: list[str]



class Questionnaire(TypedDict):
    moment: MomentEnum
    is_asked: bool
    consent: str
    questions: list[WholeQuestion]
    screened_out: int
    agreed: int
    sent: int



class QuestionnaireRequest(TypedDict):
    questions: list[WholeQuestion]
    consent: NotRequired[str]
    is_asked: NotRequired[bool | None]



class RacedSystem(TypedDict):
    system: str
    is_in: bool
    is_protected: bool
    dropped_after: int | None



class Reason(TypedDict):
    reason: str


ReasonEnum = Literal['wrong_source', 'wrong_reference', 'mixed_up', 'display', 'offensive', 'private', 'other']


class Receipt(TypedDict):
    revision: int
    done: int
    total: int
    completion_code: str | None
    is_withdrawn: NotRequired[bool]
    is_paused: NotRequired[bool]
    must_redo: NotRequired[bool]
    next: NotRequired[ItemsPage]



class Report(TypedDict):
    reason: ReasonEnum
    note: NotRequired[str]



class Reported(TypedDict):
    annotator: str
    item: str
    reason: ReasonEnum
    note: str
    reported_at: str
    document: str
    segment: NotRequired[str | None]


RoleEnum = Literal['organiser', 'annotator', 'researcher']


class Run(TypedDict):
    id: int
    kind: str
    campaign: NotRequired[str | None]
    test_set: NotRequired[str | None]
    arguments: dict[str, Any]
    status: RunStatusEnum
    progress: float
    progress_note: str
    signature: str
    error: str
    created_at: str
    started_at: str | None
    finished_at: str | None



class RunResult(TypedDict):
    id: int
    kind: str
    campaign: NotRequired[str | None]
    test_set: NotRequired[str | None]
    arguments: dict[str, Any]
    status: RunStatusEnum
    progress: float
    progress_note: str
    signature: str
    error: str
    created_at: str
    started_at: str | None
    finished_at: str | None
    result: dict[str, Any] | None
    parts: list[str]


RunStatusEnum = Literal['queued', 'running', 'done', 'failed', 'cancelled']

ScopesEnum = Literal['read', 'write', 'judge']


class Score(TypedDict):
    slot: str
    system: str | None
    measure: str
    value: float



class ScoreFile(TypedDict):
    file: str
    metric: str
    level: NotRequired[ScoreLevelEnum | NullEnum | None]
    lower_is_better: NotRequired[bool]
    skip_bad_rows: NotRequired[bool]
    references: NotRequired[list[str] | None]
    replace: NotRequired[bool]



class ScoreImport(TypedDict):
    metric: str
    level: ScoreLevelEnum
    higher_is_better: bool
    references: list[str]
    signature: str
    id: int
    file_name: str
    imported_by: NotRequired[str | None]
    imported_at: str


ScoreLevelEnum = Literal['system', 'segment']


class ScoredBy(TypedDict):
    measure: str
    by: ScoredByByEnum
    higher_is_better: bool


ScoredByByEnum = Literal['mean', 'z', 'expected_wins']


class ScoringRequest(TypedDict):
    metrics: NotRequired[list[str] | None]
    references: NotRequired[list[str] | None]
    by: NotRequired[ScoringRequestByEnum | NullEnum | None]
    tokenizer: NotRequired[str | None]


ScoringRequestByEnum = Literal['document', 'domain', 'tag']


class Screen(TypedDict):
    judgments: list[ScreenRow]
    actions: NotRequired[list[list[Any]]]



class ScreenConflict(TypedDict):
    newer: dict[str, Newer]



class ScreenErrors(TypedDict):
    errors: dict[str, dict[str, list[str]]]



class ScreenReceipt(TypedDict):
    done: int
    total: int
    completion_code: str | None
    is_withdrawn: NotRequired[bool]
    is_paused: NotRequired[bool]
    must_redo: NotRequired[bool]
    next: NotRequired[ItemsPage]
    revisions: dict[str, int]



class ScreenRow(TypedDict):
    client_id: str
    base_revision: int
    answer: Answer
    started: NotRequired[str | None]
    elapsed_ms: NotRequired[int | None]
    active_ms: NotRequired[int | None]
    reading_ms: NotRequired[int | None]
    item: str



class Segment(TypedDict):
    document: str
    segment: str
    domain: str
    tags: list[str]
    source: str | None
    references: dict[str, str]
    translations: dict[str, str | None]



class SegmentMedium(TypedDict):
    file: str
    kind: SegmentMediumKindEnum
    content_type: str
    name: str
    alt: str
    of_document: bool


SegmentMediumKindEnum = Literal['picture', 'audio', 'video']


class SegmentReport(TypedDict):
    annotator: str
    item: str
    reason: ReasonEnum
    note: str
    reported_at: str



class SegmentScore(TypedDict):
    metric: str
    document: str
    segment: str
    system: str
    score: float


SelectionEnum = Literal['all', 'random', 'variance', 'average', 'consistency', 'diversity-unigram', 'diversity-chrf']

SelectionOfEnum = Literal['documents', 'segments']

SelectionUnitEnum = Literal['segments', 'words', 'seconds']


class Session(TypedDict):
    id: int
    by_password: bool
    link_to: NotRequired[str | None]
    created_at: str
    last_used_at: str
    is_this: bool



class Share(TypedDict):
    id: int
    name: str
    shows_texts: bool
    created_at: str
    expires_at: str
    revoked_at: str | None



class ShareRequest(TypedDict):
    name: str
    days: NotRequired[int]
    shows_texts: NotRequired[bool]



class SharedAnnotators(TypedDict):
    reasons: NotRequired[dict[str, str]]
    both: int
    either: int
    share: float | None



class Sheet(TypedDict):
    id: int
    document: str
    segment: str
    domain: str
    tags: list[str]
    source: str | None
    references: dict[str, str]
    media: list[SegmentMedium]
    outputs: list[Output]
    document_scores: list[DocumentScore]
    reports: list[SegmentReport]
    decided_fields: list[str]



class SheetAnswer(TypedDict):
    id: str
    annotator: str
    revision: int
    answer: Answer | None
    scores: list[dict[str, Any]]
    cannot_judge: str
    comment: str
    seconds: float | None
    submitted_at: str



class SheetQuestion(TypedDict):
    text: str
    given: str | None
    accepted: list[str]



class SheetSlot(TypedDict):
    slot: str
    text: str
    systems: list[str]
    genuine: str | None



class ShownSlot(TypedDict):
    slot: str
    systems: list[str]



class ShownText(TypedDict):
    slot: str
    text: str | None
    columns: NotRequired[list[int]]
    alignment: NotRequired[str]



class Side(TypedDict):
    side: SideSideEnum
    name: NotRequired[str]


SideEnum = Literal['source', 'target']

SideSideEnum = Literal['whole', 'source', 'reference', 'system', 'documents', 'questions', 'none']


class Sides(TypedDict):
    sides: NotRequired[list[Side]]
    columns: NotRequired[list[Column]]
    genmt: NotRequired[Genmt]



class Size(TypedDict):
    rows: int | None
    size: int | None
    is_exact: bool
    refused: list[str]
    notes: list[str]



class Skipped(TypedDict):
    done: int
    total: int
    right: int



class Span(TypedDict):
    system: str
    side: SideEnum
    start: int
    end: int
    category: str
    severity: str
    note: str


SplitEnum = Literal['auto', 'blank-lines', 'none']


class Standing(TypedDict):
    reasons: NotRequired[dict[str, str]]
    value: float | None
    interval: list[float] | None
    place: int | None
    rank: list[int]
    cluster: int
    segments: int


StateEnum = Literal['ready', 'loading', 'no model', 'no environment', 'no worker', 'wrong language', 'not enough memory', 'changed files', 'failed']


class Status(TypedDict):
    status: StatusStatusEnum


StatusStatusEnum = Literal['open', 'paused', 'closed']


class StoredFile(TypedDict):
    name: str
    size: int
    side: NotRequired[str]
    side_name: NotRequired[str]
    columns: NotRequired[dict[str, str]]
    genmt: NotRequired[Genmt]



class StoredMail(TypedDict):
    messages: int
    left_out: list[LeftOut]



class StoredScores(TypedDict):
    metric: str
    level: ScoreLevelEnum
    higher_is_better: bool
    references: list[str]
    signature: str



class Submission(TypedDict):
    client_id: str
    base_revision: int
    answer: Answer
    started: NotRequired[str | None]
    elapsed_ms: NotRequired[int | None]
    active_ms: NotRequired[int | None]
    reading_ms: NotRequired[int | None]



class Suggested(TypedDict):
    slot: str
    suggestion: int
    side: SideEnum
    start: int
    end: int
    severity: str



class SuggestedSpans(TypedDict):
    metric: str
    spans: int
    outputs: int
    unscored: int
    milder: int



class SuggestionRequest(TypedDict):
    metric: str



class System(TypedDict):
    name: str
    is_human: bool



class SystemScore(TypedDict):
    system: str
    score: float | None
    signature: str
    interval: list[float] | None
    interval_signature: str | None
    interval_note: IntervalNoteEnum | NullEnum | None
    unavailable: str | None



class Table(TypedDict):
    run: int
    name: str
    signature: str
    columns: list[str]
    rows: list[dict[str, Any]]



class TableLine(TypedDict):
    name: str
    columns: list[str]
    rows: int



class Tables(TypedDict):
    results: list[TableLine]



class Tag(TypedDict):
    document: str
    segment: str
    tag: str



class Tags(TypedDict):
    document: str
    segment: str
    tags: list[str]



class Taker(TypedDict):
    to: NotRequired[str | None]



class Term(TypedDict):
    term: str
    required: list[str]
    forbidden: list[str]
    note: str



class TermHits(TypedDict):
    term: Term
    source: list[list[int]]
    outputs: list[OutputHits]



class TermsRequest(TypedDict):
    document: NotRequired[str]
    domain: NotRequired[str]
    terms: list[GlossaryTerm]



class TestSet(TypedDict):
    slug: str
    name: str
    source_language: str
    target_language: str
    created_at: str



class TestSetRequest(TypedDict):
    source_language: NotRequired[str]
    target_language: NotRequired[str]
    skip_bad_rows: NotRequired[bool]
    empty_outputs: NotRequired[EmptyOutputsEnum]
    confirm_realigned: NotRequired[bool]
    name: str
    upload: str



class TextVerdict(TypedDict):
    slot: str
    given: str
    accepted: list[str]
    is_right: bool



class Timesheet(TypedDict):
    results: list[WorkDay]



class Token(TypedDict):
    id: int
    name: str
    scopes: list[ScopesEnum]
    created_at: str
    expires_at: str | None
    last_used_at: str | None
    revoked_at: str | None
    made_with: int | None
    is_handed_out: bool



class TokenRequest(TypedDict):
    name: str
    scopes: list[ScopesEnum]
    expires_at: NotRequired[str | None]



class Trial(TypedDict):
    recipe: NotRequired[str | None]
    options: NotRequired[dict[str, Any]]



class Upload(TypedDict):
    upload: str
    files: list[StoredFile]
    status: RunStatusEnum
    error: str
    found: dict[str, Any] | None



class Webhook(TypedDict):
    id: int
    address: str
    events: list[EventsEnum]
    is_active: bool
    created_at: str



class WebhookChange(TypedDict):
    address: str
    events: list[EventsEnum]
    is_active: NotRequired[bool]



class WebhookRequest(TypedDict):
    address: str
    events: list[EventsEnum]



class WholeCampaign(TypedDict):
    redundancy: int
    planning: PlanningEnum
    items_per_assignment: int
    reservation_minutes: int
    systems_per_segment: int | None
    allocation: NotRequired[AllocationEnum]
    allocation_top: NotRequired[int]
    allocation_alpha: NotRequired[float]
    allocation_first: NotRequired[int]
    allocation_step: NotRequired[int]
    selection: NotRequired[SelectionEnum]
    selection_metric: NotRequired[str]
    selection_budget: NotRequired[int | None]
    selection_unit: NotRequired[SelectionUnitEnum]
    selection_of: NotRequired[SelectionOfEnum]
    repeats_share: float
    degraded_share: float
    attention_checks: NotRequired[int | None]
    check_systems: NotRequired[str]
    check_share: NotRequired[float]
    check_kind: NotRequired[CheckKindEnum]
    check_threshold: NotRequired[float | None]
    guidelines: str
    consent: str
    on_withdrawal: WithdrawalEnum
    project: str
    slug: str
    name: str
    test_set: str
    source_language: str
    target_language: str
    protocol: ProtocolEnum
    status: CampaignStatusEnum
    created_at: str
    opened_at: str | None
    closed_at: str | None
    finish_by: str | None
    options: dict[str, Any]
    pass_mark: float | None
    practice_attempts: int
    seed: int
    systems: list[str]



class WholeQuestion(TypedDict):
    name: NotRequired[str]
    kind: FormKindEnum
    text: str
    help: NotRequired[str]
    required: NotRequired[bool]
    choices: NotRequired[list[Choice]]
    low: NotRequired[float | None]
    high: NotRequired[float | None]
    low_label: NotRequired[str]
    high_label: NotRequired[str]
    longest: NotRequired[int | None]
    screens_out: NotRequired[list[str]]



class WholeTestSet(TypedDict):
    slug: str
    name: str
    source_language: str
    target_language: str
    created_at: str
    documents: int
    segments: int
    systems: list[System]


WithdrawalEnum = Literal['pseudonymised', 'erased']


class Withdrawn(TypedDict):
    campaign: str
    withdrawn_at: str | None
    answers: WithdrawalEnum



class WorkDay(TypedDict):
    day: str
    campaign: str
    annotator: str
    begin: str
    end: str
    sessions: int
    active_ms: int
    reading_ms: int
    screens: int
    judgments: int
    changes: int
    note: NotRequired[str]
    answer: NotRequired[str]

