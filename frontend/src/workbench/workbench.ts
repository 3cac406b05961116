/* The annotator's page without its rendering: the state, the actions on it, and their effects elsewhere. */

import { signal } from "@preact/signals";

import type { Change, KeyHint, Protocol } from "../protocols/protocol";
import * as actions from "./actions";
import type { Answer, Api, Item, ItemsPage, Newer, Outcome, Receipt } from "./api";
import type { Command } from "./keys";
import { type StoredTexts, textsNow, withStoredTexts } from "./offline";
import type { PageData, WorkbenchSetup } from "./page";
import { giveFocus, ownKeys } from "./render/controls";
import { EndedAccess } from "./ended_access";
import { type ReportInWork, sendReport, UNWRITTEN_REPORT } from "./report";
import { Saver } from "./save";
import { type Dialog, headingOf, INITIAL, itemOf, neighbour, type State, textOf, wantedAfter, workOf } from "./state";
import { newJudgment, type Unsent, type UnsentJudgment } from "./storage";
import { t } from "./words";
import { pauseMs, WorkTimes } from "./work_times";

const TOAST_MS = 6000;

export class Workbench {
  readonly state = signal<State>(INITIAL);
  readonly page: PageData;
  readonly protocol: Protocol;
  readonly saver: Saver;
  readonly api: Api;
  /** The report of a problem being written; closing its dialog loses nothing. */
  readonly report = signal<ReportInWork>(UNWRITTEN_REPORT);
  readonly session: WorkbenchSetup["session"];
  readonly endedAccess: EndedAccess;
  readonly texts: StoredTexts | null;
  /** Goes to what is missing, set by what draws it: called when an attempt to go on is refused. */
  lead: (() => void) | null = null;
  /** Those of a script that was loaded later. */
  readonly moreKeys: KeyHint[] = [];
  readonly ownKeys = ownKeys;
  private readonly times: WorkTimes;
  private unsent: Unsent[] = [];
  private loading: Promise<void> | null = null;
  /** The texts shown were stored on this device; the server may have newer ones. */
  private isFromDevice = false;

  constructor(private readonly setup: WorkbenchSetup) {
    const { page, protocol, api, texts, onWithdrawn } = setup;
    const isHere = (assignment: string) => assignment === page.assignment;
    this.page = page;
    this.protocol = protocol;
    this.texts = texts;
    this.api = withStoredTexts(api, texts);
    this.state.value = { ...INITIAL, review: page.review };
    this.session = setup.session;
    this.times = new WorkTimes(page.assignment, () => this.idleMs);
    this.saver = new Saver({
      api,
      storage: setup.storage,
      onReceipt: (judgment, receipt) => this.received(judgment, receipt),
      onConflict: (judgment, newer, isSame) => this.collided(judgment, newer, isSame),
      onSignedOut: () => this.patch({ dialog: "signed_out" }),
      onRefused: ({ assignment, item }) => isHere(assignment) && this.set(actions.reopen(this.now, item)),
      onEnded: (assignment, message) => isHere(assignment) && void this.end(message),
      onWithdrawn: (assignment) => isHere(assignment) && onWithdrawn(),
      onRetry: () => this.catchUp(),
      nextAfter: (assignment) => (isHere(assignment) && !this.isPractice ? wantedAfter(this.now) : ""),
    });
    this.endedAccess = new EndedAccess(this.saver, texts, page.assignment);
  }

  private get now(): State {
    return this.state.value;
  }

  /** Items to practise on come before those that count. */
  get isPractice(): boolean {
    return this.page.assignment.startsWith("practice:");
  }

  private set(next: State): void {
    const before = this.now;
    this.state.value = next;
    if (before.current !== next.current) this.times.turn(before.current, next.current);
    const isNews = before.items !== next.items || before.works !== next.works || before.done !== next.done;
    if (isNews && next.items.length > 0) this.texts?.write(textsNow(next));
  }

  private patch(part: Partial<State>): void {
    this.set({ ...this.now, ...part });
  }

  /** Loads the first texts; answers of an earlier visit are added and sent. */
  async open(): Promise<void> {
    this.unsent = await this.saver.recover();
    await this.reload();
    if (this.saver.unsent || !this.isFromDevice) void this.saver.pump();
  }

