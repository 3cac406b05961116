"""Who is let in at every address of the site: one line for each URL name, read by `test_permissions.py`.

A new address needs a line here, by the name it has in the site map. Copy the line of the address it is most like.

- The groups below say who is let in; where methods differ, a dictionary does for each: `{"GET": READS, "POST": RUNS}`.
- "Let in" means that the address answers as for somebody whose business it is, if only that the form is incomplete.
  Everybody else finds nothing (404), is refused (403), or is asked to sign in.
- What it costs is measured: a line in `benchmarks/_pages/addresses.py` says how it is read, or that it is not.
- What stands for each parameter of an address is in `places.py`, by the part of the address before it.
"""

ORGANISER, ANNOTATOR, RESEARCHER = "organiser", "annotator", "researcher"
STRANGER, ELSEWHERE, NOBODY = "stranger", "organiser of another campaign", "nobody"
PEOPLE = (ORGANISER, ANNOTATOR, RESEARCHER, STRANGER, ELSEWHERE, NOBODY)

Group = frozenset[str]
Rule = Group | dict[str, Group]

NONE: Group = frozenset()
RUNS: Group = frozenset({ORGANISER})
READS: Group = frozenset({ORGANISER, RESEARCHER})
JUDGES: Group = frozenset({ANNOTATOR})
MEMBERS: Group = frozenset({ORGANISER, ANNOTATOR, RESEARCHER})
MAKERS: Group = frozenset({ORGANISER, STRANGER, ELSEWHERE})  # whose accounts may create campaigns
SIGNED_IN: Group = frozenset(PEOPLE) - {NOBODY}
ANYBODY: Group = frozenset(PEOPLE)

_OPEN: dict[str, Rule] = {
    "home": SIGNED_IN,
    "sign-in": ANYBODY,
    "sign-in-code": ANYBODY,  # whoever has shown a password or a link; the others are led to where they begin
    "sign-out": {"POST": ANYBODY},
    "invitation": ANYBODY,  # whoever has the link
    "join": ANYBODY,  # whoever has the link
    "settings": SIGNED_IN,
    "annotator-timesheet": SIGNED_IN,  # one's own
    "annotator-timesheet-csv": SIGNED_IN,
    "settings-password": SIGNED_IN,
    "settings-desk": SIGNED_IN,
    "settings-languages": SIGNED_IN,
    "settings-untranslated-csv": SIGNED_IN,
    "settings-data": SIGNED_IN,
    "settings-data-file": SIGNED_IN,
    # off; who finds them where they are on is tested with them
    "settings-second-factor": NONE,
    "provider-sign-in": NONE,
    "provider-callback": NONE,
    "settings-provider": NONE,
    "settings-provider-begin": NONE,
    "settings-provider-end": NONE,
    "settings-end-session": RUNS,  # one's own
    "settings-end-token": RUNS,
    "language": ANYBODY,
    "health": ANYBODY,
    "service-worker": ANYBODY,  # a script
    "app-manifest": ANYBODY,  # the name and the icons
    "app-start": SIGNED_IN,  # to one's own page
    "metrics": NONE,  # a monitoring system, by a token of its own
    "organiser-sample": ANYBODY,
    "api-schema": ANYBODY,
    "api-docs": ANYBODY,
    "api-docs-resource": ANYBODY,
    "shared-results": ANYBODY,  # whoever has the link
    "shared-texts": ANYBODY,
}

_ANNOTATORS: dict[str, Rule] = {
    "annotator-assignment": JUDGES,
    "annotator-done": JUDGES,
    "annotator-medium": JUDGES,
    "annotator-captions": JUDGES,
    "campaign": MEMBERS,
    "annotator-guidelines": JUDGES,
    "annotator-guidelines-read": JUDGES,
    "annotator-withdraw": JUDGES,
    "annotator-questionnaire": JUDGES,
    "annotator-next": JUDGES,
    "annotator-practice": JUDGES,
    "annotator-practice-again": JUDGES,
    "annotator-practice-skip": JUDGES,
    "annotator-practice-medium": JUDGES,
    "annotator-practice-captions": JUDGES,
}

