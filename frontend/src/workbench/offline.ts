/* This page and its texts, stored on this device by its service worker, so that it opens without a network. */

import { signal } from "@preact/signals";

import type { StoreState, PageRequest } from "../offline/offline_pages";
import type { Api, ItemsPage, Outcome, Place } from "./api";
import type { PageData } from "./page";
import { type State, textOf, workOf } from "./state";

const PAUSE_MS = 1000;
const PATIENCE_MS = 4000; // after this, stored texts are shown instead

/** Without what binds it to a browser. */
export type StoredTexts = Pick<Offline, "keeping" | "read" | "write" | "flush" | "forget">;

/** Everything is done by the service worker: it has access to the storage, and outlives the page. */
export class Offline {
  /** `full`: there is no room for the texts on this device. */
  readonly keeping = signal<StoreState | "unknown">("unknown");
  private readonly page = location.origin + location.pathname;
  private waiting: ItemsPage | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  private storing: Promise<void> | null = null;

  constructor(private readonly script: string) {}

  storePage(): Promise<void> {
    return (this.storing = this.keepPage());
  }

  private async keepPage(): Promise<void> {
    try {
      await navigator.serviceWorker.register(this.script, { updateViaCache: "none" });
      this.keeping.value = (await this.ask("keep")) as StoreState;
    } catch {
      return; // a browser that allows no service workers: the page needs a network
    }
    this.flush();
  }

  /** The texts stored last; null where none are stored. */
  async read(): Promise<ItemsPage | null> {
    return navigator.serviceWorker.controller ? ((await this.ask("read")) as ItemsPage | null) : null;
  }

  write(texts: ItemsPage): void {
    this.waiting = texts;
    this.timer ??= setTimeout(() => this.flush(), PAUSE_MS);
  }

  /** Writes at once what waits to be written. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.waiting || this.keeping.value !== "kept") return;
    void this.ask("write", this.waiting).then((keeping) => (this.keeping.value = keeping as StoreState));
    this.waiting = null;
  }

  /** Nothing of this campaign's pages and texts stays on the device. */
  async forget(): Promise<void> {
    await this.storing; // else what is on its way to the device would stay there
    this.keeping.value = "unknown";
    await this.ask("forget");
  }

  private async ask(what: PageRequest["what"], texts?: ItemsPage): Promise<unknown> {
    const { active } = await navigator.serviceWorker.ready;
    const { port1, port2 } = new MessageChannel();
    return new Promise((resolve) => {
      port1.onmessage = ({ data }) => resolve(data);
      active?.postMessage({ what, page: this.page, texts } satisfies PageRequest, [port2]);
    });
  }
}

/** null where browsers have no service workers (without HTTPS), and for pages that may not be stored. */
export function offlineFor(page: PageData): Offline | null {
  return page.service_worker && "serviceWorker" in navigator ? new Offline(page.service_worker) : null;
}

/** The first texts from the server, or as they were stored here when it cannot be reached in time. */
export function withStoredTexts(api: Api, texts: StoredTexts | null): Api {
  if (!texts) return api;
  return Object.assign(Object.create(api) as Api, {
    async items(assignment: string, place: Place): Promise<Outcome<ItemsPage>> {
      const request = api.items(assignment, place);
      if (place) return request;
      const tooLate = new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE_MS));
      const outcome = await Promise.race([request, tooLate]);
      if (outcome && outcome.kind !== "unreachable" && outcome.kind !== "failed") return outcome;
      const stored = await texts.read();
      return stored ? { kind: "ok", status: 200, body: stored, isStored: true } : request;
    },
  });
}

/** As the server would answer now: from the first unfinished text, with what was entered since. */
export function textsNow(state: State): ItemsPage {
  const open = state.items.find((item) => workOf(state, item.id).revision === 0) ?? state.items.at(-1);
  const starts = [open?.id ?? "", state.current]
    .map((id) => textOf(state, id)[0])
    .map((item) => (item ? state.items.indexOf(item) : Infinity));
  const items = state.items.slice(Math.min(...starts, state.items.length)).map((item) => {
    const { entered, submitted, revision } = workOf(state, item.id);
    return { ...item, draft: entered === submitted ? null : entered, answer: submitted, revision };
  });
  const texts = new Set(items.map(({ document }) => document));
  const context = state.context.filter(({ document }) => texts.has(document));
  const { done, total, screens, completionCode, exhausted } = state;
  const completion_code = completionCode || null;
  const counts = { done, total, ...(screens && { screens_done: screens.done, screens_total: screens.total }) };
  return { items, context, ...counts, completion_code, is_withdrawn: false, has_more: !exhausted };
}