  async reload(): Promise<void> {
    this.patch({ phase: "loading" });
    const outcome = await this.api.items(this.page.assignment, this.now.review ? { from: "start" } : "");
    if (outcome.kind !== "ok") return this.couldNotLoad(outcome);
    this.isFromDevice = outcome.isStored === true;
    if (outcome.body.is_withdrawn) return this.set(actions.withdraw(this.now));
    const mine = this.unsent.filter((entry) => entry.assignment === this.page.assignment);
    this.set(actions.begin(actions.load(this.now, outcome.body, mine)));
    this.unsent = [];
    const isDone = !this.isFromDevice || this.now.done >= this.now.total; // the device has only a few texts
    if (this.now.phase === "sending" && !this.saver.unsent) this.patch({ phase: isDone ? "done" : "stranded" });
    this.isFromDevice ? this.saver.failed(false) : this.prefetch();
  }

  /** The server may be back: requests what was not loaded, or was loaded from this device. */
  private catchUp(): void {
    if (this.isFromDevice) this.loading ??= this.refresh().then(() => this.loadedMore(!this.isFromDevice));
    else if (this.now.phase === "stranded") this.prefetch();
  }

  private async refresh(): Promise<void> {
    const outcome = await this.api.items(this.page.assignment, "");
    if (outcome.kind === "refused" || outcome.kind === "ended" || outcome.kind === "withdrawn")
      return this.couldNotLoad(outcome);
    if (outcome.kind !== "ok" || outcome.isStored) return this.saver.failed(outcome.kind === "signed_out");
    this.isFromDevice = false;
    if (outcome.body.is_withdrawn) return this.set(actions.withdraw(this.now));
    const loaded = { ...actions.load(this.now, outcome.body, this.saver.state.value.judgments), exhausted: false };
    this.set(loaded.phase === "judging" ? loaded : actions.begin(loaded));
    this.saver.reached();
    this.finishIfSent();
  }

  private couldNotLoad(outcome: Exclude<Outcome<ItemsPage>, { kind: "ok" }>): void {
    if (outcome.kind === "ended") return void this.end(outcome.message);
    if (outcome.kind === "withdrawn") return this.saver.dropAssignment(this.page.assignment);
    this.patch({ phase: outcome.kind === "refused" || outcome.kind === "conflict" ? "ended" : "broken" });
    if (outcome.kind === "signed_out") this.saver.failed(true);
  }

  /** Access has ended for good: nothing more is shown. */
  private async end(message: string): Promise<void> {
    this.patch({ phase: "ended", current: "", dialog: "" });
    await this.endedAccess.find(message);
  }

  /** The server sends no more until texts are finished. */
  private prefetch(): void {
    const after = wantedAfter(this.now);
    if (after) this.loading ??= this.loadMore(after).then((hasLoaded) => this.loadedMore(hasLoaded));
  }

  private loadedMore(hasLoaded: boolean): void {
    this.loading = null;
    if (hasLoaded) this.prefetch();
  }

  private async loadMore(after: string): Promise<boolean> {
    const outcome = await this.api.items(this.page.assignment, { after });
    if (outcome.kind === "ok" && outcome.body.is_withdrawn) {
      this.set(actions.withdraw(this.now));
    } else if (outcome.kind === "ok") {
      this.saver.reached();
      this.set(actions.extend(this.now, outcome.body, this.saver.state.value.judgments));
      this.finishIfSent();
    } else if (outcome.kind === "ended" || outcome.kind === "withdrawn") {
      this.couldNotLoad(outcome);
    } else if (outcome.kind === "signed_out" || this.now.phase === "stranded") {
      this.saver.failed(outcome.kind === "signed_out");
    }
    return this.now.items.at(-1)?.id !== after;
  }

  // --- what the annotator does ---------------------------------------------------------------------

  change = (change: Change): void => {
    this.edit(actions.change(this.now, change, Date.now()));
    if (change.focus) giveFocus(change.focus);
  };
  chooseReason = (reason: string): void => this.edit(actions.chooseReason(this.now, reason, Date.now()));
  dropReason = (): void => this.edit(actions.dropReason(this.now, Date.now()));
  comment = (text: string): void => this.edit(actions.comment(this.now, text, Date.now()));

