/* A small task for tests: two texts of three and two segments, and a server that stores them. */

import { vi } from "vitest";

import type {
  Answer,
  Api,
  Feedback,
  Item,
  LoggedAction,
  ItemsPage,
  Newer,
  Outcome,
  Place,
  Receipt,
  Report,
  ScreenReceipt,
  ScreenSubmission,
  Submission,
} from "../workbench/api";
import type { PageData } from "../workbench/page";
import { memoryStorage, type UnsentJudgment } from "../workbench/storage";
import type { WorkbenchSetup } from "../workbench/page";
import { Workbench } from "../workbench/workbench";
import { directAssessment } from "./sample_protocols";

export const scored = (score: number, comment = ""): Answer => ({
  slots: { A: { score } },
  comment,
  cannot_judge: null,
});

export function sampleItem(part: Partial<Item> = {}): Item {
  return {
    id: "a1",
    document: "a",
    title: "Ferries",
    level: "segment",
    position: 0,
    source: "One.",
    reference: null,
    slots: [{ slot: "A", text: "Eins." }],
    questions: [],
    suggested: [],
    draft: null,
    answer: null,
    revision: 0,
    ...part,
  };
}

export function sampleItems(): Item[] {
  return [
    sampleItem(),
    sampleItem({ id: "a2", position: 1 }),
    sampleItem({ id: "a3", position: 2 }),
    sampleItem({ id: "b1", document: "b", title: "Olives", position: 3 }),
    sampleItem({ id: "b2", document: "b", title: "Olives", position: 4 }),
  ];
}

export function samplePage(items: Item[] = sampleItems()): ItemsPage {
  return {
    items,
    context: [],
    done: items.filter((item) => item.answer).length,
    total: items.length,
    completion_code: null,
    is_withdrawn: false,
    has_more: false,
  };
}

export function samplePageData(part: Partial<PageData> = {}): PageData {
  return {
    assignment: "1",
    account: "7",
    campaign: {
      name: "News",
      planning: "static",
      slug: "news",
      protocol: "direct_assessment",
      title: "Direct assessment",
      options: {},
    },
    source: { language: "en", name: "English", direction: "ltr" },
    target: { language: "de", name: "German", direction: "ltr" },
    guidelines: "<p>Judge the meaning.</p>",
    review: false,
    single_keys: true,
    pauses: [60, Infinity],
    urls: {
      api: "/api/v1/",
      home: "/",
      sign_in: "/sign-in/",
      settings: "/settings/",
      guidelines: "/campaigns/harbour/guidelines/",
      done: "#done",
    },
    reasons: {
      cannot_judge: { source_unclear: "The source cannot be understood", other: "Another reason" },
      report: { display: "The text is shown wrongly" },
    },
    catalogue: {},
    ...part,
  };
}

/** What the page hands to the control of a protocol, whatever the item. */
export const DOCK = { page: samplePageData(), activeMs: () => 0, travel: () => undefined };

type Trouble = "" | "unreachable" | "failed" | "signed_out" | "refused" | "ended" | "withdrawn";

/** A server with the annotator's API, whose failures can be chosen. */
export class SampleServer implements Api {
  trouble: Trouble = "";
  readonly judgments: (Submission & { item: string })[] = [];
  readonly drafts = new Map<string, Answer>();
  readonly reports: Report[] = [];
  readonly requests: string[] = [];
  textsAPage = 3;
  isWithdrawn = false;
  isPaused = false;
  feedback: Feedback | null = null;

  constructor(readonly allItems: Item[] = sampleItems()) {}

  async items(_assignment: string, place: Place): Promise<Outcome<ItemsPage>> {
    this.requests.push(`items ${place && Object.values(place).join()}`);
    const trouble = this.failure();
    if (trouble) return trouble;
    const documents = [...new Set(this.allItems.map((item) => item.document))];
    const [begin, end] = this.placeOf(place, documents);
    const third = documents.filter((name) =>
      this.allItems.some((item) => item.document === name && item.revision === 0),
    )[2];
    const served = third === undefined ? documents.length : documents.indexOf(third) + 1;
    const shown = this.isWithdrawn && !place ? [] : documents.slice(begin, Math.min(end, served));
    const items = this.allItems.filter((item) => shown.includes(item.document));
    return {
      kind: "ok",
      status: 200,
      body: {
        items: items.map((item) => ({ ...item, draft: this.drafts.get(item.id) ?? null })),
        context: [],
        is_withdrawn: this.isWithdrawn,
        has_more: served < documents.length,
        ...this.counts(),
      },
    };
  }

  async saveDraft(_assignment: string, item: string, answer: Answer, baseRevision: number): Promise<Outcome<null>> {
    this.requests.push(`draft ${item}`);
    const trouble = this.failure();
    if (trouble) return trouble;
    const isOvertaken = baseRevision < (this.allItems.find(({ id }) => id === item)?.revision ?? 0);
    if (!isOvertaken) this.drafts.set(item, answer);
    return { kind: "ok", status: 204, body: null };
  }

