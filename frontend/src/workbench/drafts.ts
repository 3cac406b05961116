/* Unfinished work: stored on this device at once, on the server soon after, and when the page is left. */

import type { Answer, Api } from "./api";
import type { UnsentDraft, Storage } from "./storage";

const PAUSE_MS = 800;
const KEEP_MS = 150; // a slider being dragged must not write to the disk at every step

export interface DraftNews {
  onSaved: () => void;
  onFailed: (signedOut: boolean) => void;
  /** This device could not store it. */
  onStoreFailed: (error: unknown) => void;
  onEnded: (assignment: string, message: string) => void;
  onWithdrawn: (assignment: string) => void;
  /** An earlier answer to the item is not at the server yet: the draft waits for its revision. */
  hasUnsentJudgment: (item: string) => boolean;
}

export class Drafts {
  /** By key: drafts that the server does not have yet. */
  private readonly pending = new Map<string, UnsentDraft>();
  private readonly underWay = new Map<string, { draft: UnsentDraft; sent: Promise<void> }>();
  private sendTimer: ReturnType<typeof setTimeout> | undefined;
  private keepTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly api: Api,
    private readonly storage: Storage,
    private readonly news: DraftNews,
  ) {}

  change(assignment: string, item: string, answer: Answer, base_revision: number): void {
    const key = keyOf(assignment, item);
    this.pending.set(key, { kind: "draft", key, order: Date.now(), assignment, item, answer, base_revision });
    clearTimeout(this.sendTimer);
    this.sendTimer = setTimeout(() => this.flush(), PAUSE_MS);
    this.keepTimer ??= setTimeout(() => this.keep(), KEEP_MS);
  }

  /** Drafts of earlier visits that did not reach the server. */
  recover(draft: UnsentDraft): void {
    this.pending.set(draft.key, draft);
    this.sendTimer ??= setTimeout(() => this.flush(), PAUSE_MS);
  }

  /** The item was judged: its draft is no longer needed. */
  forget(assignment: string, item: string): void {
    const key = keyOf(assignment, item);
    this.pending.delete(key);
    void this.storage.remove(key).catch(() => undefined);
  }

  /** Sends everything now. When the page is about to go, even behind one that is still under way. */
  flush(leaving = false): void {
    clearTimeout(this.sendTimer);
    this.sendTimer = undefined;
    this.keep();
    for (const draft of this.pending.values()) {
      if (this.news.hasUnsentJudgment(draft.item)) continue;
      const ahead = this.underWay.get(draft.item)?.draft;
      if (!ahead || (leaving && ahead !== draft)) void this.send(draft);
    }
  }

  /** The server has the answer that the draft of this item changes: it is based on its revision. */
  rebase(item: string, base_revision: number): void {
    const draft = [...this.pending.values()].find((pending) => pending.item === item);
    if (!draft) return;
    this.pending.set(draft.key, { ...draft, base_revision });
    this.flush();
  }

  /** Resolves when no draft of this item is on its way any more, so that none can arrive after the judgment. */
  async settled(item: string): Promise<void> {
    await this.underWay.get(item)?.sent;
  }

  private keep(): void {
    clearTimeout(this.keepTimer);
    this.keepTimer = undefined;
    for (const draft of this.pending.values())
      void this.storage.put(draft).catch((error) => this.news.onStoreFailed(error));
  }

  private async send(draft: UnsentDraft): Promise<void> {
    const sent = this.deliver(draft);
    this.underWay.set(draft.item, { draft, sent });
    await sent;
    if (this.underWay.get(draft.item)?.draft === draft) this.underWay.delete(draft.item);
    const newer = this.pending.get(draft.key);
    if (newer && newer !== draft) this.sendTimer ??= setTimeout(() => this.flush(), PAUSE_MS);
  }

  private async deliver(draft: UnsentDraft): Promise<void> {
    const outcome = await this.api.saveDraft(draft.assignment, draft.item, draft.answer, draft.base_revision);
    const isNewest = this.pending.get(draft.key) === draft;
    if (outcome.kind === "unreachable" || outcome.kind === "failed" || outcome.kind === "signed_out") {
      if (isNewest) this.news.onFailed(outcome.kind === "signed_out");
      return;
    }
    if (!isNewest) return;
    this.pending.delete(draft.key);
    if (outcome.kind === "ended") return this.news.onEnded(draft.assignment, outcome.message);
    if (outcome.kind === "withdrawn") return this.news.onWithdrawn(draft.assignment);
    // The problem of a refused draft is shown when the answer is submitted; until then only this device has it.
    if (outcome.kind === "refused") return;
    await this.storage.remove(draft.key).catch(() => undefined);
    if (outcome.kind === "ok") this.news.onSaved();
  }
}

function keyOf(assignment: string, item: string): string {
  return `draft:${assignment}:${item}`;
}