  private edit(next: State): void {
    this.set(next);
    this.keepDraft();
  }

  submit = (): void => {
    const item = itemOf(this.now, this.now.current);
    if (!item) return;
    if (this.protocol.submitsTexts) return this.submitScreen();
    const { state, answer } = actions.submit(this.now, this.protocol);
    if (answer) this.saver.keep(this.judgmentOf(state, item, answer));
    this.goOn(state);
    if (state.complaint) this.lead?.();
  };

  /** The rows are sent together, but in practice, where each has its feedback. */
  private submitScreen(): void {
    const { state, rows } = actions.submitScreen(this.now, this.protocol);
    const screen = this.isPractice ? {} : { screen: this.setup.newId() };
    const judgments = rows.map(({ item, answer }) => ({ ...this.judgmentOf(state, item, answer), ...screen }));
    const [first, ...others] = judgments;
    const done = rows[0] && this.protocol.actionsOn?.(rows[0].item);
    if (first) this.saver.keep({ ...first, ...(!this.isPractice && done && { actions: done }) }, ...others);
    this.goOn(state);
  }

  private judgmentOf(state: State, item: Item, answer: Answer): UnsentJudgment {
    const { revision } = workOf(state, item.id);
    const place = { assignment: this.page.assignment, item: item.id, title: headingOf(item) };
    return newJudgment(this.setup.newId(), place, answer, { base_revision: revision, ...this.times.take(item.id) });
  }

  /** The receipt of what is being sent brings the next texts: before it the server has none. */
  private goOn(state: State): void {
    this.set(state);
    if (this.isPractice || !this.saver.unsent) this.prefetch();
    this.finishIfSent();
  }

  show = (id: string): void => this.set(actions.enter(this.now, id));
  unfold = (): void => this.patch({ unfolded: !this.now.unfolded });

  notify(toast: string): void {
    this.patch({ toast });
    setTimeout(() => this.now.toast === toast && this.patch({ toast: "" }), TOAST_MS);
  }

  sendReport = (): Promise<void> => sendReport(this);

  openDialog = (dialog: Dialog): void => {
    if (dialog === "report" && this.isPractice) return; // practice has no organiser to report to
    const isAboutItem = dialog === "report" || dialog === "reason" || dialog === "comment";
    if (this.now.phase === "judging" || !isAboutItem) this.patch({ dialog: dialog });
  };

  closeDialog = (): void => {
    this.set(actions.closeDialog(this.now));
    this.showConflict();
    this.finishIfSent();
  };

  /** Returns to a practice item after its feedback. */
  practiseAgain = (): void => {
    const shown = this.now.feedback;
    if (shown) this.set(actions.enter({ ...this.now, dialog: "", nextFeedback: [], phase: "judging" }, shown.item));
  };

  perform(command: Command): void {
    switch (command) {
      case "submit":
        return this.submit();
      case "undo":
      case "redo":
        return this.travelBy(command);
      case "back":
      case "up":
        return this.step(-1);
      case "down":
        return this.step(1);
      case "report":
      case "guidelines":
      case "keys":
        return this.openDialog(command);
    }
  }

  travelBy = (way: "undo" | "redo"): void => {
    const before = this.now;
    this.set(actions[way](before));
    const [was, is] = [before, this.now].map((state) => workOf(state, this.now.current).entered);
    if (was === is) return;
    this.keepDraft();
    this.protocol.travelled?.(was!, is!, way);
  };

  private step(by: 1 | -1): void {
    const other = neighbour(this.now, by);
    if (other) this.show(other.id);
    else if (by === -1 && !this.now.fromStart) void this.goBackFurther();
  }

  /** Answers of an earlier visit are loaded on request. */
  private async goBackFurther(): Promise<void> {
    const { items, current } = this.now;
    const first = items[0];
    if (!first || first.id !== current) return;
    const outcome = await this.api.items(this.page.assignment, { before: first.id });
    if (outcome.kind !== "ok") return this.notify(t("Earlier segments cannot be reached right now."));
    this.set(actions.loadEarlier(this.now, outcome.body, this.saver.state.value.judgments));
    if (this.now.current === current) this.step(-1);
  }