  async submit(assignment: string, id: string, submission: Submission, nextAfter = ""): Promise<Outcome<Receipt>> {
    this.requests.push(`submit ${id}${nextAfter && ` next ${nextAfter}`}`);
    const trouble = this.failure();
    if (trouble) return trouble;
    const item = this.allItems.find((other) => other.id === id);
    if (!item) return { kind: "refused", status: 404, errors: { detail: ["There is no such item."] } };
    const repeated = this.judgments.find((judgment) => judgment.client_id === submission.client_id);
    if (!repeated) {
      if (submission.base_revision !== item.revision)
        return { kind: "conflict", newer: { revision: item.revision, answer: item.answer } };
      Object.assign(item, { revision: item.revision + 1, answer: submission.answer });
      this.judgments.push({ ...submission, item: id });
      this.drafts.delete(id);
    }
    return {
      kind: "ok",
      status: repeated ? 200 : 201,
      body: {
        revision: item.revision,
        ...this.counts(),
        ...(this.isWithdrawn && { is_withdrawn: true }),
        ...(this.isPaused && { is_paused: true }),
        ...(this.feedback && { feedback: this.feedback }),
        ...(await this.nextTexts(assignment, nextAfter)),
      },
    };
  }

  /** As the server has them when it has stored what was sent. */
  private async nextTexts(assignment: string, after: string): Promise<{ next?: ItemsPage }> {
    const outcome = after ? await this.items(assignment, { after }) : null;
    if (after) this.requests.pop(); // it is no request
    return outcome?.kind === "ok" ? { next: outcome.body } : {};
  }

  actions: LoggedAction[] = [];

  async submitScreen(
    assignment: string,
    rows: readonly ScreenSubmission[],
    actions: readonly LoggedAction[] = [],
    nextAfter = "",
  ): Promise<Outcome<ScreenReceipt>> {
    this.actions.push(...actions);
    this.requests.push(`screen ${rows.map(({ item }) => item).join()}`);
    const trouble = this.failure();
    if (trouble) return trouble;
    const of = (id: string) => this.allItems.find((other) => other.id === id)!;
    const isStored = ({ client_id }: Submission) => this.judgments.some((judgment) => judgment.client_id === client_id);
    const newer = rows.filter((row) => !isStored(row) && row.base_revision !== of(row.item).revision);
    if (newer.length > 0) {
      const byItem = newer.map(({ item }) => [item, { revision: of(item).revision, answer: of(item).answer }] as const);
      return { kind: "conflict", newer: { revision: 0, answer: null }, byItem: Object.fromEntries(byItem) };
    }
    for (const { item, ...submission } of rows) await this.submit(assignment, item, submission);
    const revisions = Object.fromEntries(rows.map(({ item }) => [item, of(item).revision]));
    const next = await this.nextTexts(assignment, nextAfter);
    return { kind: "ok", status: 201, body: { revisions, ...this.counts(), ...next } };
  }

  async report(_assignment: string, _item: string, report: Report): Promise<Outcome<unknown>> {
    const trouble = this.failure();
    if (trouble) return trouble;
    this.reports.push(report);
    return { kind: "ok", status: 201, body: {} };
  }

  /** Somebody judges in another tab. */
  judgeElsewhere(id: string, answer: Answer): Newer {
    const item = this.allItems.find((other) => other.id === id);
    if (!item) throw new Error(`There is no item ${id}.`);
    Object.assign(item, { revision: item.revision + 1, answer });
    return { revision: item.revision, answer };
  }

  private placeOf(place: Place, documents: string[]): [number, number] {
    if (place && "before" in place) {
      const end = documents.indexOf(this.allItems.find((item) => item.id === place.before)?.document ?? "");
      return [Math.max(0, end - this.textsAPage), end];
    }
    const isAfter = place && "after" in place;
    const from = isAfter
      ? this.allItems.findIndex((item) => item.id === place.after) + 1
      : place
        ? 0
        : this.allItems.findIndex((item) => !item.answer);
    const first = from < 0 ? undefined : this.allItems[from];
    const begin = first ? documents.indexOf(first.document) : documents.length;
    return [begin, begin + this.textsAPage];
  }

  private counts(): { done: number; total: number; completion_code: string | null } {
    const done = this.allItems.filter((item) => item.answer).length;
    return {
      done,
      total: this.allItems.length,
      completion_code: done === this.allItems.length ? "K7QM-42XR-9TDA" : null,
    };
  }

  private failure(): Exclude<Outcome<never>, { kind: "ok" | "conflict" }> | null {
    switch (this.trouble) {
      case "":
        return null;
      case "failed":
        return { kind: "failed", status: 500 };
      case "refused":
        return {
          kind: "refused",
          status: 422,
          errors: { "slots.A.score": ["A score is a whole number from 0 to 100."] },
        };
      case "ended":
        return { kind: "ended", message: "You were removed from this campaign." };
      default:
        return { kind: this.trouble };
    }
  }
}

let serial = 0;

/** By default Direct Assessment of the sample task, stored in memory. */
export function sampleWorkbench(part: Partial<WorkbenchSetup> & Pick<WorkbenchSetup, "api">): Workbench {
  vi.spyOn(Math, "random").mockReturnValue(0.5); // the next try comes neither earlier nor later
  return new Workbench({
    page: samplePageData(),
    protocol: directAssessment({}),
    storage: memoryStorage(),
    session: { isOtherAccount: false },
    texts: null,
    onWithdrawn: () => undefined,
    newId: () => `id-${(serial += 1)}`,
    ...part,
  });
}

export function judgment(item: string, answer: Answer, base_revision = 0): UnsentJudgment {
  serial += 1;
  return {
    kind: "judgment",
    key: `k${serial}`,
    order: serial,
    assignment: "1",
    item,
    title: "Ferries",
    answer,
    base_revision,
    started: "2030-01-01T00:00:00.000Z",
    elapsed_ms: 9000,
    active_ms: 8000,
    reading_ms: 0,
    hold: null,
  };
}
