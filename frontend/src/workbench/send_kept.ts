/* Sends what an account left on this device where no task is open: on the start page, and before signing out. */

import { type Api, sameAnswer } from "./api";
import { type Kept, type KeptDraft, type KeptJudgment, type Storage, submissionOf } from "./storage";

/** `waiting`: something needs the annotator's decision. `unreachable`: another try may help. `ended`: some of it was
    for what this account has no access to any more. `removed`: consent was withdrawn, and nothing of it is kept here
    now. */
export type Sent = "all" | "removed" | "waiting" | "unreachable" | "signed_out" | "ended";

/** What there is no access for any more is added to `ended`, and stays. */
export async function sendKept(api: Api, storage: Storage, ended: Kept[] = []): Promise<Sent> {
  const kept = await storage.all();
  const revisions = new Map<string, number>();
  const waiting = new Set<string>();
  let wasRemoved = false;
  for (const entry of kept) {
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

/** A draft that is refused, or that a judgment has overtaken, has done its work. */
async function sendDraft(api: Api, { assignment, item, answer, base_revision }: KeptDraft): Promise<Sent> {
  const { kind } = await api.saveDraft(assignment, item, answer, base_revision);
  if (kind === "signed_out" || kind === "ended") return kind;
  if (kind === "withdrawn") return "removed";
  return kind === "unreachable" || kind === "failed" ? "unreachable" : "all";
}

async function sendJudgment(
  api: Api,
  storage: Storage,
  kept: KeptJudgment,
  revisions: Map<string, number>,
): Promise<Sent> {
  // Judgments of one item follow each other: the next is based on the revision the last one made.
  const base_revision = revisions.get(kept.item) ?? kept.base_revision;
  if (base_revision !== kept.base_revision) await storage.put({ ...kept, base_revision });
  const outcome = await api.submit(kept.assignment, kept.item, { ...submissionOf(kept), base_revision });
  switch (outcome.kind) {
    case "ok":
      revisions.set(kept.item, outcome.body.revision);
      return "all";
    case "conflict":
      revisions.set(kept.item, outcome.newer.revision);
      return sameAnswer(kept.answer, outcome.newer.answer) ? "all" : "waiting";
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
