/* Sends what an account left on this device where no task is open: on the start page, and before signing out. */

import { type Api, sameAnswer } from "./api";
import { type Unsent, type UnsentDraft, type UnsentJudgment, type Storage, submissionOf } from "./storage";

/** `waiting`: something needs the annotator's decision. `unreachable`: another try may help. `ended`: some of it was
    for what this account has no access to any more. `removed`: consent was withdrawn, and nothing of it is stored here
    now. */
export type SendResult = "all" | "removed" | "waiting" | "unreachable" | "signed_out" | "ended";

/** Answers without access are added to `ended`, and stay. */
export async function sendUnsent(api: Api, storage: Storage, ended: Unsent[] = []): Promise<SendResult> {
  const unsent = await storage.all();
  const revisions = new Map<string, number>();
  const waiting = new Set<string>();
  let wasRemoved = false;
  for (const entry of unsent) {
    if (waiting.has(entry.item)) continue;
    const sent =
      entry.kind === "draft" ? await sendDraft(api, entry) : await sendJudgment(api, storage, entry, revisions);
    if (sent === "unreachable" || sent === "signed_out") return sent;
    if (sent === "waiting") waiting.add(entry.item);
    else if (sent === "ended") ended.push(entry);
    else await storage.remove(entry.key);
    wasRemoved ||= sent === "removed";
  }
  if (ended.length > 0) return "ended";
  if (waiting.size > 0) return "waiting";
  return wasRemoved ? "removed" : "all";
}

/** A draft that is refused, or followed by a judgment, is no longer needed. */
async function sendDraft(api: Api, { assignment, item, answer, base_revision }: UnsentDraft): Promise<SendResult> {
  const { kind } = await api.saveDraft(assignment, item, answer, base_revision);
  if (kind === "signed_out" || kind === "ended") return kind;
  if (kind === "withdrawn") return "removed";
  return kind === "unreachable" || kind === "failed" ? "unreachable" : "all";
}

async function sendJudgment(
  api: Api,
  storage: Storage,
  unsent: UnsentJudgment,
  revisions: Map<string, number>,
): Promise<SendResult> {
  // Judgments of one item follow each other: the next is based on the revision the last one made.
  const base_revision = revisions.get(unsent.item) ?? unsent.base_revision;
  if (base_revision !== unsent.base_revision) await storage.put({ ...unsent, base_revision });
  const outcome = await api.submit(unsent.assignment, unsent.item, { ...submissionOf(unsent), base_revision });
  switch (outcome.kind) {
    case "ok":
      revisions.set(unsent.item, outcome.body.revision);
      return "all";
    case "conflict":
      revisions.set(unsent.item, outcome.newer.revision);
      return sameAnswer(unsent.answer, outcome.newer.answer) ? "all" : "waiting";
    case "refused":
      return "waiting";
    case "withdrawn":
      return "removed";
    case "ended":
    case "signed_out":
      return outcome.kind;
    default:
      return "unreachable";
  }
}
