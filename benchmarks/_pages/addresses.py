"""Every address that is read, with what it can be asked: a new page is a line here, or suite and benchmark fail.

A list names what is asked beside the path, `""` for nothing; what stands in braces is in `places_of`. Copy the line of
the page that is most like the new one, and add what the new one takes: its filters, its orders, its pages.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

ORGANISER, ANNOTATOR, RESEARCHER = "organiser", "annotator", "researcher"


@dataclass(frozen=True)
class Read:
    """`streams` is a file written while it is sent, of which the beginning is measured. `leads` elsewhere, by 302;
    what `waits` for a run is not found until then."""

    asked: tuple[str, ...] = ("",)
    by: str = ORGANISER
    streams: bool = False
    leads: bool = False
    waits: bool = False


@dataclass(frozen=True)
class Address:
    name: str
    path: str
    read: Read

    def expects(self, status: int, *, has_run: bool) -> bool:
        return status == (302 if self.read.leads else 404 if self.read.waits and not has_run else 200)


# Answer no GET: they are sent forms or answers.
SENT = frozenset(
    {
        "sign-out", "language", "settings-password", "annotator-next", "annotator-practice-again",
        "annotator-practice-skip", "annotator-guidelines-read",
        "settings-desk",
        "organiser-take-back", "organiser-reassign", "organiser-reset", "organiser-status", "organiser-invite",
        "organiser-race", "api-bring-back", "organiser-annotator-note", "organiser-segment-note",
        "organiser-renew", "organiser-revoke", "organiser-uploads", "organiser-upload-remove",
        "organiser-upload-realigned", "organiser-score-files",
        "organiser-people-list",
        "organiser-score-upload", "organiser-score-upload-remove", "organiser-score-forget", "organiser-try-out",
        "organiser-adjudicate", "organiser-undo-adjudication", "researcher-compute", "researcher-refresh",
        "researcher-cancel", "researcher-metrics-score", "researcher-metrics-cancel", "researcher-metrics-correlate",
        "researcher-metrics-suggest", "api-suggestions",
        "researcher-segments-compute", "researcher-new-token", "researcher-revoke-token", "researcher-share",
        "researcher-revoke-share", "api-next-assignment", "api-draft", "api-judgments", "api-screens", "api-reports",
        "api-practice-draft", "api-practice-answers", "api-practice-skip", "api-practice-trial",
        "api-campaign-status", "api-return", "api-reset", "api-exclusion",
        "api-renew-invitation", "api-uploads", "api-rebuilds", "api-cancel-run", "api-token", "api-share",
        "organiser-member-address", "api-mail-again",
        "organiser-webhook", "organiser-delivery", "api-webhook-secret", "api-webhook-test", "api-send-again",
        "api-campaign-imports",
        "api-invitation", "api-extension", "api-exclusion-trial", "api-compare-judgments", "api-score-import",
        "api-adjudication", "api-adjudicator", "api-segment-tags", "organiser-adjudicating",
        "researcher-segments-cancel", "researcher-segments-refresh", "researcher-flags-cancel",
        "researcher-flags-refresh", "researcher-flags-compute", "api-look-for-flags",
        "researcher-tag", "researcher-untag",
        "api-access", "api-copies", "api-annotator-note", "api-segment-note",
        "api-crowd-link", "api-password", "api-plan-sums", "organiser-discard-draft",
        "organiser-discard-drafts", "organiser-restore", "organiser-test-set", "api-campaign-deletion", "api-media",
        "api-instruction", "api-terms",
        "organiser-admit", "organiser-new-password", "api-withdrawal", "api-forgetting",
        "settings-end-session", "settings-end-token",
        "organiser-rename-member", "organiser-let-in", "organiser-sign-out", "organiser-remove",
        "organiser-close-account",
        "api-session", "api-member", "api-sign-out", "api-close-account",
    }
)  # fmt: skip
SORTS = ("name", "judgments", "mean", "seconds", "controls", "repeats", "uniform", "others", "flags")
FILTERS = (
    "", "sort=gap", "sort=text", "document=text-000", "document=text", "domain=news", "tag=idiom", "spread=20",
    "gap=20", "reported=on", "decided=no", "decided=yes", "system=system-01", "system=system-01&sort=gap",
    "text={word}", "text={word}&system=system-01&decided=no&reported=on", "queue=on", "queue=on&sort=gap",
    "queue=on&domain=news&spread=1", "queue=on&segment={segment}", "segment={segment}", "after=5", "before=15",
    "segment={segment}&compare=reference:A", "metric=Owl", "text=nothingsays", "tag=none",
)  # fmt: skip
JUDGMENTS = (
    "", "page_size=500", "annotator={first}", "document=text-001", "segment=text-001.1", "system=system-01",
    "kind=repeat", "kind=practice", "current=false", "since=2100-01-01T00:00:00Z", "system=nobody",
)  # fmt: skip
SEARCHED = tuple(
    asked for asked in FILTERS if not asked.startswith(("segment=", "queue=on&segment", "after", "before", "metric"))
)
SIZES = tuple(f"file={name}" for name in ("csv", "spans-csv", "adjudications-csv", "wmt-mqm-tsv"))
PAIR = ("first={first}&second={second}",)
BESIDE = ("with={beside}",)

_PEOPLE: dict[str, Read] = {
    "home": Read(by=ANNOTATOR),
    "sign-in": Read(by=""),
    "sign-in-code": Read(by="", leads=True),
    "invitation": Read(by=""),
    "settings": Read(),
    "settings-languages": Read(by=ANNOTATOR),
    "settings-untranslated-csv": Read(by=ANNOTATOR),
    "settings-data": Read(by=ANNOTATOR),
    "settings-data-file": Read(by=ANNOTATOR, streams=True),
    "health": Read(),
    "service-worker": Read(by=""),
    "app-manifest": Read(by=""),
    "app-start": Read(by=ANNOTATOR, leads=True),
    "campaign": Read(by=ANNOTATOR, leads=True),
    "annotator-assignment": Read(by=ANNOTATOR),
    "annotator-done": Read(by=ANNOTATOR, leads=True),
    "annotator-medium": Read(by=ANNOTATOR, streams=True),
    "annotator-captions": Read(by=ANNOTATOR),
    "annotator-practice-medium": Read(by=ANNOTATOR, streams=True),
    "annotator-practice-captions": Read(by=ANNOTATOR),
    "annotator-guidelines": Read(by=ANNOTATOR),
    "annotator-withdraw": Read(by=ANNOTATOR),
    "annotator-practice": Read(by=ANNOTATOR),
    "annotator-timesheet": Read(by=ANNOTATOR),
    "annotator-timesheet-csv": Read(by=ANNOTATOR),
    "annotator-questionnaire": Read(("", "change"), by=ANNOTATOR),
    "api-assignments": Read(by=ANNOTATOR),
    "api-practice": Read(by=ANNOTATOR),
    "api-items": Read(by=ANNOTATOR),
}

_ORGANISERS: dict[str, Read] = {
    "organiser-campaigns": Read(("", "find=other", "status=open", "sort=all:last&page=3")),
    "organiser-projects": Read(),
    "organiser-projects-csv": Read(),
    "organiser-project": Read(),
    "organiser-project-csv": Read(),
    "organiser-overview": Read(("", "page=2", "sort=annotators:time&page=10")),
    "organiser-progress": Read(("", "page=2")),
    "organiser-progress-csv": Read(),
    "organiser-checks-csv": Read(),
    "organiser-days-csv": Read(),
    "organiser-coverage-csv": Read(),
    "organiser-race-csv": Read(),
    "organiser-drawn-csv": Read(),
    "organiser-hours-csv": Read(),
    "organiser-standing-work": Read(),
    "organiser-reports": Read(("", "reason=display", "page=2")),
    "organiser-reports-csv": Read(),
    "organiser-item": Read(),
    "organiser-annotator": Read(),
    "organiser-timesheets": Read(),
    "organiser-timesheets-csv": Read(),
    "organiser-timesheet": Read(),
    "organiser-timesheet-csv": Read(),
    "organiser-leave-out": Read(),
    "organiser-forget": Read(),
    "organiser-effect-state": Read(),
    "organiser-effect-csv": Read(),
    "organiser-preview": Read(),
    "organiser-extend": Read(),
    "organiser-created": Read(),
    "organiser-manage": Read(),
    "organiser-mail": Read(("kind=invitation", "kind=reminder&days=1", "kind=thanks", "kind=digest")),
    "organiser-mail-csv": Read(("kind=reminder",)),
    "organiser-mail-log": Read(("", "sort=log:name", "page=2")),
    "organiser-mail-log-csv": Read(streams=True),
    "organiser-mail-message": Read(),
    "no-more-mail": Read(by=ANNOTATOR),
    "organiser-webhooks": Read(),
    "organiser-webhooks-csv": Read(),
    "organiser-late-texts": Read(),
    "organiser-test-sets": Read(),
    "organiser-extend-state": Read(),
    "organiser-guidelines": Read(),
    "organiser-practice": Read(),
    "join": Read(("participant=nobody",), by=ANNOTATOR),
    "organiser-crowd": Read(),
    "organiser-crowd-csv": Read(),
    "organiser-questionnaire": Read(("", "question=native")),
    "organiser-questionnaire-preview": Read(),
    "organiser-questions-json": Read(),
    "organiser-answers": Read(),
    "organiser-answers-csv": Read(),
    "organiser-distribution-csv": Read(),
    "organiser-questions-csv": Read(),
    "organiser-practice-item": Read(),
    "organiser-practice-csv": Read(),
    "organiser-people": Read(),
    "organiser-member": Read(),
    "organiser-score-import": Read(),
    "organiser-new": Read(),
    "organiser-new-sums": Read(),
    "organiser-sample": Read(),
    "organiser-test-set-guidance": Read(),
    "organiser-test-set-items": Read(),
    "organiser-test-set-items-csv": Read(),
    "organiser-test-set-expected-csv": Read(),
    "organiser-test-set-media": Read(),
    "organiser-test-set-terms-csv": Read(),
    "organiser-copies": Read(),
    "organiser-copying": Read(),
    "organiser-copying-state": Read(),
    "organiser-copied": Read(),
    "organiser-creation": Read(),
    "organiser-creation-state": Read(),
    "organiser-upload": Read(("", "whole")),
    "organiser-rebuild": Read(),
    "organiser-rebuilding": Read(),
    "organiser-rebuilding-state": Read(),
}

_RESEARCHERS: dict[str, Read] = {
    "researcher-results": Read(("", "show=z", "by=document", "by=tag", "recipe=wmt24", "include=passed")),
    "researcher-results-state": Read(),
    "researcher-weights": Read(leads=True),
    "researcher-tolerance": Read(leads=True),
    "researcher-results-csv": Read(),
    "researcher-results-table": Read(),
    "researcher-metrics": Read(("", "metric=Owl", "grouping=none", "grouping=system", "plots=all")),
    "researcher-metrics-state": Read(),
    "researcher-metrics-file": Read(),
    "researcher-agreement": Read(("", *(f"sort={key}" for key in SORTS), "sort=-mean", "include=passed")),
    "researcher-agreement-csv": Read(),
    "researcher-pairs-csv": Read(),
    "researcher-gamma-csv": Read(),
    "researcher-error-free-csv": Read(),
    "researcher-spans-csv": Read(),
    "researcher-annotators-csv": Read(),
    "researcher-drift-csv": Read(),
    "researcher-compare": Read(("", *BESIDE)),
    "researcher-compare-csv": Read(BESIDE),
    "researcher-disagreements": Read(PAIR),
    "researcher-disagreements-csv": Read(PAIR),
    "researcher-segments": Read(FILTERS),
    "researcher-segments-state": Read(),
    "researcher-segment-csv": Read(),
    "researcher-medium": Read(streams=True),
    "researcher-captions": Read(),
    "researcher-decisions-csv": Read(),
    "researcher-export-sizes": Read(SIZES),
    "researcher-segments-csv": Read(streams=True),
    "researcher-flags": Read(("", "flag=numbers", "sort=flags:-system")),
    "researcher-flags-state": Read(),
    "researcher-flags-csv": Read(streams=True),
    "researcher-exports": Read(),
    "researcher-archive": Read(streams=True),
    "researcher-export": Read(streams=True),
    "researcher-table": Read(waits=True),
    "researcher-figure": Read(waits=True),
    "researcher-methods": Read(waits=True),
    "shared-results": Read(by=""),
    "shared-texts": Read(by=""),
}

_API: dict[str, Read] = {
    "api-account": Read(),
    "api-own-timesheet": Read(by=ANNOTATOR),
    "api-timesheet": Read(),
    "api-account-data": Read(streams=True),
    "api-sessions": Read(),
    "api-tokens": Read(),
    "api-upload": Read(),
    "api-test-sets": Read(("", "find=texts")),
    "api-test-set": Read(),
    "api-segments": Read(("", "document=text-001", "page_size=500")),
    "api-guidance": Read(("", "page_size=500")),
    "api-metrics": Read(),
    "api-imported-scores": Read(("", "metric=Owl", "system=system-01", "document=text-001", "page_size=500")),
    "api-campaigns": Read(("", "page_size=500")),
    "api-campaign": Read(),
    "api-practice-settings": Read(),
    "api-crowd": Read(),
    "api-crowd-people": Read(),
    "api-questionnaire": Read(),
    "api-questionnaire-answers": Read(),
    "api-own-questionnaire": Read(by=ANNOTATOR),
    "api-progress": Read(),
    "api-work": Read(("", "annotator={first}", "status=open", "page_size=500")),
    "api-problem-reports": Read(("", "reason=display", "page_size=500")),
    "api-members": Read(("", "role=annotator", "page_size=500")),
    "api-invitations": Read(),
    "api-exclusions": Read(),
    "api-campaign-judgments": Read(JUDGMENTS),
    "api-campaign-runs": Read(("", "kind=disagreement&status=done")),
    "api-archive": Read(streams=True),
    "api-exports": Read(),
    "api-export-size": Read(),
    "api-campaign-drafts": Read(),
    "api-campaign-draft": Read(),
    "api-export": Read(streams=True),
    "api-attention-checks": Read(),
    "api-adjudications": Read(),
    "api-shares": Read(),
    "api-mail": Read(("", "page_size=500")),
    "api-webhooks": Read(),
    "api-webhook": Read(),
    "api-deliveries": Read(),
    "api-runs": Read(("", "kind=disagreement&status=done", "page_size=500")),
    "api-run": Read(waits=True),
    "api-run-part": Read(waits=True),
    "api-preview": Read(),
    "api-item": Read(),
    "api-practice-results": Read(("", "page_size=500")),
    "api-comparison": Read(("", *BESIDE)),
    "api-disagreements": Read(PAIR),
    "api-campaign-segments": Read(SEARCHED),
    "api-campaign-segment": Read(),
    "api-flags": Read(("", "flag=numbers", "page_size=500")),
    "api-medium": Read(),
    "api-captions": Read(),
    "api-score-imports": Read(),
    "api-late-texts": Read(),
    "api-organiser-notes": Read(),
    "api-pauses": Read(),
    "api-elimination": Read(),
    "api-run-finding": Read(waits=True),
    "api-run-tables": Read(waits=True),
    "api-run-table": Read(("", "form=csv"), waits=True),
    "api-paper": Read(waits=True),
    "api-paper-table": Read(waits=True),
    "api-paper-figure": Read(waits=True),
    "api-schema": Read(),
    "api-docs": Read(),
    "api-docs-resource": Read(),
}

READ: Mapping[str, Read] = _PEOPLE | _ORGANISERS | _RESEARCHERS | _API
# A monitoring system's, of no campaign; and what there is only where the operator turns it on.
ELSEWHERE = frozenset(
    {
        "metrics", "provider-sign-in", "provider-callback",
        "settings-second-factor", "settings-provider", "settings-provider-begin", "settings-provider-end",
    }
)  # fmt: skip


def unlisted(site: Iterable[str]) -> list[str]:
    """Names of addresses that nobody has said of whether they are read, and how."""
    return sorted(set(site) - set(READ) - SENT - ELSEWHERE)


def addresses(site: Mapping[str, str], places: Mapping[str, Any], placed: Callable[..., str]) -> Iterator[Address]:
    """Every read address of the site map with all it can be asked."""
    facts = {name.strip("{}"): value for name, value in places.items() if name.startswith("{")}
    own = {name: value for name, value in places.items() if not name.startswith("{")}
    for name, read in READ.items():
        path = placed(site[name], own)
        for asked in read.asked:
            yield Address(name, f"{path}?{asked.format_map(facts)}" if asked else path, read)
