"""A method for each operation. Written by `./assay manage write_client` from the schema of the API: do not edit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, cast
from urllib.parse import quote

from assay_client.connection import Connection, Download
from assay_client.generated import shapes


class Operations(Connection):
    def account(self) -> shapes.Account:
        """The account of this token or session."""
        return cast("shapes.Account", self._json('GET', "/api/v1/account", {}))

    def account_data(self) -> dict[str, Any]:
        """All that is stored about me, by kinds; written while it is sent."""
        return cast("dict[str, Any]", self._json('GET', "/api/v1/account/data", {}))

    def own_timesheet(self) -> shapes.Timesheet:
        """One's own working days, the newest first."""
        return cast("shapes.Timesheet", self._json('GET', "/api/v1/account/timesheet", {}))

    def dispute_day(self, body: shapes.DayNote) -> shapes.Timesheet:
        """Write a note to a day whose time is not right; until the organiser answers, it can change."""
        return cast("shapes.Timesheet", self._json('PUT', "/api/v1/account/timesheet", {}, body))

    def assignments(self) -> shapes.Assignments:
        """My assignments."""
        return cast("shapes.Assignments", self._json('GET', "/api/v1/assignments", {}))

    def items(self, id: int, *, after: str | None = None, before: str | None = None, from_: Literal['start'] | None = None) -> shapes.ItemsPage:
        """The documents to work on: the current one and the next two; or those at another place."""
        return cast("shapes.ItemsPage", self._json('GET', f"/api/v1/assignments/{quote(str(id), safe='')}/items", {"after": after, "before": before, "from": from_}))

    def save_draft(self, id: int, item: str, body: shapes.Draft) -> None:
        """Save unfinished work."""
        self._json('PUT', f"/api/v1/assignments/{quote(str(id), safe='')}/items/{quote(str(item), safe='')}/draft", {}, body)

    def submit_judgment(self, id: int, item: str, body: shapes.Submission, *, next_after: str | None = None) -> shapes.Receipt:
        """Judge an item, or change a judgment."""
        return cast("shapes.Receipt", self._json('POST', f"/api/v1/assignments/{quote(str(id), safe='')}/items/{quote(str(item), safe='')}/judgments", {"next_after": next_after}, body))

    def report_problem(self, id: int, item: str, body: shapes.Report) -> shapes.Report:
        """Say that something is wrong with an item."""
        return cast("shapes.Report", self._json('POST', f"/api/v1/assignments/{quote(str(id), safe='')}/items/{quote(str(item), safe='')}/reports", {}, body))

    def submit_screen(self, id: int, body: shapes.Screen, *, next_after: str | None = None) -> shapes.ScreenReceipt:
        """Judge a whole screen, or change judgments on it."""
        return cast("shapes.ScreenReceipt", self._json('POST', f"/api/v1/assignments/{quote(str(id), safe='')}/screens", {"next_after": next_after}, body))

    def campaign_drafts(self, *, page_size: int | None = None) -> Iterator[shapes.ListedDraft]:
        """My drafts of new campaigns."""
        return self._pages("/api/v1/campaign-drafts", {"page_size": page_size})

    def keep_campaign_draft(self, body: shapes.CampaignDraftRequest) -> shapes.CampaignDraft:
        """Save a draft of a new campaign."""
        return cast("shapes.CampaignDraft", self._json('POST', "/api/v1/campaign-drafts", {}, body, is_once=True))

    def campaign_draft(self, id: int) -> shapes.CampaignDraft:
        """One of my drafts."""
        return cast("shapes.CampaignDraft", self._json('GET', f"/api/v1/campaign-drafts/{quote(str(id), safe='')}", {}))

    def change_campaign_draft(self, id: int, body: shapes.CampaignDraftRequest) -> shapes.CampaignDraft:
        """Change a draft."""
        return cast("shapes.CampaignDraft", self._json('PUT', f"/api/v1/campaign-drafts/{quote(str(id), safe='')}", {}, body))

    def discard_campaign_draft(self, id: int) -> None:
        """Discard a draft."""
        self._json('DELETE', f"/api/v1/campaign-drafts/{quote(str(id), safe='')}", {})

    def import_campaign(self, body: dict[str, Any | Path]) -> shapes.Run:
        """Make a campaign of a file of Pearmut or Appraise, or a closed one of judgments; the run's result names it."""
        return cast("shapes.Run", self._form('POST', "/api/v1/campaign-imports", {}, body, is_once=True))

    def campaigns(self, *, find: str | None = None, page_size: int | None = None, project: str | None = None, status: Literal['closed', 'draft', 'open', 'paused'] | None = None) -> Iterator[shapes.Campaign]:
        """Campaigns I organise or research."""
        return self._pages("/api/v1/campaigns", {"find": find, "page_size": page_size, "project": project, "status": status})

    def create_campaign(self, body: shapes.CampaignSpec) -> shapes.Run:
        """Create a campaign; the run's result names it."""
        return cast("shapes.Run", self._json('POST', "/api/v1/campaigns", {}, body, is_once=True))

    def campaign(self, slug: str) -> shapes.WholeCampaign:
        """A campaign with its settings."""
        return cast("shapes.WholeCampaign", self._json('GET', f"/api/v1/campaigns/{quote(str(slug), safe='')}", {}))

    def change_campaign(self, slug: str, body: shapes.PatchedCampaignTexts) -> shapes.WholeCampaign:
        """Change the name, the project, the last day, the texts that annotators read, or whether it is archived."""
        return cast("shapes.WholeCampaign", self._json('PATCH', f"/api/v1/campaigns/{quote(str(slug), safe='')}", {}, body))

    def admit(self, slug: str, body: shapes.Access) -> shapes.AdmittedList:
        """Create links or passwords for annotators of a new campaign who have neither yet."""
        return cast("shapes.AdmittedList", self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/access", {}, body, is_once=True))

    def close_account(self, slug: str, username: str) -> None:
        """Close an account whose campaigns are all yours; judgments stay."""
        self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/accounts/{quote(str(username), safe='')}/close", {}, is_once=True)

    def sign_out_everywhere(self, slug: str, username: str) -> shapes.Ended:
        """End every session and every token of an account whose campaigns are all yours."""
        return cast("shapes.Ended", self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/accounts/{quote(str(username), safe='')}/sign-out", {}, is_once=True))

    def adjudications(self, slug: str, *, page_size: int | None = None) -> Iterator[shapes.Adjudication]:
        """Adjudications, including those that were undone."""
        return self._pages(f"/api/v1/campaigns/{quote(str(slug), safe='')}/adjudications", {"page_size": page_size})

    def adjudicate(self, slug: str, body: shapes.Decision) -> shapes.Adjudication:
        """Adjudicate an output."""
        return cast("shapes.Adjudication", self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/adjudications", {}, body, is_once=True))

    def undo_adjudication(self, slug: str, id: int) -> None:
        """Undo an adjudication; only the annotators' answers count again."""
        self._json('DELETE', f"/api/v1/campaigns/{quote(str(slug), safe='')}/adjudications/{quote(str(id), safe='')}", {})

    def allow_to_adjudicate(self, slug: str, username: str) -> None:
        """Allow a researcher to adjudicate."""
        self._json('PUT', f"/api/v1/campaigns/{quote(str(slug), safe='')}/adjudicators/{quote(str(username), safe='')}", {})

    def forbid_to_adjudicate(self, slug: str, username: str) -> None:
        """No longer allow a researcher to adjudicate."""
        self._json('DELETE', f"/api/v1/campaigns/{quote(str(slug), safe='')}/adjudicators/{quote(str(username), safe='')}", {})

    def exclude(self, slug: str, username: str, body: shapes.Reason) -> shapes.Exclusion:
        """Exclude an annotator from later results."""
        return cast("shapes.Exclusion", self._json('PUT', f"/api/v1/campaigns/{quote(str(slug), safe='')}/annotators/{quote(str(username), safe='')}/exclusion", {}, body))

    def readmit(self, slug: str, username: str) -> None:
        """Include an annotator again."""
        self._json('DELETE', f"/api/v1/campaigns/{quote(str(slug), safe='')}/annotators/{quote(str(username), safe='')}/exclusion", {})

    def try_exclusion(self, slug: str, username: str, body: shapes.Trial) -> shapes.Run:
        """Compute what excluding an annotator would change, or including one again."""
        return cast("shapes.Run", self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/annotators/{quote(str(username), safe='')}/exclusion/trial", {}, body, is_once=True))

    def forget_person(self, slug: str, username: str, body: shapes.Forgetting) -> shapes.Forgotten:
        """Forget an annotator: erase the answers, or keep them under a number."""
        return cast("shapes.Forgotten", self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/annotators/{quote(str(username), safe='')}/forgetting", {}, body, is_once=True))

    def note_on_annotator(self, slug: str, username: str, body: shapes.NoteText) -> shapes.OwnNote:
        """Write, change or remove the organisers' note on an annotator."""
        return cast("shapes.OwnNote", self._json('PUT', f"/api/v1/campaigns/{quote(str(slug), safe='')}/annotators/{quote(str(username), safe='')}/note", {}, body))

    def replace_password(self, slug: str, username: str) -> shapes.Admitted:
        """A new password in place of a lost one, for an account that was made for this campaign alone."""
        return cast("shapes.Admitted", self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/annotators/{quote(str(username), safe='')}/password", {}, is_once=True))

    def archive(self, slug: str, *, names: Literal['yes'] | None = None) -> Download:
        """The whole campaign as one file from which it can be rebuilt."""
        return self._file(f"/api/v1/campaigns/{quote(str(slug), safe='')}/archive", {"names": names})

    def take_assignment(self, slug: str) -> shapes.Assignment:
        """Take the next assignment of a campaign, or get the one begun."""
        return cast("shapes.Assignment", self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/assignments", {}))

    def attention_checks(self, slug: str) -> shapes.AttentionChecks:
        """How annotators answered attention checks, by their first attempts."""
        return cast("shapes.AttentionChecks", self._json('GET', f"/api/v1/campaigns/{quote(str(slug), safe='')}/attention-checks", {}))

    def compare_campaigns(self, slug: str, *, with_: str | None = None) -> shapes.CampaignsBeside:
        """The campaign and another one on the same test set: systems, their order, agreement."""
        return cast("shapes.CampaignsBeside", self._json('GET', f"/api/v1/campaigns/{quote(str(slug), safe='')}/comparison", {"with": with_}))

    def copy_campaign(self, slug: str, body: shapes.Copies) -> shapes.Run:
        """Copy a campaign to several language pairs, all or none; the run's result names the copies."""
        return cast("shapes.Run", self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/copies", {}, body, is_once=True))

    def crowd(self, slug: str) -> shapes.Crowd:
        """The link for a crowd."""
        return cast("shapes.Crowd", self._json('GET', f"/api/v1/campaigns/{quote(str(slug), safe='')}/crowd", {}))

    def set_crowd(self, slug: str, body: shapes.CrowdRequest) -> shapes.Crowd:
        """Change the settings of the link; the first time, make it."""
        return cast("shapes.Crowd", self._json('PUT', f"/api/v1/campaigns/{quote(str(slug), safe='')}/crowd", {}, body))

    def renew_crowd_link(self, slug: str) -> shapes.Crowd:
        """Replace the link; the old one lets nobody in any more."""
        return cast("shapes.Crowd", self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/crowd/link", {}, is_once=True))

    def crowd_people(self, slug: str, *, page_size: int | None = None) -> Iterator[shapes.CrowdPlace]:
        """People who came by the link for a crowd."""
        return self._pages(f"/api/v1/campaigns/{quote(str(slug), safe='')}/crowd/people", {"page_size": page_size})

    def delete_campaign(self, slug: str, body: shapes.Deletion) -> None:
        """Delete a closed campaign, or a draft; its organiser can restore it on the list of campaigns."""
        self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/deletion", {}, body, is_once=True)

    def webhook_deliveries(self, slug: str, *, page_size: int | None = None) -> Iterator[shapes.Delivery]:
        """What was sent."""
        return self._pages(f"/api/v1/campaigns/{quote(str(slug), safe='')}/deliveries", {"page_size": page_size})

    def send_again(self, slug: str, id: int) -> shapes.Delivery:
        """Send a message again, with the same `id`."""
        return cast("shapes.Delivery", self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/deliveries/{quote(str(id), safe='')}/again", {}, is_once=True))

    def disagreements(self, slug: str, *, first: str, second: str, measure: str | None = None, most: int | None = None) -> shapes.Disagreements:
        """Where two annotators disagree most, with both answers."""
        return cast("shapes.Disagreements", self._json('GET', f"/api/v1/campaigns/{quote(str(slug), safe='')}/disagreements", {"first": first, "measure": measure, "most": most, "second": second}))

    def elimination(self, slug: str) -> shapes.Elimination:
        """Which systems are still judged, in a campaign that drops systems while it is judged."""
        return cast("shapes.Elimination", self._json('GET', f"/api/v1/campaigns/{quote(str(slug), safe='')}/elimination", {}))

    def set_elimination(self, slug: str, body: shapes.EliminationStatus) -> shapes.Elimination:
        """Pause, resume (`running`) or stop elimination."""
        return cast("shapes.Elimination", self._json('PUT', f"/api/v1/campaigns/{quote(str(slug), safe='')}/elimination", {}, body))

    def bring_back(self, slug: str, body: shapes.DroppedSystem) -> shapes.Elimination:
        """Have a dropped system judged again."""
        return cast("shapes.Elimination", self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/elimination/returns", {}, body, is_once=True))

    def exclusions(self, slug: str, *, page_size: int | None = None) -> Iterator[shapes.Exclusion]:
        """Annotators excluded from the results, now or before."""
        return self._pages(f"/api/v1/campaigns/{quote(str(slug), safe='')}/exclusions", {"page_size": page_size})

    def export_formats(self, slug: str) -> shapes.Formats:
        """Available formats."""
        return cast("shapes.Formats", self._json('GET', f"/api/v1/campaigns/{quote(str(slug), safe='')}/exports", {}))

    def export(self, slug: str, format: str, *, annotators: Literal['included'] | None = None, labels: Literal['crowd'] | None = None, names: Literal['codes'] | None = None) -> Download:
        """One file, written while it is sent."""
        return self._file(f"/api/v1/campaigns/{quote(str(slug), safe='')}/exports/{quote(str(format), safe='')}", {"annotators": annotators, "labels": labels, "names": names})

    def export_size(self, slug: str, format: str, *, annotators: Literal['included'] | None = None, labels: Literal['crowd'] | None = None, names: Literal['codes'] | None = None) -> shapes.Size:
        """Size of a file, before it is downloaded."""
        return cast("shapes.Size", self._json('GET', f"/api/v1/campaigns/{quote(str(slug), safe='')}/exports/{quote(str(format), safe='')}/size", {"annotators": annotators, "labels": labels, "names": names}))

    def extension_cost(self, slug: str) -> shapes.ExtensionCost:
        """What one more judgment of each segment would add."""
        return cast("shapes.ExtensionCost", self._json('GET', f"/api/v1/campaigns/{quote(str(slug), safe='')}/extension", {}))

    def extend_campaign(self, slug: str, body: shapes.Extension) -> shapes.Run:
        """Plan further rounds of judgments, unless a run is already planning some."""
        return cast("shapes.Run", self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/extension", {}, body, is_once=True))

    def invitations(self, slug: str, *, page_size: int | None = None) -> Iterator[shapes.Invitation]:
        """Invitations."""
        return self._pages(f"/api/v1/campaigns/{quote(str(slug), safe='')}/invitations", {"page_size": page_size})

    def invite(self, slug: str, body: shapes.InvitationRequest) -> shapes.AdmittedList:
        """Create accounts with their links."""
        return cast("shapes.AdmittedList", self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/invitations", {}, body, is_once=True))

    def revoke_invitation(self, slug: str, id: int) -> None:
        """Revoke a link; judgments stay."""
        self._json('DELETE', f"/api/v1/campaigns/{quote(str(slug), safe='')}/invitations/{quote(str(id), safe='')}", {})

    def renew_invitation(self, slug: str, id: int) -> shapes.Issued:
        """Replace a link that was lost: the old one ends, the account and its work stay."""
        return cast("shapes.Issued", self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/invitations/{quote(str(id), safe='')}/renew", {}, is_once=True))

    def item(self, slug: str, item: str) -> shapes.ItemSheet:
        """One item as its annotator was shown it, with what only organisers may know."""
        return cast("shapes.ItemSheet", self._json('GET', f"/api/v1/campaigns/{quote(str(slug), safe='')}/items/{quote(str(item), safe='')}", {}))

    def campaign_judgments(self, slug: str, *, annotator: str | None = None, current: bool | None = None, document: str | None = None, kind: Literal['check', 'degraded', 'practice', 'reference', 'regular', 'repeat'] | None = None, page_size: int | None = None, segment: str | None = None, since: str | None = None, system: str | None = None, until: str | None = None) -> Iterator[shapes.Judgment]:
        """Judgments in the order they were stored, every revision."""
        return self._pages(f"/api/v1/campaigns/{quote(str(slug), safe='')}/judgments", {"annotator": annotator, "current": current, "document": document, "kind": kind, "page_size": page_size, "segment": segment, "since": since, "system": system, "until": until})

    def late_additions(self, slug: str) -> shapes.LateAdditions:
        """Systems and documents that were added while the campaign ran."""
        return cast("shapes.LateAdditions", self._json('GET', f"/api/v1/campaigns/{quote(str(slug), safe='')}/late-texts", {}))

    def add_late_texts(self, slug: str, body: dict[str, Any | Path]) -> shapes.LateTexts:
        """Add further systems or documents, and plan their judgments."""
        return cast("shapes.LateTexts", self._form('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/late-texts", {}, body, is_once=True))

    def mail(self, slug: str, *, page_size: int | None = None) -> Iterator[shapes.Mail]:
        """Mail."""
        return self._pages(f"/api/v1/campaigns/{quote(str(slug), safe='')}/mail", {"page_size": page_size})

    def send_mail(self, slug: str, body: shapes.MailRequest) -> shapes.StoredMail:
        """Send invitations, reminders or thanks."""
        return cast("shapes.StoredMail", self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/mail", {}, body, is_once=True))

    def send_mail_again(self, slug: str, id: int) -> shapes.Mail:
        """Send a message again, with a new link where the old one has ended."""
        return cast("shapes.Mail", self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/mail/{quote(str(id), safe='')}/again", {}, is_once=True))

    def campaign_medium(self, slug: str, file_hash: str) -> Download:
        """A picture, sound or video beside the texts of a campaign."""
        return self._file(f"/api/v1/campaigns/{quote(str(slug), safe='')}/media/{quote(str(file_hash), safe='')}", {})

    def campaign_captions(self, slug: str, file_hash: str) -> Download:
        """The captions of a sound or video, as WebVTT; 404 where it has none (`has_captions`)."""
        return self._file(f"/api/v1/campaigns/{quote(str(slug), safe='')}/media/{quote(str(file_hash), safe='')}/captions", {})

    def members(self, slug: str, *, page_size: int | None = None, role: Literal['annotator', 'organiser', 'researcher'] | None = None) -> Iterator[shapes.Member]:
        """Who is part of a campaign."""
        return self._pages(f"/api/v1/campaigns/{quote(str(slug), safe='')}/members", {"page_size": page_size, "role": role})

    def remove_member(self, slug: str, username: str, role: Literal['annotator', 'organiser', 'researcher']) -> None:
        """Remove somebody from a role in the campaign, with their links into it and everything made with these."""
        self._json('DELETE', f"/api/v1/campaigns/{quote(str(slug), safe='')}/members/{quote(str(username), safe='')}/roles/{quote(str(role), safe='')}", {})

    def organiser_notes(self, slug: str, *, page_size: int | None = None) -> Iterator[shapes.OwnNote]:
        """Organisers' notes on annotators and segments."""
        return self._pages(f"/api/v1/campaigns/{quote(str(slug), safe='')}/notes", {"page_size": page_size})

    def pauses(self, slug: str) -> shapes.Pauses:
        """How long pauses count as work."""
        return cast("shapes.Pauses", self._json('GET', f"/api/v1/campaigns/{quote(str(slug), safe='')}/pauses", {}))

    def set_pauses(self, slug: str, body: shapes.Pauses) -> shapes.Pauses:
        """Set how long pauses count as work, from the next page that an annotator opens."""
        return cast("shapes.Pauses", self._json('PUT', f"/api/v1/campaigns/{quote(str(slug), safe='')}/pauses", {}, body))

    def practice(self, slug: str) -> shapes.PracticeSettings:
        """Practice settings, and how far annotators are."""
        return cast("shapes.PracticeSettings", self._json('GET', f"/api/v1/campaigns/{quote(str(slug), safe='')}/practice", {}))

    def set_practice(self, slug: str, body: shapes.PracticeRequest) -> shapes.PracticeSettings:
        """Replace the practice items; annotators who have passed stay qualified."""
        return cast("shapes.PracticeSettings", self._json('PUT', f"/api/v1/campaigns/{quote(str(slug), safe='')}/practice", {}, body))

    def practice_answers(self, slug: str, *, page_size: int | None = None) -> Iterator[shapes.PracticeAnswer]:
        """First answers of every attempt at practice."""
        return self._pages(f"/api/v1/campaigns/{quote(str(slug), safe='')}/practice/answers", {"page_size": page_size})

    def practice_items(self, slug: str, *, after: str | None = None, before: str | None = None, from_: Literal['start'] | None = None) -> shapes.ItemsPage:
        """The practice items of the current attempt."""
        return cast("shapes.ItemsPage", self._json('GET', f"/api/v1/campaigns/{quote(str(slug), safe='')}/practice/items", {"after": after, "before": before, "from": from_}))

    def save_practice_draft(self, slug: str, item: str, body: shapes.Draft) -> None:
        """Check unfinished work; in practice it is not stored."""
        self._json('PUT', f"/api/v1/campaigns/{quote(str(slug), safe='')}/practice/items/{quote(str(item), safe='')}/draft", {}, body)

    def answer_practice(self, slug: str, item: str, body: shapes.Submission) -> shapes.PracticeReceipt:
        """Answer a practice item; the first answer of an attempt counts."""
        return cast("shapes.PracticeReceipt", self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/practice/items/{quote(str(item), safe='')}/judgments", {}, body))

    def skip_practice(self, slug: str, item: str) -> shapes.Skipped:
        """Skip a practice item, and what is not answered of its screen."""
        return cast("shapes.Skipped", self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/practice/items/{quote(str(item), safe='')}/skip", {}))

    def try_practice(self, slug: str, item: str, body: shapes.PracticeTrial) -> shapes.Feedback:
        """What an annotator is told who answers a practice item so; nothing is stored."""
        return cast("shapes.Feedback", self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/practice/items/{quote(str(item), safe='')}/trial", {}, body))

    def preview(self, slug: str) -> shapes.ItemsPage:
        """The first documents as annotators will see them, before anything is entered."""
        return cast("shapes.ItemsPage", self._json('GET', f"/api/v1/campaigns/{quote(str(slug), safe='')}/preview", {}))

    def progress(self, slug: str) -> shapes.Progress:
        """Progress of a campaign and of each annotator, the most serious concerns first."""
        return cast("shapes.Progress", self._json('GET', f"/api/v1/campaigns/{quote(str(slug), safe='')}/progress", {}))

    def questionnaire(self, slug: str, moment: str) -> shapes.Questionnaire:
        """The entry or exit questionnaire."""
        return cast("shapes.Questionnaire", self._json('GET', f"/api/v1/campaigns/{quote(str(slug), safe='')}/questionnaires/{quote(str(moment), safe='')}", {}))

    def set_questionnaire(self, slug: str, moment: str, body: shapes.QuestionnaireRequest) -> shapes.Questionnaire:
        """Replace the questions."""
        return cast("shapes.Questionnaire", self._json('PUT', f"/api/v1/campaigns/{quote(str(slug), safe='')}/questionnaires/{quote(str(moment), safe='')}", {}, body))

    def questionnaire_answers(self, slug: str, moment: str, *, page_size: int | None = None) -> Iterator[shapes.FormAnswer]:
        """Answers of annotators to a questionnaire."""
        return self._pages(f"/api/v1/campaigns/{quote(str(slug), safe='')}/questionnaires/{quote(str(moment), safe='')}/answers", {"page_size": page_size})

    def own_questionnaire(self, slug: str, moment: str) -> shapes.OwnQuestionnaire:
        """An annotator's questionnaire, with the answers so far."""
        return cast("shapes.OwnQuestionnaire", self._json('GET', f"/api/v1/campaigns/{quote(str(slug), safe='')}/questionnaires/{quote(str(moment), safe='')}/own", {}))

    def send_questionnaire(self, slug: str, moment: str, body: shapes.OwnAnswers) -> shapes.OwnQuestionnaire:
        """Send all answers, or correct them; all or none are stored."""
        return cast("shapes.OwnQuestionnaire", self._json('PUT', f"/api/v1/campaigns/{quote(str(slug), safe='')}/questionnaires/{quote(str(moment), safe='')}/own", {}, body))

    def problem_reports(self, slug: str, *, page_size: int | None = None, reason: Literal['display', 'mixed_up', 'offensive', 'other', 'private', 'wrong_reference', 'wrong_source'] | None = None) -> Iterator[shapes.Reported]:
        """Problems that annotators reported."""
        return self._pages(f"/api/v1/campaigns/{quote(str(slug), safe='')}/reports", {"page_size": page_size, "reason": reason})

    def campaign_runs(self, slug: str, *, kind: str | None = None, page_size: int | None = None, status: Literal['cancelled', 'done', 'failed', 'queued', 'running'] | None = None) -> Iterator[shapes.Run]:
        """Runs of a campaign."""
        return self._pages(f"/api/v1/campaigns/{quote(str(slug), safe='')}/runs", {"kind": kind, "page_size": page_size, "status": status})

    def analyse(self, slug: str, body: shapes.AnalysisRequest) -> shapes.Run:
        """Compute the results, unless the same run is pending."""
        return cast("shapes.Run", self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/runs", {}, body, is_once=True))

    def campaign_segments(self, slug: str, *, decided: Literal['no', 'yes'] | None = None, document: str | None = None, domain: str | None = None, flag: Literal['codes', 'copied', 'cut', 'empty', 'numbers', 'other_language', 'untranslated'] | None = None, gap: float | None = None, metric: str | None = None, page_size: int | None = None, queue: bool | None = None, reported: bool | None = None, sort: Literal['gap', 'spread', 'text'] | None = None, spread: float | None = None, system: str | None = None, tag: str | None = None, text: str | None = None) -> Iterator[shapes.FoundPage]:
        """Segments, ordered by annotator disagreement."""
        return self._pages(f"/api/v1/campaigns/{quote(str(slug), safe='')}/segments", {"decided": decided, "document": document, "domain": domain, "flag": flag, "gap": gap, "metric": metric, "page_size": page_size, "queue": queue, "reported": reported, "sort": sort, "spread": spread, "system": system, "tag": tag, "text": text})

    def flags(self, slug: str, *, document: str | None = None, flag: Literal['codes', 'copied', 'cut', 'empty', 'numbers', 'other_language', 'untranslated'] | None = None, page_size: int | None = None, system: str | None = None) -> Iterator[shapes.FlagPage]:
        """Flags of outputs, in the order of documents."""
        return self._pages(f"/api/v1/campaigns/{quote(str(slug), safe='')}/segments/flags", {"document": document, "flag": flag, "page_size": page_size, "system": system})

    def look_for_flags(self, slug: str) -> shapes.Run:
        """Look for flags in all outputs of the test set, unless a run is doing so."""
        return cast("shapes.Run", self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/segments/flags/runs", {}, is_once=True))

    def compare_judgments(self, slug: str, body: shapes.Comparison) -> shapes.Run:
        """Compare the judgments of all segments, unless the same run is pending."""
        return cast("shapes.Run", self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/segments/runs", {}, body, is_once=True))

    def tag_segment(self, slug: str, body: shapes.Tag) -> shapes.Tags:
        """Add a tag to a segment, for all campaigns on this test set."""
        return cast("shapes.Tags", self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/segments/tags", {}, body, is_once=True))

    def untag_segment(self, slug: str, *, document: str, segment: str, tag: str) -> None:
        """Remove a tag that was added here."""
        self._json('DELETE', f"/api/v1/campaigns/{quote(str(slug), safe='')}/segments/tags", {"document": document, "segment": segment, "tag": tag})

    def campaign_segment(self, slug: str, id: int) -> shapes.Sheet:
        """One segment with every output and all judgments of it side by side."""
        return cast("shapes.Sheet", self._json('GET', f"/api/v1/campaigns/{quote(str(slug), safe='')}/segments/{quote(str(id), safe='')}", {}))

    def note_on_segment(self, slug: str, id: int, body: shapes.NoteText) -> shapes.OwnNote:
        """Write, change or remove the organisers' note on a segment."""
        return cast("shapes.OwnNote", self._json('PUT', f"/api/v1/campaigns/{quote(str(slug), safe='')}/segments/{quote(str(id), safe='')}/note", {}, body))

    def shares(self, slug: str, *, page_size: int | None = None) -> Iterator[shapes.Share]:
        """Links to the results."""
        return self._pages(f"/api/v1/campaigns/{quote(str(slug), safe='')}/shares", {"page_size": page_size})

    def share_results(self, slug: str, body: shapes.ShareRequest) -> shapes.NewShare:
        """Make a link that shows the results, annotators as numbers."""
        return cast("shapes.NewShare", self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/shares", {}, body, is_once=True))

    def revoke_share(self, slug: str, id: int) -> None:
        """Revoke a link to the results."""
        self._json('DELETE', f"/api/v1/campaigns/{quote(str(slug), safe='')}/shares/{quote(str(id), safe='')}", {})

    def set_status(self, slug: str, body: shapes.Status) -> shapes.Campaign:
        """Open, pause or close a campaign."""
        return cast("shapes.Campaign", self._json('PUT', f"/api/v1/campaigns/{quote(str(slug), safe='')}/status", {}, body))

    def suggest_spans(self, slug: str, body: shapes.SuggestionRequest) -> shapes.SuggestedSpans:
        """Let annotators start from the spans of a metric, before they begin."""
        return cast("shapes.SuggestedSpans", self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/suggestions", {}, body, is_once=True))

    def timesheet(self, slug: str) -> shapes.Timesheet:
        """The working days of all annotators, the newest first."""
        return cast("shapes.Timesheet", self._json('GET', f"/api/v1/campaigns/{quote(str(slug), safe='')}/timesheet", {}))

    def answer_dispute(self, slug: str, body: shapes.DayAnswer) -> shapes.Timesheet:
        """Answer an annotator's note to a day."""
        return cast("shapes.Timesheet", self._json('PUT', f"/api/v1/campaigns/{quote(str(slug), safe='')}/timesheet", {}, body))

    def webhooks(self, slug: str, *, page_size: int | None = None) -> Iterator[shapes.Webhook]:
        """Webhooks."""
        return self._pages(f"/api/v1/campaigns/{quote(str(slug), safe='')}/webhooks", {"page_size": page_size})

    def add_webhook(self, slug: str, body: shapes.WebhookRequest) -> shapes.NewWebhook:
        """Add an address."""
        return cast("shapes.NewWebhook", self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/webhooks", {}, body, is_once=True))

    def webhook(self, slug: str, id: int) -> shapes.Webhook:
        """One webhook."""
        return cast("shapes.Webhook", self._json('GET', f"/api/v1/campaigns/{quote(str(slug), safe='')}/webhooks/{quote(str(id), safe='')}", {}))

    def change_webhook(self, slug: str, id: int, body: shapes.WebhookChange) -> shapes.Webhook:
        """Change address and events, or pause it."""
        return cast("shapes.Webhook", self._json('PUT', f"/api/v1/campaigns/{quote(str(slug), safe='')}/webhooks/{quote(str(id), safe='')}", {}, body))

    def remove_webhook(self, slug: str, id: int) -> None:
        """Remove a webhook."""
        self._json('DELETE', f"/api/v1/campaigns/{quote(str(slug), safe='')}/webhooks/{quote(str(id), safe='')}", {})

    def replace_webhook_secret(self, slug: str, id: int) -> shapes.NewWebhook:
        """Replace the secret; the old one signs nothing any more."""
        return cast("shapes.NewWebhook", self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/webhooks/{quote(str(id), safe='')}/secret", {}, is_once=True))

    def test_webhook(self, slug: str, id: int) -> shapes.Delivery:
        """Send a message about nothing."""
        return cast("shapes.Delivery", self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/webhooks/{quote(str(id), safe='')}/test", {}, is_once=True))

    def withdraw_consent(self, slug: str) -> shapes.Withdrawn:
        """Withdraw my consent to a campaign; this cannot be undone."""
        return cast("shapes.Withdrawn", self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/withdrawal", {}))

    def campaign_assignments(self, slug: str, *, annotator: str | None = None, page_size: int | None = None, status: Literal['archived', 'closed', 'done', 'open', 'planned', 'reserved'] | None = None) -> Iterator[shapes.Held]:
        """All assignments of a campaign, with their annotators."""
        return self._pages(f"/api/v1/campaigns/{quote(str(slug), safe='')}/work", {"annotator": annotator, "page_size": page_size, "status": status})

    def reset_assignment(self, slug: str, id: int) -> shapes.Held:
        """Have an assignment done again; its judgments stay as surplus."""
        return cast("shapes.Held", self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/work/{quote(str(id), safe='')}/reset", {}, is_once=True))

    def return_assignment(self, slug: str, id: int, body: shapes.Taker) -> shapes.Held:
        """Give the items not yet judged to somebody else; the answer is their assignment."""
        return cast("shapes.Held", self._json('POST', f"/api/v1/campaigns/{quote(str(slug), safe='')}/work/{quote(str(id), safe='')}/return", {}, body, is_once=True))

    def plan_sums(self, body: shapes.PlanSpec) -> shapes.PlanSums:
        """How much a campaign would ask for, before it is created."""
        return cast("shapes.PlanSums", self._json('POST', "/api/v1/plans", {}, body))

    def rebuild_campaign(self, body: dict[str, Any | Path]) -> shapes.Run:
        """Rebuild a campaign from its archive; the run's result names it."""
        return cast("shapes.Run", self._form('POST', "/api/v1/rebuilds", {}, body, is_once=True))

    def runs(self, *, kind: str | None = None, page_size: int | None = None, status: Literal['cancelled', 'done', 'failed', 'queued', 'running'] | None = None) -> Iterator[shapes.Run]:
        """Runs I may see."""
        return self._pages("/api/v1/runs", {"kind": kind, "page_size": page_size, "status": status})

    def run(self, id: int) -> shapes.RunResult:
        """A run with its result."""
        return cast("shapes.RunResult", self._json('GET', f"/api/v1/runs/{quote(str(id), safe='')}", {}))

    def cancel_run(self, id: int) -> shapes.Run:
        """Cancel a run; for the person who requested it and organisers of its campaign."""
        return cast("shapes.Run", self._json('POST', f"/api/v1/runs/{quote(str(id), safe='')}/cancel", {}))

    def run_finding(self, id: int) -> shapes.Finding:
        """The findings of a finished analysis, in sentences."""
        return cast("shapes.Finding", self._json('GET', f"/api/v1/runs/{quote(str(id), safe='')}/finding", {}))

    def paper(self, id: int) -> shapes.Paper:
        """What a paper can take from a finished analysis: tables, figures, the paragraph on methods."""
        return cast("shapes.Paper", self._json('GET', f"/api/v1/runs/{quote(str(id), safe='')}/paper", {}))

    def paper_figure(self, id: int, name: str) -> Download:
        """One figure for a paper, as self-contained SVG."""
        return self._file(f"/api/v1/runs/{quote(str(id), safe='')}/paper/figures/{quote(str(name), safe='')}", {})

    def paper_table(self, id: int, name: str, *, form: Literal['csv', 'md', 'tex'] | None = None) -> Download:
        """One table for a paper, as LaTeX, Markdown or CSV."""
        return self._file(f"/api/v1/runs/{quote(str(id), safe='')}/paper/tables/{quote(str(name), safe='')}", {"form": form})

    def run_part(self, id: int, name: str) -> shapes.Part:
        """One analysis of a run."""
        return cast("shapes.Part", self._json('GET', f"/api/v1/runs/{quote(str(id), safe='')}/parts/{quote(str(name), safe='')}", {}))

    def run_tables(self, id: int) -> shapes.Tables:
        """Which tables a finished analysis has."""
        return cast("shapes.Tables", self._json('GET', f"/api/v1/runs/{quote(str(id), safe='')}/tables", {}))

    def run_table(self, id: int, name: str, *, form: Literal['csv', 'json'] | None = None) -> Download:
        """One table of a finished analysis."""
        return self._file(f"/api/v1/runs/{quote(str(id), safe='')}/tables/{quote(str(name), safe='')}", {"form": form})

    def sessions(self, *, page_size: int | None = None) -> Iterator[shapes.Session]:
        """Where I am signed in."""
        return self._pages("/api/v1/sessions", {"page_size": page_size})

    def end_session(self, id: int) -> None:
        """Sign one device out."""
        self._json('DELETE', f"/api/v1/sessions/{quote(str(id), safe='')}", {})

    def test_sets(self, *, find: str | None = None, page_size: int | None = None, source_language: str | None = None, target_language: str | None = None) -> Iterator[shapes.TestSet]:
        """Test sets I may use."""
        return self._pages("/api/v1/test-sets", {"find": find, "page_size": page_size, "source_language": source_language, "target_language": target_language})

    def make_test_set(self, body: shapes.TestSetRequest) -> shapes.Run:
        """Make a test set from an upload; the run's result names it."""
        return cast("shapes.Run", self._json('POST', "/api/v1/test-sets", {}, body, is_once=True))

    def test_set(self, slug: str) -> shapes.WholeTestSet:
        """A test set."""
        return cast("shapes.WholeTestSet", self._json('GET', f"/api/v1/test-sets/{quote(str(slug), safe='')}", {}))

    def rename_test_set(self, slug: str, body: shapes.PatchedTestSetName) -> shapes.WholeTestSet:
        """Rename a test set; its address stays."""
        return cast("shapes.WholeTestSet", self._json('PATCH', f"/api/v1/test-sets/{quote(str(slug), safe='')}", {}, body))

    def delete_test_set(self, slug: str) -> None:
        """Delete a test set that no campaign uses."""
        self._json('DELETE', f"/api/v1/test-sets/{quote(str(slug), safe='')}", {})

    def guidance(self, slug: str, *, document: str | None = None, domain: str | None = None, page_size: int | None = None) -> Iterator[shapes.Guidance]:
        """Instructions and terms of a test set."""
        return self._pages(f"/api/v1/test-sets/{quote(str(slug), safe='')}/guidance", {"document": document, "domain": domain, "page_size": page_size})

    def set_instruction(self, slug: str, body: shapes.InstructionRequest) -> shapes.Guidance:
        """Set the instruction for a test set, a domain or a document."""
        return cast("shapes.Guidance", self._json('PUT', f"/api/v1/test-sets/{quote(str(slug), safe='')}/guidance/instruction", {}, body))

    def remove_instruction(self, slug: str, *, document: str | None = None, domain: str | None = None) -> None:
        """Take an instruction away."""
        self._json('DELETE', f"/api/v1/test-sets/{quote(str(slug), safe='')}/guidance/instruction", {"document": document, "domain": domain})

    def set_terms(self, slug: str, body: shapes.TermsRequest) -> shapes.Guidance:
        """Replace the terms for a test set, a domain or a document."""
        return cast("shapes.Guidance", self._json('PUT', f"/api/v1/test-sets/{quote(str(slug), safe='')}/guidance/terms", {}, body))

    def score_imports(self, slug: str, *, page_size: int | None = None) -> Iterator[shapes.ScoreImport]:
        """Files of scores that were imported."""
        return self._pages(f"/api/v1/test-sets/{quote(str(slug), safe='')}/imports", {"page_size": page_size})

    def forget_scores(self, slug: str, id: int) -> None:
        """Delete imported scores."""
        self._json('DELETE', f"/api/v1/test-sets/{quote(str(slug), safe='')}/imports/{quote(str(id), safe='')}", {})

    def add_media(self, slug: str, body: dict[str, Any | Path]) -> shapes.AddedMedia:
        """Put pictures, audio and video beside the texts of a test set; all of them or none."""
        return cast("shapes.AddedMedia", self._form('POST', f"/api/v1/test-sets/{quote(str(slug), safe='')}/media", {}, body, is_once=True))

    def metrics(self, slug: str) -> shapes.Metrics:
        """Scores of the systems by automatic metrics, computed here or imported."""
        return cast("shapes.Metrics", self._json('GET', f"/api/v1/test-sets/{quote(str(slug), safe='')}/metrics", {}))

    def score_test_set(self, slug: str, body: shapes.ScoringRequest) -> shapes.Run:
        """Score a test set by automatic metrics; the run's result has intervals and comparisons."""
        return cast("shapes.Run", self._json('POST', f"/api/v1/test-sets/{quote(str(slug), safe='')}/metrics", {}, body, is_once=True))

    def imported_scores(self, slug: str, *, document: str | None = None, metric: str | None = None, page_size: int | None = None, system: str | None = None) -> Iterator[shapes.SegmentScore]:
        """Imported scores of single translations."""
        return self._pages(f"/api/v1/test-sets/{quote(str(slug), safe='')}/scores", {"document": document, "metric": metric, "page_size": page_size, "system": system})

    def import_scores(self, slug: str, body: dict[str, Any | Path]) -> shapes.StoredScores:
        """Import a metric's scores that were computed elsewhere; the same file again changes nothing."""
        return cast("shapes.StoredScores", self._form('POST', f"/api/v1/test-sets/{quote(str(slug), safe='')}/scores", {}, body))

    def segments(self, slug: str, *, document: str | None = None, page_size: int | None = None) -> Iterator[shapes.Segment]:
        """The texts of a test set: sources, references, translations."""
        return self._pages(f"/api/v1/test-sets/{quote(str(slug), safe='')}/segments", {"document": document, "page_size": page_size})

    def tokens(self, *, page_size: int | None = None) -> Iterator[shapes.Token]:
        """My tokens."""
        return self._pages("/api/v1/tokens", {"page_size": page_size})

    def make_token(self, body: shapes.TokenRequest) -> shapes.NewToken:
        """Create a token; it cannot have more scopes than the one that creates it, or last longer."""
        return cast("shapes.NewToken", self._json('POST', "/api/v1/tokens", {}, body, is_once=True))

    def revoke_token(self, id: int) -> None:
        """Revoke a token and all tokens created with it."""
        self._json('DELETE', f"/api/v1/tokens/{quote(str(id), safe='')}", {})

    def upload(self, body: dict[str, Any | Path]) -> shapes.Upload:
        """Upload the files of a test set; a run reads them."""
        return cast("shapes.Upload", self._form('POST', "/api/v1/uploads", {}, body, is_once=True))

    def upload_state(self, upload: str) -> shapes.Upload:
        """What the files contain, and what is wrong with them."""
        return cast("shapes.Upload", self._json('GET', f"/api/v1/uploads/{quote(str(upload), safe='')}", {}))

    def set_sides(self, upload: str, body: shapes.Sides) -> shapes.Upload:
        """Set the roles of files and columns, and read them again."""
        return cast("shapes.Upload", self._json('PUT', f"/api/v1/uploads/{quote(str(upload), safe='')}", {}, body))

    def remove_upload(self, upload: str) -> None:
        """Remove the files."""
        self._json('DELETE', f"/api/v1/uploads/{quote(str(upload), safe='')}", {})