_ORGANISERS: dict[str, Rule] = {
    "organiser-campaigns": SIGNED_IN,  # one's own
    "organiser-projects": SIGNED_IN,  # one's own
    "organiser-projects-csv": SIGNED_IN,
    "organiser-project": READS,
    "organiser-project-csv": READS,
    "organiser-overview": RUNS,
    "organiser-progress": RUNS,
    "organiser-progress-csv": RUNS,
    "organiser-days-csv": RUNS,
    "organiser-coverage-csv": RUNS,
    "organiser-race": RUNS,
    "organiser-race-csv": RUNS,
    "organiser-drawn-csv": RUNS,
    "organiser-hours-csv": RUNS,
    "organiser-standing-work": RUNS,
    "organiser-reports": RUNS,
    "organiser-reports-csv": RUNS,
    "organiser-item": RUNS,
    "organiser-annotator": RUNS,
    "organiser-leave-out": RUNS,
    "organiser-take-back": RUNS,
    "organiser-forget": RUNS,
    "organiser-reassign": RUNS,
    "organiser-reset": RUNS,
    "organiser-status": RUNS,
    "organiser-guidelines": RUNS,
    "organiser-late-texts": RUNS,
    "organiser-copies": RUNS,
    "organiser-let-in": RUNS,
    "organiser-copying": RUNS,  # one's own
    "organiser-copying-state": RUNS,
    "organiser-copied": RUNS,
    "organiser-practice": RUNS,
    "organiser-questionnaire": RUNS,
    "organiser-annotator-note": {"POST": RUNS},
    "organiser-segment-note": {"POST": RUNS},
    "organiser-timesheets": RUNS,
    "organiser-timesheets-csv": RUNS,
    "organiser-timesheet": RUNS,
    "organiser-timesheet-csv": RUNS,
    "organiser-questionnaire-preview": RUNS,
    "organiser-questions-json": RUNS,
    "organiser-answers": RUNS,
    "organiser-answers-csv": RUNS,
    "organiser-distribution-csv": RUNS,
    "organiser-questions-csv": RUNS,
    "organiser-practice-csv": RUNS,
    "organiser-practice-item": RUNS,
    "organiser-created": RUNS,
    "organiser-manage": RUNS,
    "organiser-webhooks": RUNS,
    "organiser-webhooks-csv": RUNS,
    "organiser-webhook": RUNS,
    "organiser-delivery": RUNS,
    "organiser-people": RUNS,
    "organiser-crowd": RUNS,
    "organiser-crowd-csv": RUNS,
    "organiser-invite": RUNS,
    "organiser-admit": RUNS,
    "organiser-new-password": RUNS,
    "organiser-member": RUNS,
    "organiser-rename-member": RUNS,
    "organiser-sign-out": RUNS,
    "organiser-remove": RUNS,
    "organiser-close-account": RUNS,
    "organiser-renew": RUNS,
    "organiser-revoke": RUNS,
    "organiser-score-import": RUNS,
    "organiser-score-files": RUNS,
    "organiser-score-upload": NONE,  # whoever dropped the files, by a session's memory
    "organiser-score-upload-remove": NONE,
    "organiser-score-forget": RUNS,
    "organiser-try-out": RUNS,
    "organiser-effect-state": RUNS,
    "organiser-effect-csv": RUNS,
    "organiser-adjudicate": RUNS,
    "organiser-adjudicating": RUNS,
    "organiser-undo-adjudication": RUNS,
    "organiser-extend": RUNS,
    "organiser-extend-state": RUNS,
}

