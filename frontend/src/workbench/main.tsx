/* The entry: the page's data, the storage of this account, the workbench, its rendering and its events. */

import { computed, effect } from "@preact/signals";
import { render } from "preact";

import type { ProtocolModule } from "../protocols/protocol";
import { type Api, createApi } from "./api";
import { bindEvents } from "./events";
import { offlineFor } from "./offline";
import { type PageData, readPageData } from "./page";
import { createPreview } from "./preview";
import { WorkbenchPage } from "./render/workbench_page";
import { Session, tokenIn } from "./session";
import { memoryStorage, openStorage } from "./storage";
import { speak } from "./words";
import { Workbench } from "./workbench";

/** Texts that come within this time are the first picture; else the page says that it loads. */
const PATIENCE_MS = 100;

/** Each protocol has a script of its own, which calls this: a page loads no other. */
export function openWorkbench(protocol: ProtocolModule): void {
  const root = document.getElementById("workbench");
  if (root) void open(root, protocol);
}

async function open(root: HTMLElement, protocol: ProtocolModule): Promise<void> {
  const page = readPageData(document);
  const session = new Session({ account: page.account, token: tokenIn(document), page: page.urls.settings });
  speak(page.catalogue, document.documentElement.lang);
  const offline = offlineFor(page);
  const api = page.preview ? createPreview(page.preview) : begun(createApi({ base: page.urls.api, session }), page);
  const workbench = new Workbench({
    page,
    protocol: protocol(page.campaign.options as never),
    api,
    storage: page.preview ? { ...memoryStorage(), lasting: true } : await openStorage(page.account),
    newId: newUuid,
    session,
    texts: offline,
    onWithdrawn: () => location.replace(page.urls.guidelines),
  });
  Object.assign(workbench.ownKeys, page.desk_settings?.keys);
  const opened = workbench.open();
  await Promise.race([opened, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
  render(<WorkbenchPage workbench={workbench} />, root);
  bindEvents(workbench, window);
  dispatchEvent(new CustomEvent("workbench", { detail: workbench })); // for the script of media, where there is one
  if (page.desk) loadLater(page.desk, "openDesk", workbench);
  // What only some texts need: an instruction above them, terms and codes in them.
  const stop = effect(() => {
    if (!page.beside || !workbench.state.value.items.some((item) => item.instruction || item.beside)) return;
    queueMicrotask(() => stop());
    loadLater(page.beside, "openBeside", workbench);
  });
  await opened;
  // When the session has ended, only unsent answers stay here; after signing in again the page is stored again.
  const isSignedOut = computed(() => workbench.saver.state.value.stage === "signed_out");
  if (offline) effect(() => void (isSignedOut.value ? offline.forget() : offline.storePage()));
}

/** Asks for the texts while the storage opens: neither waits for the other. */
function begun(api: Api, { assignment, review }: PageData): Api {
  const { items } = api;
  const first = review ? null : items(assignment, "");
  api.items = (...place) => {
    api.items = items;
    return first ?? items(...place);
  };
  return api;
}

/** A script with its style, which the page can do without at first, and the function by which it begins. */
function loadLater([script, style]: readonly [string, string], begin: string, workbench: Workbench): void {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: style });
  const loaded = Object.assign(document.createElement("script"), {
    src: script,
    onload: () => (globalThis as unknown as Record<string, (workbench: Workbench) => void>)[begin]?.(workbench),
  });
  document.head.append(link, loaded);
}

/** `randomUUID` exists only in secure contexts; a server without HTTPS on a local network is not one. */
function newUuid(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
