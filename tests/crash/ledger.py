"""Every answer that an annotator has sent, and what came back: what the database is held against."""

from dataclasses import dataclass, field
from typing import Any

ACKNOWLEDGED = (200, 201)


@dataclass
class SentJudgment:
    """`status` is None as long as no answer came; `is_late`: the reservation was over; `is_too_late`: others had it."""

    item: str
    path: str
    body: dict[str, Any]
    status: int | None = None
    is_late: bool = False
    is_too_late: bool = False

    @property
    def client_id(self) -> str:
        return str(self.body["client_id"])

    @property
    def is_acknowledged(self) -> bool:
        return self.status in ACKNOWLEDGED


@dataclass
class SentDraft:
    answer: dict[str, Any]
    is_kept: bool = False


@dataclass
class Ledger:
    """One annotator's own, so that nobody waits for it; `surprises` are answers that should not have come."""

    judgments: dict[str, SentJudgment] = field(default_factory=dict)
    drafts: dict[str, list[SentDraft]] = field(default_factory=dict)
    surprises: list[str] = field(default_factory=list)

    def waiting(self) -> list[SentJudgment]:
        return [sent for sent in self.judgments.values() if sent.status is None]

    def note(self, sent: SentJudgment, status: int, answer: Any, *, expected: tuple[int, ...]) -> None:
        sent.status = status
        self.expect(status, answer, expected=expected, of=sent.path)

    def expect(self, status: int, answer: Any, *, expected: tuple[int, ...], of: str) -> bool:
        if status in expected:
            return True
        self.surprises.append(f"{of}: {status} instead of {expected}: {answer}")
        return False


@dataclass(frozen=True)
class Books:
    """The ledgers of all annotators together."""

    ledgers: list[Ledger]

    @property
    def judgments(self) -> dict[str, SentJudgment]:
        return {client_id: sent for ledger in self.ledgers for client_id, sent in ledger.judgments.items()}

    @property
    def acknowledged(self) -> set[str]:
        return {client_id for client_id, sent in self.judgments.items() if sent.is_acknowledged}

    @property
    def waiting(self) -> set[str]:
        return {sent.client_id for ledger in self.ledgers for sent in ledger.waiting()}

    @property
    def drafts(self) -> dict[str, list[SentDraft]]:
        return {item: sent for ledger in self.ledgers for item, sent in ledger.drafts.items()}

    @property
    def kept_drafts(self) -> int:
        return sum(draft.is_kept for drafts in self.drafts.values() for draft in drafts)

    @property
    def surprises(self) -> list[str]:
        return [surprise for ledger in self.ledgers for surprise in ledger.surprises]
