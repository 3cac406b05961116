/* A judgment is never lost: it is stored on this device first, then sent, and sent again until the server has it. */

import { batch, signal } from "@preact/signals";

import { type Api, type Newer, type Outcome, type Receipt, sameAnswer, type ScreenReceipt } from "./api";
import { Drafts } from "./drafts";
import { firstSendable } from "./send_order";
import { rowOf, type Unsent, type UnsentJudgment, type Storage, submissionOf } from "./storage";

const BACKOFF_SECONDS = [1, 2, 4, 8, 16, 30];
const JITTER = 0.2;
const SLOW_AFTER_MS = 400;
const FAILURES_BEFORE_PAUSE = 2; // one bad answer must not delay the others, a failing server must not be hammered

type Final<T> = Exclude<Outcome<T>, { kind: "unreachable" | "signed_out" | "failed" }>;

export type Stage = "rest" | "sending" | "offline" | "failing" | "signed_out";

const INITIAL = {
  stage: "rest" as Stage,
  /** Judgments the server does not have yet, in their order; those with a `hold` wait for the annotator. */
  judgments: [] as readonly UnsentJudgment[],
  nextTryAt: null as number | null,
  /** A request has been under way for long enough to show it. */
  slow: false,
  /** The answers being sent had been waiting. */
  backlog: false,
  draft: "none" as "none" | "saved" | "unsaved",
  lasting: true,
  /** Why it does not last: there is no room on this device. */
  isFull: false,
};

export type SaveState = Readonly<typeof INITIAL>;

export interface SaverSetup {
  api: Api;
  storage: Storage;
  onReceipt: (judgment: UnsentJudgment, receipt: Receipt) => void;
  /** Another tab or device was first: with another answer (let the annotator choose), or with the same one. */
  onConflict: (judgment: UnsentJudgment, newer: Newer, isSame: boolean) => void;
  onSignedOut: () => void;
  /** The server refuses an answer as it is: it stays here until another one takes its place. */
  onRefused: (judgment: UnsentJudgment) => void;
  /** This account has no access to an assignment any more, as the server says. */
  onEnded: (assignment: string, message: string) => void;
  /** Consent to its campaign was withdrawn; nothing of the assignment waits here any more. */
  onWithdrawn: (assignment: string) => void;
  /** The time for another try has come, also for others that wait. */
  onRetry: () => void;
  /** The item whose following texts shall come with the receipt; "" if the page has enough. */
  nextAfter: (assignment: string) => string;
}

export function backoffMs(attempt: number, random: number): number {
  const seconds = BACKOFF_SECONDS[Math.min(attempt, BACKOFF_SECONDS.length) - 1] ?? 1;
  return Math.round(seconds * 1000 * (1 + JITTER * (2 * random - 1)));
}

