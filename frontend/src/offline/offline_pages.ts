/* What the service worker answers: the judging page and its files from the network, or from this device when the
   network is out of reach. Only what the server permits by a header is stored; nothing else is answered here. */

import { anyStoredPage, cacheName, forgetOthers, storedPage, permitOf, textsAddress } from "./stored_pages";

const PATIENCE_MS = 4000; // after this, a stored page is shown instead
const JUDGING_PAGE = /^\/assignments\/\d+\/$/;
const APP_START = "/assignments/"; // where the installed app begins
const FILES = "/static/";
const FILE_IN_PAGE = /"(\/static\/[^"]+)"/g; // also of scripts that the page loads later
const WHO_ASKS = "Assay-Account"; // of a refusal: whose session it is, or was
const UNCHANGING = /\.[0-9a-f]{12}\.\w+$/; // named for its content

/** A page requests that it, or its texts, are stored, read, or deleted with everything stored of its campaign. */
export interface PageRequest {
  readonly what: "keep" | "write" | "read" | "forget";
  readonly page: string;
  readonly texts?: unknown;
}

/** `full`: this device has no room for it. `refused`: the server does not let it be stored, or did not answer. */
export type StoreState = "kept" | "full" | "refused";

export class OfflinePages {
  /** By address: the result of storing the page that was fetched last. */
  private readonly fetched = new Map<string, Promise<StoreState>>();
  /** What changes the storage waits for what changed it before: texts that were being written came back otherwise. */
  private changed: Promise<unknown> = Promise.resolve();

  /** null: not ours; the browser goes to the network itself. */
  answer(request: Request): Promise<Response> | null {
    const { origin, pathname, search, href } = new URL(request.url);
    if (request.method !== "GET" || origin !== location.origin) return null;
    if (request.mode === "navigate" && pathname === APP_START) return this.start(request);
    if (request.mode === "navigate") return JUDGING_PAGE.test(pathname) && !search ? this.page(request, href) : null;
    return pathname.startsWith(FILES) ? this.file(request, href) : null;
  }

  handle({ what, page, texts }: PageRequest): Promise<unknown> {
    switch (what) {
      case "keep":
        return this.storePage(page);
      case "write":
        return this.inTurn(() => this.writeTexts(page, texts));
      case "read":
        return this.readTexts(page);
      case "forget":
        return this.inTurn(() => this.forget(page));
    }
  }

  /** The server leads on from here; without a network a task that is stored here. */
  private async start(request: Request): Promise<Response> {
    try {
      return await fetch(request);
    } catch (error) {
      const page = await anyStoredPage((path) => JUDGING_PAGE.test(path));
      if (page) return Response.redirect(page);
      throw error;
    }
  }

  private inTurn<T>(change: () => Promise<T>): Promise<T> {
    const done = this.changed.then(change);
    this.changed = done.catch(() => undefined);
    return done;
  }

  /** A page that was fetched a moment ago is not fetched again. */
  private async storePage(address: string): Promise<StoreState> {
    const fetched = this.fetched.get(address);
    this.fetched.delete(address);
    if (fetched) return fetched;
    try {
      const page = await fetch(address);
      return await this.inTurn(() => this.keep(address, page));
    } catch {
      return (await storedPage(address)) ? "kept" : "refused";
    }
  }

  private async writeTexts(address: string, texts: unknown): Promise<StoreState> {
    const stored = await storedPage(address);
    if (!stored) return "refused"; // signed out in another tab: return nothing
    try {
      await (await caches.open(stored.name)).put(textsAddress(address), Response.json(texts));
      return "kept";
    } catch {
      return "full";
    }
  }

  private async readTexts(address: string): Promise<unknown> {
    const stored = await storedPage(address);
    const texts = stored && (await (await caches.open(stored.name)).match(textsAddress(address)));
    return texts ? texts.json() : null;
  }

  private async forget(address: string): Promise<void> {
    const stored = await storedPage(address);
    if (stored) await caches.delete(stored.name);
  }

  private async page(request: Request, address: string): Promise<Response> {
    const fresh = this.freshPage(request, address);
    return (await storedPage(address)) ? Promise.race([fresh, this.storedPageLater(address, fresh)]) : fresh;
  }

  /** Looked up at the last moment: somebody else may have signed in in another tab. */
  private async storedPageLater(address: string, fresh: Promise<Response>): Promise<Response> {
    await later();
    return (await storedPage(address))?.page ?? fresh;
  }

  private async freshPage(request: Request, address: string): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(request);
    } catch (error) {
      const stored = await storedPage(address);
      if (stored) return stored.page;
      throw error;
    }
    if (permitOf(response)) {
      const page = response.clone();
      this.fetched.set(
        address,
        this.inTurn(() => this.keep(address, page)),
      );
      return response;
    }
    const stored = await storedPage(address);
    if (!stored) return response;
    if (response.status >= 500 || (await this.hasEndedFor(address, permitOf(stored.page)?.account))) return stored.page;
    await caches.delete(stored.name);
    return response;
  }

  /** Somebody who lost access still gets their own page: it may contain answers that were never sent. */
  private async hasEndedFor(address: string, account: string | undefined): Promise<boolean> {
    try {
      const items = `/api/v1${new URL(address).pathname}items`;
      const response = await fetch(items, { headers: { Accept: "application/json" } });
      if (response.headers.get(WHO_ASKS) !== account) return false; // somebody else's access
      return response.status === 403 && ((await response.json()) as { code?: string }).code === "access_ended";
    } catch {
      return false;
    }
  }

  private async keep(address: string, page: Response): Promise<StoreState> {
    const permit = permitOf(page);
    if (!permit) return "refused";
    await forgetOthers(permit.account);
    try {
      const cache = await caches.open(cacheName(permit.key));
      const files = await this.storeFiles(cache, await page.clone().text());
      await cache.put(address, page);
      const current = new Set([address, textsAddress(address), ...files]);
      for (const { url } of await cache.keys()) if (!current.has(url)) await cache.delete(url);
      return "kept";
    } catch {
      await caches.delete(cacheName(permit.key)); // half a page is no use
      return "full";
    }
  }

  private async storeFiles(cache: Cache, page: string): Promise<string[]> {
    const files = [...page.matchAll(FILE_IN_PAGE)].map(([, path = ""]) => new URL(path, location.origin).href);
    for (const file of files) {
      if (UNCHANGING.test(file) && (await cache.match(file, { ignoreVary: true }))) continue;
      const response = await fetch(file);
      if (response.ok) await cache.put(file, response);
    }
    return files;
  }

  private async file(request: Request, address: string): Promise<Response> {
    const stored = await caches.match(address, { ignoreVary: true });
    if (!stored) return fetch(request);
    if (UNCHANGING.test(address)) return stored;
    const spare = stored.clone();
    return Promise.race([fetch(request).catch(() => spare), later().then(() => stored)]);
  }
}

function later(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
}