  private keepDraft(): void {
    const { current } = this.now;
    if (!current) return;
    const { entered, revision } = workOf(this.now, current);
    this.saver.drafts.change(this.page.assignment, current, entered, revision);
  }

  // --- what the server says ------------------------------------------------------------------------

  private received(judgment: UnsentJudgment, receipt: Receipt): void {
    if (judgment.assignment !== this.page.assignment) return;
    this.set(actions.settle(this.now, judgment.item, receipt));
    if (receipt.feedback) return this.set(actions.learn(this.now, judgment.item, receipt.feedback));
    if (receipt.is_withdrawn) return this.set(actions.withdraw(this.now));
    // A new visit: the items that follow are others now, and the page says why.
    if (receipt.must_redo) return void setTimeout(() => location.assign(location.pathname));
    this.patch({ isPaused: receipt.is_paused ?? false });
    if (receipt.next) this.set(actions.extend(this.now, receipt.next, this.saver.state.value.judgments));
    else this.prefetch();
    this.finishIfSent();
  }

  private collided(judgment: UnsentJudgment, newer: Newer, isSame: boolean): void {
    if (judgment.assignment !== this.page.assignment) return;
    if (isSame) this.set(actions.takeTheirs(this.now, judgment, newer));
    else this.showConflict();
    this.finishIfSent();
  }

  private showConflict(): void {
    if (this.saver.conflict && this.now.dialog === "") this.patch({ dialog: "conflict" });
  }

  async decide(keep: "mine" | "theirs"): Promise<void> {
    const judgment = this.saver.conflict?.judgment;
    if (judgment?.hold?.why !== "conflict") return;
    if (keep === "theirs") this.set(actions.takeTheirs(this.now, judgment, judgment.hold));
    this.patch({ dialog: "" });
    await (keep === "mine" ? this.saver.sendAgain(judgment.key) : this.saver.keepTheirs(judgment.key));
    this.showConflict();
    this.finishIfSent();
  }

  /** Discards an answer that the server refuses; its item is asked again. */
  async giveUp(key: string): Promise<void> {
    const judgment = await this.saver.discard(key);
    if (judgment?.assignment === this.page.assignment) this.set(actions.reopen(this.now, judgment.item));
    this.finishIfSent();
  }

  /** All is answered: once the server has everything, the task is done, or it has items that this page does not. */
  private finishIfSent(): void {
    if (this.now.phase !== "sending" || this.saver.unsent || this.now.dialog === "feedback") return;
    if (this.now.done >= this.now.total) return this.patch({ phase: "done" });
    this.patch({ review: false });
    void this.reload();
  }

  tryAgain = (): void => {
    if (this.now.dialog === "signed_out") this.patch({ dialog: "" });
    this.saver.retryNow();
    if (this.isFromDevice) this.catchUp();
    else if (this.now.phase === "broken" || this.now.phase === "loading") void this.reload();
    else if (this.now.phase === "stranded" || !this.now.exhausted) this.prefetch();
  };

  // --- time and leaving ----------------------------------------------------------------------------

  /** A longer pause does not count as work. */
  get idleMs(): number {
    const items = textOf(this.now, this.now.current);
    const context = this.now.context.filter(({ document }) => document === items[0]?.document);
    return pauseMs({ items, context }, this.page.pauses);
  }

  touched(): void {
    if (!this.now.idle) this.times.touch(this.now.current);
  }

  resume = (): void => this.patch({ idle: "" });
  takeBreak = (): void => {
    this.stopClock();
    this.patch({ idle: "break" });
  };

  /** Until the next input. */
  stopClock = (since?: number): void => this.times.stop(this.now.current, since);

  activeMs = (): number => this.times.activeMs(this.now.current);

  fellIdle(): void {
    if (this.now.phase === "judging" && !this.now.idle) this.patch({ idle: "away" });
  }

  hidden(): void {
    this.saver.drafts.flush(true);
    this.times.hide(this.now.current);
    this.texts?.flush();
  }

  shown(): void {
    this.times.show(this.now.idle ? "" : this.now.current);
    if (this.saver.state.value.stage === "signed_out") this.tryAgain();
  }
}