_MAKERS: dict[str, Rule] = {
    "organiser-new": MAKERS,
    "organiser-new-sums": SIGNED_IN,
    "organiser-people-list": {"POST": SIGNED_IN},
    "organiser-preview": RUNS,
    "organiser-creation": RUNS,
    "organiser-creation-state": RUNS,
    "organiser-uploads": MAKERS,
    "organiser-discard-draft": RUNS,  # one's own
    "organiser-discard-drafts": SIGNED_IN,  # one's own
    "organiser-test-sets": SIGNED_IN,  # one's own
    "organiser-test-set": RUNS,
    "organiser-test-set-guidance": RUNS,
    "organiser-test-set-items": RUNS,
    "organiser-test-set-expected-csv": RUNS,
    "organiser-test-set-items-csv": RUNS,
    "organiser-test-set-media": RUNS,
    "organiser-test-set-terms-csv": RUNS,
    "organiser-checks-csv": RUNS,
    "organiser-restore": NONE,  # what one deleted oneself
    "organiser-upload": RUNS,
    "organiser-upload-remove": RUNS,
    "organiser-upload-realigned": RUNS,
    "organiser-rebuild": MAKERS,
    "organiser-rebuilding": RUNS,
    "organiser-rebuilding-state": RUNS,
}

_RESEARCHERS: dict[str, Rule] = {
    "researcher-results": READS,
    "researcher-results-state": READS,
    "researcher-compute": READS,
    "researcher-results-csv": READS,
    "researcher-metrics": READS,
    "researcher-metrics-state": READS,
    "researcher-metrics-score": READS,
    "researcher-metrics-cancel": READS,
    "researcher-metrics-correlate": READS,
    "researcher-metrics-suggest": RUNS,
    "researcher-metrics-file": READS,
    "researcher-exports": READS,
    "researcher-new-token": READS,
    "researcher-revoke-token": RUNS,  # one's own
    "researcher-archive": READS,
    "researcher-export": READS,
    "researcher-export-sizes": READS,
    "researcher-segment-csv": READS,
    "researcher-medium": READS,
    "researcher-captions": READS,
    "researcher-tag": READS,
    "researcher-untag": READS,
    "researcher-segments-refresh": READS,
    "researcher-segments-cancel": READS,
    "researcher-flags": READS,
    "researcher-flags-csv": READS,
    "researcher-flags-state": READS,
    "researcher-flags-compute": READS,
    "researcher-flags-refresh": READS,
    "researcher-flags-cancel": READS,
    "researcher-compare": READS,
    "researcher-compare-csv": READS,
    "researcher-decisions-csv": READS,
    "researcher-agreement": READS,
    "researcher-agreement-csv": READS,
    "researcher-pairs-csv": READS,
    "researcher-gamma-csv": READS,
    "researcher-error-free-csv": READS,
    "researcher-spans-csv": READS,
    "researcher-annotators-csv": READS,
    "researcher-drift-csv": READS,
    "researcher-disagreements": READS,
    "researcher-disagreements-csv": READS,
    "researcher-cancel": READS,
    "researcher-refresh": READS,
    "researcher-results-table": READS,
    "researcher-weights": READS,
    "researcher-tolerance": READS,
    "researcher-segments": READS,
    "researcher-segments-compute": READS,
    "researcher-segments-csv": READS,
    "researcher-segments-state": READS,
    "researcher-share": RUNS,
    "researcher-revoke-share": RUNS,
    "researcher-table": READS,
    "researcher-figure": READS,
    "researcher-methods": READS,
}