export class Saver {
  readonly state = signal<SaveState>(INITIAL);
  readonly drafts: Drafts;
  private attempt = 0;
  private isPumping = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly setup: SaverSetup) {
    this.update({ lasting: setup.storage.lasting });
    this.drafts = new Drafts(setup.api, setup.storage, {
      onSaved: () => {
        this.update({ draft: "saved" });
        this.reached();
      },
      onFailed: (isSignedOut) => {
        this.update({ draft: "unsaved" });
        this.failed(isSignedOut);
      },
      onStoreFailed: (error) => this.storeFailed(error),
      onEnded: setup.onEnded,
      onWithdrawn: (assignment) => this.dropAssignment(assignment),
      hasUnsentJudgment: (item) => this.state.value.judgments.some((judgment) => judgment.item === item),
    });
  }

  /** The answer that waits for the annotator's choice: the first one on hold, with the newest answer to its item. */
  get conflict(): { judgment: UnsentJudgment; newest: UnsentJudgment } | null {
    const { judgments } = this.state.value;
    const judgment = judgments.find(({ hold }) => hold?.why === "conflict");
    const newest = judgment && judgments.filter(({ item }) => item === judgment.item).at(-1);
    return judgment && newest ? { judgment, newest } : null;
  }

  /** Answers of earlier visits on this device. Those on hold then are tried again. */
  async recover(): Promise<Unsent[]> {
    const unsent = await this.setup.storage.all();
    const judgments = unsent.filter((entry) => entry.kind === "judgment").map((entry) => ({ ...entry, hold: null }));
    for (const entry of unsent) if (entry.kind === "draft") this.drafts.recover(entry);
    this.update({ judgments, backlog: judgments.length > 0 });
    return unsent;
  }

  /** How many answers the server does not have yet. */
  get unsent(): number {
    return this.state.value.judgments.length;
  }

  /** Leaving now would leave answers unsent, or lose them. */
  get isAtRisk(): boolean {
    const { judgments, draft, lasting } = this.state.value;
    return judgments.length > 0 || (draft === "unsaved" && !lasting);
  }

  keep(...judgments: UnsentJudgment[]): void {
    const items = new Set(judgments.map(({ item }) => item));
    const replaced = this.state.value.judgments.filter(({ item, hold }) => hold?.why === "refused" && items.has(item));
    this.update({ judgments: [...this.state.value.judgments, ...judgments], draft: "none" });
    for (const { assignment, item } of judgments) this.drafts.forget(assignment, item);
    // While another try is set for later, these answers wait for it with the others.
    const stored = Promise.all(judgments.map((judgment) => this.store(judgment)));
    const alone = stored.then(() => Promise.all(replaced.map((judgment) => this.drop(judgment))));
    void alone.then(() => (this.state.value.nextTryAt === null ? this.pump() : undefined));
  }

  /** Tries at once: the network is back, the annotator pressed “Try again”, or somebody signed in again. */
  retryNow(): void {
    this.attempt = 0;
    clearTimeout(this.timer);
    this.drafts.flush();
    this.update({ stage: "rest", nextTryAt: null, backlog: this.unsent > 0 });
    void this.pump();
  }

  wentOffline(): void {
    this.update({ stage: "offline" });
  }

  /** A request other than a judgment's failed. */
  failed(isSignedOut: boolean): void {
    const isKnown = this.isPumping || this.state.value.nextTryAt !== null || this.state.value.stage === "signed_out";
    if (!isKnown) this.settle(isSignedOut ? "signed_out" : navigator.onLine ? "failing" : "offline");
  }

  /** A request other than a judgment's succeeded. */
  reached(): void {
    if (!this.unsent && this.state.value.draft !== "unsaved") this.settle("rest");
  }

  async keepTheirs(key: string): Promise<void> {
    const judgment = this.find(key);
    if (!judgment) return;
    for (const entry of this.state.value.judgments) if (entry.item === judgment.item) await this.drop(entry);
    if (judgment.hold?.why === "conflict") await this.rebase(judgment.item, judgment.hold.revision);
    await this.pump();
  }

  /** Sends an answer that was on hold; in a conflict as a revision of the other answer. */
  async sendAgain(key: string): Promise<void> {
    const judgment = this.find(key);
    if (!judgment?.hold) return;
    const base_revision = judgment.hold.why === "conflict" ? judgment.hold.revision : judgment.base_revision;
    await this.replace({ ...judgment, base_revision, hold: null });
    await this.pump();
  }

  /** Returns what was discarded. */
  async discard(key: string): Promise<UnsentJudgment | undefined> {
    const judgment = this.find(key);
    if (judgment) await this.drop(judgment);
    return judgment;
  }

  /** Everything this device stores for the account, drafts included. */
  allUnsent(): Promise<Unsent[]> {
    return this.setup.storage.all();
  }

  async remove(unsent: readonly Unsent[]): Promise<void> {
    for (const { key } of unsent) {
      await this.discard(key);
      await this.setup.storage.remove(key);
    }
  }

  /** Consent was withdrawn: nothing of the assignment is sent any more. The page that says so removes it from the
      device. */
  dropAssignment(assignment: string): void {
    this.update({ judgments: this.state.value.judgments.filter((judgment) => judgment.assignment !== assignment) });
    this.setup.onWithdrawn(assignment);
  }

  async pump(): Promise<void> {
    if (this.isPumping || this.state.value.stage === "signed_out") return;
    this.isPumping = true;
    const slow = setTimeout(() => this.update({ slow: true }), SLOW_AFTER_MS);
    try {
      this.settle(await this.sendRound());
    } finally {
      clearTimeout(slow);
      this.isPumping = false;
      this.update({ slow: false });
    }
    // An answer may have been stored between the last look at the queue and now.
    if (this.state.value.stage === "rest" && this.nextToSend(new Set()).length) await this.pump();
  }

  /** Sends what can be sent, oldest first; an item's later answers wait for its earlier ones. */
  private async sendRound(): Promise<Stage> {
    const passed = new Set<string>();
    let failures = 0;
    for (;;) {
      const next = this.nextToSend(passed);
      if (next.length === 0) return failures ? "failing" : "rest";
      this.update({ stage: "sending", nextTryAt: null });
      await Promise.all(next.map(({ item }) => this.drafts.settled(item)));
      const { kind } = await this.send(next);
      if (kind === "unreachable") return navigator.onLine ? "failing" : "offline";
      if (kind === "signed_out") return "signed_out";
      if (kind !== "failed") continue;
      for (const { item } of next) passed.add(item);
      if (++failures >= FAILURES_BEFORE_PAUSE) return "failing";
    }
  }

  private nextToSend(passed: ReadonlySet<string>): readonly UnsentJudgment[] {
    return firstSendable(this.state.value.judgments, passed);
  }

  private async send(next: readonly UnsentJudgment[]): Promise<Outcome<unknown>> {
    const [first] = next;
    if (first?.screen === undefined) return first ? this.sendOne(first) : { kind: "failed", status: 0 };
    const { api, nextAfter } = this.setup;
    const { assignment, actions } = first;
    const outcome = await api.submitScreen(assignment, next.map(rowOf), actions, nextAfter(assignment));
    if (outcome.kind === "unreachable" || outcome.kind === "signed_out" || outcome.kind === "failed") return outcome;
    await this.concludeScreen(next, outcome);
    return outcome;
  }

  private async sendOne(judgment: UnsentJudgment): Promise<Outcome<unknown>> {
    const { api, nextAfter } = this.setup;
    const { assignment, item } = judgment;
    const outcome = await api.submit(assignment, item, submissionOf(judgment), nextAfter(assignment));
    if (outcome.kind === "unreachable" || outcome.kind === "signed_out" || outcome.kind === "failed") return outcome;
    await this.conclude(judgment, outcome);
    return outcome;
  }

  /** The rows one by one, as the answer about the whole says it of each. */
  private async concludeScreen(rows: readonly UnsentJudgment[], outcome: Final<ScreenReceipt>): Promise<void> {
    if (outcome.kind === "ok") {
      const { revisions, ...rest } = outcome.body;
      const stored = batch(() =>
        rows.flatMap((row) => this.accept(row, { ...rest, revision: revisions[row.item] ?? row.base_revision + 1 })),
      );
      await Promise.all(stored);
    } else if (outcome.kind === "conflict") {
      // Nothing was stored: the rows without a newer answer are sent again, once it is decided about the others.
      for (const row of rows) {
        const newer = outcome.byItem?.[row.item];
        if (newer) await this.collide(row, newer);
      }
    } else if (outcome.kind === "refused") {
      const { body, ...byItem } = outcome.byItem ?? { body: outcome.errors };
      for (const [place, row] of rows.entries())
        await this.conclude(row, { ...outcome, errors: { ...byItem[row.item], ...(place === 0 && body) } });
    } else {
      for (const row of rows) await this.conclude(row, outcome);
    }
  }

  /** In one step for the page: the judgment leaves the queue as the server's count includes it. */
  private accept(judgment: UnsentJudgment, receipt: Receipt): Promise<void>[] {
    const changes = [this.drop(judgment), this.rebase(judgment.item, receipt.revision)];
    this.setup.onReceipt(judgment, receipt);
    return changes;
  }

  private async conclude(judgment: UnsentJudgment, outcome: Final<Receipt>): Promise<void> {
    if (outcome.kind === "ok") {
      await Promise.all(batch(() => this.accept(judgment, outcome.body)));
    } else if (outcome.kind === "conflict") {
      await this.collide(judgment, outcome.newer);
    } else if (outcome.kind === "withdrawn") {
      this.dropAssignment(judgment.assignment);
    } else {
      const errors = outcome.kind === "ended" ? { detail: [outcome.message] } : outcome.errors;
      await this.replace({ ...judgment, hold: { why: "refused", errors } });
      if (outcome.kind === "ended") this.setup.onEnded(judgment.assignment, outcome.message);
      else if (this.find(judgment.key)) this.setup.onRefused(judgment);
    }
  }

  private async collide(judgment: UnsentJudgment, newer: Newer): Promise<void> {
    const isSame = sameAnswer(judgment.answer, newer.answer);
    if (isSame) {
      await this.drop(judgment);
      await this.rebase(judgment.item, newer.revision);
    } else {
      await this.replace({ ...judgment, hold: { why: "conflict", ...newer } });
    }
    this.setup.onConflict(judgment, newer, isSame);
  }

  private settle(stage: Stage): void {
    if (stage === "rest") {
      this.attempt = 0;
      this.update({ stage, nextTryAt: null, backlog: false });
      if (this.state.value.draft === "unsaved") this.drafts.flush();
      return;
    }
    this.update({ stage, nextTryAt: null, backlog: true });
    if (stage === "signed_out") this.setup.onSignedOut();
    else this.scheduleRetry();
  }

  private scheduleRetry(): void {
    this.attempt += 1;
    const delay = backoffMs(this.attempt, Math.random());
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.retry(), delay);
    this.update({ nextTryAt: Date.now() + delay });
  }

  private retry(): void {
    this.update({ nextTryAt: null });
    this.drafts.flush();
    if (this.unsent) void this.pump();
    this.setup.onRetry();
  }

  /** Answers to one item follow each other: the next, or its draft, is based on the revision the last one made. */
  private async rebase(item: string, revision: number): Promise<void> {
    const follower = this.state.value.judgments.find((judgment) => judgment.item === item);
    if (follower) await this.replace({ ...follower, base_revision: revision });
    else this.drafts.rebase(item, revision);
  }

  private find(key: string): UnsentJudgment | undefined {
    return this.state.value.judgments.find((judgment) => judgment.key === key);
  }

  private async replace(judgment: UnsentJudgment): Promise<void> {
    if (!this.find(judgment.key)) return; // removed while it was being sent: it does not come back
    const judgments = this.state.value.judgments.map((other) => (other.key === judgment.key ? judgment : other));
    this.update({ judgments });
    await this.store(judgment);
  }

  private async drop(judgment: UnsentJudgment): Promise<void> {
    this.update({ judgments: this.state.value.judgments.filter((other) => other.key !== judgment.key) });
    await this.setup.storage.remove(judgment.key).catch((error) => this.storeFailed(error));
  }

  private async store(judgment: UnsentJudgment): Promise<void> {
    await this.setup.storage.put(judgment).catch((error) => this.storeFailed(error));
  }

  private storeFailed(error: unknown): void {
    this.update({ lasting: false, isFull: error instanceof DOMException && error.name === "QuotaExceededError" });
  }

  private update(part: Partial<SaveState>): void {
    this.state.value = { ...this.state.value, ...part };
  }
}
