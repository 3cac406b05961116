/* Invented sessions of which we know how long was worked: what the clock counts is within five percent.
   docs/decisions/0061-fair-time.md has the table. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { sampleItem, samplePageData, sampleWorkbench, SampleServer, scored } from "../testing/sample_task";
import { bindEvents } from "./events";
import type { Workbench } from "./workbench";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const ROWS = 5; // of a text, each of 20 words and as many of its translation: 200 words, whose limit is three minutes

/** Reaches the other tabs at once. */
class Channel {
  static readonly all = new Set<Channel>();
  onmessage: (() => void) | null = null;
  constructor() {
    Channel.all.add(this);
  }
  postMessage(): void {
    for (const other of Channel.all) if (other !== this) other.onmessage?.();
  }
  close(): void {
    Channel.all.delete(this);
  }
}

/** One tab, with a document of its own. */
class Tab {
  private readonly document = Object.assign(new EventTarget(), { hidden: false });
  private readonly window = Object.assign(new EventTarget(), { document: this.document });
  private readonly text = "word ".repeat(20);
  readonly server: SampleServer;
  readonly workbench: Workbench;
  private readonly unbind: () => void;

  constructor(assignment: string) {
    const slots = [{ slot: "A", text: this.text }];
    const items = Array.from({ length: 300 }, (_, position) =>
      sampleItem({
        id: `${assignment}-${position}`,
        document: `${Math.floor(position / ROWS)}`,
        position,
        source: this.text,
        slots,
      }),
    );
    this.server = new SampleServer(items);
    const page = samplePageData({ assignment, pauses: [60, 100] });
    this.workbench = sampleWorkbench({ api: this.server, page });
    this.unbind = bindEvents(this.workbench, this.window as unknown as Window);
  }

  async open(): Promise<void> {
    await this.workbench.open();
  }

  close(): void {
    this.unbind();
  }

  input(): void {
    this.document.dispatchEvent(new Event("pointermove"));
  }

  /** Answers the cover. */
  press(): void {
    this.document.dispatchEvent(new KeyboardEvent("keydown", { key: "Shift", cancelable: true }));
  }

  /** Input every few seconds, and after 40 seconds of it the next screen. */
  async work(minutes: number): Promise<void> {
    for (let passed = 0; passed < minutes * MINUTE; passed += 4 * SECOND) {
      await vi.advanceTimersByTimeAsync(4 * SECOND);
      this.input();
      if (passed % (40 * SECOND) === 36 * SECOND) this.next();
    }
  }

  next(): void {
    this.workbench.change({ answer: scored(50), merge: "", typed: null });
    this.workbench.submit();
  }

  async switchAway(ms: number): Promise<void> {
    this.turn(true);
    await vi.advanceTimersByTimeAsync(ms);
    this.turn(false);
  }

  turn(hidden: boolean): void {
    this.document.hidden = hidden;
    this.document.dispatchEvent(new Event("visibilitychange"));
  }

  get counted(): number {
    this.next();
    const { judgments } = this.workbench.saver.state.value;
    return [...this.server.judgments, ...judgments].reduce((sum, { active_ms }) => sum + (active_ms ?? 0), 0);
  }
}

let tabs: Tab[];
const pass = (minutes: number) => vi.advanceTimersByTimeAsync(minutes * MINUTE);

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  vi.stubGlobal("BroadcastChannel", Channel);
  sessionStorage.clear();
  tabs = [];
});
afterEach(() => {
  for (const tab of tabs) tab.close();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

async function opened(...assignments: string[]): Promise<Tab[]> {
  tabs = assignments.map((assignment) => new Tab(assignment));
  for (const tab of tabs) await tab.open();
  return tabs;
}

/** What happens, and the minutes that were worked. */
const SESSIONS: Record<string, (tab: Tab) => Promise<number>> = {
  "an hour without pauses": async (tab) => {
    await tab.work(60);
    return 60;
  },
  "reading for a minute and a half on every other screen": async (tab) => {
    for (let screen = 0; screen < 20; screen += 1) {
      await tab.work(2);
      await pass(1.5);
      tab.input();
    }
    return 70;
  },
  "reading half a minute beyond the limit, and the cover answered at once": async (tab) => {
    await tab.work(30);
    await pass(3.5);
    tab.press();
    await tab.work(30);
    return 63.5;
  },
  "a lunch of 45 minutes, and ten minutes on the phone, both unannounced": async (tab) => {
    await tab.work(60);
    await pass(45);
    tab.press();
    await tab.work(30);
    await pass(1 + 10); // read for a minute before
    tab.press();
    await tab.work(30);
    return 121;
  },
  "a break of half an hour, by its button": async (tab) => {
    await tab.work(30);
    tab.workbench.takeBreak();
    await pass(30);
    tab.press();
    await tab.work(30);
    return 60;
  },
  "other tabs in front thirty times, for two minutes each": async (tab) => {
    for (let turn = 0; turn < 30; turn += 1) {
      await tab.work(2);
      await tab.switchAway(2 * MINUTE);
    }
    return 60;
  },
  "a machine that sleeps twice, for an hour and for a night": async (tab) => {
    for (const hours of [1, 10]) {
      await tab.work(30);
      vi.setSystemTime(Date.now() + hours * 60 * MINUTE);
      await vi.advanceTimersByTimeAsync(5 * SECOND);
      tab.press();
    }
    await tab.work(30);
    return 90;
  },
  "six minutes without a network, five times in an hour": async (tab) => {
    for (let turn = 0; turn < 5; turn += 1) {
      await tab.work(6);
      tab.server.trouble = "unreachable";
      await tab.work(6);
      tab.server.trouble = "";
      tab.workbench.tryAgain();
    }
    return 60;
  },
};

test.each(Object.entries(SESSIONS))("%s", async (_name, session) => {
  const [tab] = await opened("1");
  const worked = await session(tab!);
  const share = tab!.counted / (worked * MINUTE);
  expect(Math.abs(share - 1)).toBeLessThan(0.05);
});

test("two tabs side by side, a minute in each in turn", async () => {
  const [left, right] = await opened("1", "2");
  for (let turn = 0; turn < 30; turn += 1) {
    await left!.work(1);
    await right!.work(1);
  }
  const share = (left!.counted + right!.counted) / (60 * MINUTE);
  expect(Math.abs(share - 1)).toBeLessThan(0.05);
});