_API: dict[str, Rule] = {
    "api-assignments": SIGNED_IN,  # one's own
    "api-next-assignment": JUDGES,
    "api-practice": JUDGES,
    "api-practice-draft": JUDGES,
    "api-practice-answers": JUDGES,
    "api-practice-skip": JUDGES,
    "api-items": JUDGES,
    "api-draft": JUDGES,
    "api-judgments": JUDGES,
    "api-screens": JUDGES,
    "api-reports": JUDGES,
    "api-account": SIGNED_IN,
    "api-own-timesheet": SIGNED_IN,  # one's own
    "api-timesheet": RUNS,
    "api-account-data": SIGNED_IN,
    "api-withdrawal": JUDGES,
    "api-sessions": SIGNED_IN,
    "api-session": RUNS,  # one's own
    "api-tokens": SIGNED_IN,
    "api-token": RUNS,  # one's own
    "api-uploads": MAKERS,
    "api-upload": RUNS,  # one's own
    "api-test-sets": {"GET": SIGNED_IN, "POST": MAKERS},
    "api-test-set": {"GET": READS, "PATCH": RUNS, "DELETE": RUNS},
    "api-segments": READS,
    "api-guidance": RUNS,
    "api-instruction": RUNS,
    "api-terms": RUNS,
    "api-media": RUNS,
    "api-medium": READS,
    "api-captions": READS,
    "api-attention-checks": RUNS,
    "api-metrics": READS,
    "api-imported-scores": {"GET": READS, "POST": RUNS},
    "api-campaign-drafts": {"GET": SIGNED_IN, "POST": MAKERS},  # one's own
    "api-campaign-draft": RUNS,  # one's own
    "api-campaigns": {"GET": SIGNED_IN, "POST": MAKERS},
    "api-campaign": {"GET": READS, "PATCH": RUNS},
    "api-campaign-deletion": RUNS,
    "api-campaign-status": RUNS,
    "api-practice-settings": RUNS,
    "api-crowd": RUNS,
    "api-crowd-link": RUNS,
    "api-crowd-people": RUNS,
    "api-questionnaire": RUNS,
    "api-questionnaire-answers": RUNS,
    "api-own-questionnaire": JUDGES,
    "api-practice-trial": RUNS,
    "api-progress": RUNS,
    "api-work": RUNS,
    "api-return": RUNS,
    "api-reset": RUNS,
    "api-problem-reports": RUNS,
    "api-members": RUNS,
    "api-member": RUNS,
    "api-sign-out": RUNS,
    "api-close-account": RUNS,
    "api-invitations": RUNS,
    "api-invitation": RUNS,
    "api-renew-invitation": RUNS,
    "api-access": RUNS,
    "api-password": RUNS,
    "api-exclusions": READS,
    "api-exclusion": RUNS,
    "api-forgetting": RUNS,
    "api-campaign-judgments": READS,
    "api-campaign-runs": READS,
    "api-archive": READS,
    "api-exports": READS,
    "api-export-size": READS,
    "api-adjudicator": RUNS,
    "api-segment-tags": READS,
    "api-adjudications": {"GET": READS, "POST": RUNS},
    "api-adjudication": RUNS,
    "api-extension": RUNS,
    "api-suggestions": RUNS,
    "api-late-texts": RUNS,
    "api-copies": RUNS,
    "api-organiser-notes": RUNS,
    "api-annotator-note": RUNS,
    "api-segment-note": RUNS,
    "api-pauses": RUNS,
    "api-elimination": RUNS,
    "api-bring-back": RUNS,
    "api-webhooks": RUNS,
    "api-webhook": RUNS,
    "api-webhook-secret": RUNS,
    "api-webhook-test": RUNS,
    "api-deliveries": RUNS,
    "api-send-again": RUNS,
    "api-shares": RUNS,
    "api-share": RUNS,
    "api-rebuilds": MAKERS,
    "api-campaign-imports": MAKERS,
    "api-plan-sums": SIGNED_IN,  # on one's own test sets
    "api-export": READS,
    "api-runs": SIGNED_IN,  # of one's own campaigns
    "api-run": READS,
    "api-cancel-run": RUNS,
    "api-run-part": READS,
    "api-run-finding": READS,
    "api-run-tables": READS,
    "api-run-table": READS,
    "api-paper": READS,
    "api-paper-table": READS,
    "api-paper-figure": READS,
    "api-preview": RUNS,
    "api-item": RUNS,
    "api-practice-results": RUNS,
    "api-exclusion-trial": RUNS,
    "api-comparison": READS,
    "api-disagreements": READS,
    "api-campaign-segments": READS,
    "api-campaign-segment": READS,
    "api-compare-judgments": READS,
    "api-flags": READS,
    "api-look-for-flags": READS,
    "api-score-imports": READS,
    "api-score-import": RUNS,
}

RULES: dict[str, Rule] = _OPEN | _ANNOTATORS | _ORGANISERS | _MAKERS | _RESEARCHERS | _API
