/* What the service worker answers: the judging page and its files from the network, and where that is out of reach as
   they were kept. Nothing is kept but what the server permits by a header, and nothing else is answered here. */

import { cacheName, forgetOthers, type KeptPage, keptPage, permitOf, textsAddress } from "./kept_pages";

const PATIENCE_MS = 4000; // a network that takes longer counts as none where something is kept
const JUDGING_PAGE = /^\/assignments\/\d+\/$/;
const FILES = "/static/";
const FILE_IN_PAGE = /(?:href|src)="(\/static\/[^"]+)"/g;
const WHO_ASKS = "Assay-Account"; // of a refusal: whose session it is, or was
const UNCHANGING = /\.[0-9a-f]{12}\.\w+$/; // named for its content

/** What a page asks for: that it, or its texts, be kept, read, or forgotten with all that is kept of its campaign. */
export interface Wish {
  readonly what: "keep" | "write" | "read" | "forget";
  readonly page: string;
  readonly texts?: unknown;
}

/** `full`: this device has no room for it. `refused`: the server does not let it be kept, or could not be asked. */
export type Keeping = "kept" | "full" | "refused";

export interface Surroundings {
  readonly caches: CacheStorage;
  readonly origin: string;
  readonly fetch: (request: Request | string, init?: RequestInit) => Promise<Response>;
}

export class Keeper {
  /** By address: what became of the page that was fetched last. */
  private readonly fetched = new Map<string, Promise<Keeping>>();

  constructor(private readonly around: Surroundings) {}

  /** null: not ours, the browser asks the network itself. */
  answer(request: Request): Promise<Response> | null {
    const { origin, pathname, search, href } = new URL(request.url);
    if (request.method !== "GET" || origin !== this.around.origin) return null;
    if (request.mode === "navigate") return JUDGING_PAGE.test(pathname) && !search ? this.page(request, href) : null;
    return pathname.startsWith(FILES) ? this.file(request, href) : null;
  }

  grant({ what, page, texts }: Wish): Promise<unknown> {
    switch (what) {
      case "keep":
        return this.keepPage(page);
      case "write":
        return this.writeTexts(page, texts);
      case "read":
        return this.readTexts(page);
      case "forget":
        return this.forget(page);
    }
  }

  /** When it came through here just now it need not be fetched again. */
  private async keepPage(address: string): Promise<Keeping> {
    const fetched = this.fetched.get(address);
    this.fetched.delete(address);
    if (fetched) return fetched;
    try {
      return await this.keep(address, await this.around.fetch(address, { credentials: "same-origin" }));
    } catch {
      return (await this.kept(address)) ? "kept" : "refused";
    }
  }

  private async writeTexts(address: string, texts: unknown): Promise<Keeping> {
    const kept = await this.kept(address);
    if (!kept) return "refused"; // signed out in another tab: nothing may come back
    try {
      await (await this.around.caches.open(kept.name)).put(textsAddress(address), Response.json(texts));
      return "kept";
    } catch {
      return "full";
    }
  }

  private async readTexts(address: string): Promise<unknown> {
    const kept = await this.kept(address);
    const texts = kept && (await (await this.around.caches.open(kept.name)).match(textsAddress(address)));
    return texts ? texts.json() : null;
  }

  private async forget(address: string): Promise<void> {
    const kept = await this.kept(address);
    if (kept) await this.around.caches.delete(kept.name);
  }

  private kept(address: string): Promise<KeptPage | null> {
    return keptPage(this.around.caches, address, Date.now());
  }

  private async page(request: Request, address: string): Promise<Response> {
    const fresh = this.freshPage(request, address);
    return (await this.kept(address)) ? Promise.race([fresh, this.keptPageLater(address, fresh)]) : fresh;
  }

  /** Looked up when it is handed out: somebody else may have signed in, in another tab. */
  private async keptPageLater(address: string, fresh: Promise<Response>): Promise<Response> {
    await later();
    return (await this.kept(address))?.page ?? fresh;
  }

  private async freshPage(request: Request, address: string): Promise<Response> {
    let response: Response;
    try {
      response = await this.around.fetch(request);
    } catch (error) {
      const kept = await this.kept(address);
      if (kept) return kept.page;
      throw error;
    }
    if (permitOf(response)) {
      this.fetched.set(address, this.keep(address, response.clone()));
      return response;
    }
    const kept = await this.kept(address);
    if (!kept) return response;
    if (response.status >= 500 || (await this.hasEndedFor(address, permitOf(kept.page)?.account))) return kept.page;
    await this.around.caches.delete(kept.name);
    return response;
  }

  /** Whoever has no access any more is told by their own page, which may hold answers that were never sent. */
  private async hasEndedFor(address: string, account: string | undefined): Promise<boolean> {
    try {
      const items = `/api/v1${new URL(address).pathname}items`;
      const response = await this.around.fetch(items, {
        credentials: "same-origin",
        headers: { Accept: "application/json" },
      });
      if (response.headers.get(WHO_ASKS) !== account) return false; // somebody else's access
      return response.status === 403 && ((await response.json()) as { code?: string }).code === "access_ended";
    } catch {
      return false;
    }
  }

  private async keep(address: string, page: Response): Promise<Keeping> {
    const permit = permitOf(page);
    if (!permit) return "refused";
    const { caches } = this.around;
    await forgetOthers(caches, permit.account);
    try {
      const cache = await caches.open(cacheName(permit.key));
      const files = await this.keepFiles(cache, await page.clone().text());
      await cache.put(address, page);
      const current = new Set([address, textsAddress(address), ...files]);
      for (const { url } of await cache.keys()) if (!current.has(url)) await cache.delete(url);
      return "kept";
    } catch {
      await caches.delete(cacheName(permit.key)); // half a page is none
      return "full";
    }
  }

  private async keepFiles(cache: Cache, page: string): Promise<string[]> {
    const files = [...page.matchAll(FILE_IN_PAGE)].map(([, path = ""]) => new URL(path, this.around.origin).href);
    for (const file of files) {
      if (UNCHANGING.test(file) && (await cache.match(file, { ignoreVary: true }))) continue;
      const response = await this.around.fetch(file);
      if (response.ok) await cache.put(file, response);
    }
    return files;
  }

  private async file(request: Request, address: string): Promise<Response> {
    const kept = await this.around.caches.match(address, { ignoreVary: true });
    if (!kept) return this.around.fetch(request);
    if (UNCHANGING.test(address)) return kept;
    const spare = kept.clone();
    return Promise.race([this.around.fetch(request).catch(() => spare), later().then(() => kept)]);
  }
}

function later(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
}
