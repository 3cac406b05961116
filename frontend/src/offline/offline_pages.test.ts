import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { forgetAccount, forgetStoredPages, forgetOthers } from "./stored_pages";
import { OfflinePages } from "./offline_pages";

const SITE = "https://assay.example";
const PAGE = `${SITE}/assignments/5/`;
const ITEMS = "/api/v1/assignments/5/items";

/** As browsers have them, in memory; a clone is stored, so that what is read once can be read again. */
class MemoryCaches {
  readonly stores = new Map<string, Map<string, Response>>();
  isFull = false;
  async keys() {
    return [...this.stores.keys()];
  }
  async delete(name: string) {
    return this.stores.delete(name);
  }
  async match(url: string) {
    for (const name of this.stores.keys()) {
      const response = await (await this.open(name)).match(url);
      if (response) return response;
    }
    return undefined;
  }
  async open(name: string) {
    const entries = this.stores.get(name) ?? new Map<string, Response>();
    this.stores.set(name, entries);
    return {
      match: async (key: string | Request) => entries.get(typeof key === "string" ? key : key.url)?.clone(),
      put: async (url: string, response: Response) => {
        if (this.isFull) throw new DOMException("", "QuotaExceededError");
        entries.set(url, response);
      },
      keys: async () => [...entries.keys()].map((url) => ({ url })),
      delete: async (url: string) => entries.delete(url),
    };
  }
}

let caches: MemoryCaches;
let network: Record<string, () => Response | Promise<Response>>;
let requests: string[];
let pages: OfflinePages;

const soon = 2_000_000_000;
const judgingPage = (account = 7, until = soon, script = "workbench.0123456789ab.js") =>
  new Response(`<link href="/static/assay.css"><script src="/static/build/${script}"></script>`, {
    headers: { "Assay-Keep": `${account}:3 ${until}` },
  });

beforeEach(() => {
  caches = new MemoryCaches();
  requests = [];
  network = {
    [PAGE]: () => judgingPage(),
    [`${SITE}/static/assay.css`]: () => new Response("css"),
    [`${SITE}/static/build/workbench.0123456789ab.js`]: () => new Response("script"),
  };
  vi.stubGlobal("caches", caches);
  vi.stubGlobal("location", { origin: SITE });
  vi.stubGlobal("fetch", async (request: Request | string) => {
    const url = typeof request === "string" ? request : request.url;
    requests.push(url);
    const answer = network[url];
    if (!answer) throw new TypeError("Failed to fetch");
    return answer();
  });
  pages = new OfflinePages();
});
afterEach(() => vi.unstubAllGlobals());

const accessEnded = (account: number) =>
  Response.json({ detail: "Gone.", code: "access_ended" }, { status: 403, headers: { "Assay-Account": `${account}` } });
const visit = (url = PAGE, mode = "navigate") => pages.answer({ url, mode, method: "GET" } as Request);
const keep = () => pages.handle({ what: "keep", page: PAGE });
const opened = async (url = PAGE) => (await visit(url))!.text();
const storedUrls = () =>
  Object.fromEntries(
    [...caches.stores].map(([name, entries]) => [name, [...entries.keys()].map((url) => url.replace(SITE, ""))]),
  );

test("the page is stored with its files, by account and campaign, and opens without a network", async () => {
  expect(await keep()).toBe("kept");
  expect(storedUrls()).toEqual({
    "assay-1:7:3": ["/static/assay.css", "/static/build/workbench.0123456789ab.js", "/assignments/5/"],
  });
  network = {};
  expect(await opened()).toContain("workbench.0123456789ab.js");
  expect(await (await visit(`${SITE}/static/assay.css`, "no-cors"))!.text()).toBe("css");
});

test("only requests for judging pages and files are answered", async () => {
  await keep();
  for (const url of ["/", "/campaigns/news/results/", "/assignments/5/done/", "/assignments/5/?review", "/sign-in/"])
    expect(visit(SITE + url)).toBeNull();
  for (const url of [`${SITE}${ITEMS}`, "https://elsewhere.example/static/a.js"]) expect(visit(url, "cors")).toBeNull();
  expect(pages.answer({ url: `${SITE}/static/assay.css`, mode: "cors", method: "POST" } as Request)).toBeNull();
});

test("the installed app begins where the server leads, without a network with a task stored here", async () => {
  network[`${SITE}/assignments/`] = () => new Response("My tasks");
  expect(await opened(`${SITE}/assignments/`)).toBe("My tasks");
  await keep();
  network = {};
  expect((await visit(`${SITE}/assignments/`))!.headers.get("Location")).toBe(PAGE);
  await pages.handle({ what: "forget", page: PAGE });
  await expect(visit(`${SITE}/assignments/`)).rejects.toThrow("Failed to fetch");
});

test("a page that the server does not let be stored is never stored", async () => {
  network[PAGE] = () => new Response("results");
  expect(await keep()).toBe("refused");
  expect(await opened()).toBe("results");
  expect(storedUrls()).toEqual({});
});

test("a new version is shown at once, and the files of the old one go", async () => {
  await keep();
  network[PAGE] = () => judgingPage(7, soon, "workbench.ba9876543210.js");
  network[`${SITE}/static/build/workbench.ba9876543210.js`] = () => new Response("new");
  expect(await opened()).toContain("ba9876543210");
  await keep();
  expect(storedUrls()["assay-1:7:3"]).toEqual([
    "/static/assay.css",
    "/assignments/5/",
    "/static/build/workbench.ba9876543210.js",
  ]);
});

test("a page fetched a moment ago is not fetched again to be stored", async () => {
  await visit();
  requests = [];
  expect(await keep()).toBe("kept");
  expect(requests.filter((url) => url === PAGE)).toEqual([]);
});

test("a slow network and a server that is down count as no network", async () => {
  await keep();
  network[PAGE] = () => new Response("down", { status: 503 });
  expect(await opened()).toContain("workbench");
  vi.useFakeTimers();
  network[PAGE] = () => new Promise(() => {});
  const waiting = opened();
  await vi.advanceTimersByTimeAsync(4000);
  expect(await waiting).toContain("workbench");
  vi.useRealTimers();
});

test("an ended session leaves nothing; a page whose account lost access still opens", async () => {
  await keep();
  network[PAGE] = () => new Response("not found", { status: 404 });
  network[ITEMS] = () => accessEnded(7);
  expect(await opened()).toContain("workbench");
  network[ITEMS] = () => Response.json({ detail: "Sign in.", code: "signed_out" }, { status: 401 });
  expect(await opened()).toBe("not found");
  expect(storedUrls()).toEqual({});
});

test("an account without access does not get the page stored for another account", async () => {
  await keep();
  network[PAGE] = () => new Response("not found", { status: 404 });
  network[ITEMS] = () => accessEnded(8);
  expect(await opened()).toBe("not found");
  expect(storedUrls()).toEqual({});
});

test("a page deleted while the server is slow is not shown", async () => {
  await keep();
  let answer = (_page: Response) => {};
  network[PAGE] = () => new Promise((resolve) => (answer = resolve));
  vi.useFakeTimers();
  const waiting = opened();
  await vi.advanceTimersByTimeAsync(1000);
  await forgetOthers("8");
  await vi.advanceTimersByTimeAsync(4000);
  answer(new Response("sign in"));
  expect(await waiting).toBe("sign in");
  vi.useRealTimers();
});

test("a page that knows who is signed in deletes the pages of others, and all when nobody is", async () => {
  const opens = (account?: string) => {
    const page = document.createElement("body");
    if (account !== undefined) page.dataset.account = account;
    return forgetStoredPages(page);
  };
  await keep();
  await opens(); // an error page does not know who is signed in
  await opens("7");
  expect(Object.keys(storedUrls())).toEqual(["assay-1:7:3"]);
  await opens("8");
  expect(storedUrls()).toEqual({});
  await keep();
  await opens("");
  expect(storedUrls()).toEqual({});
});

test("another account's page deletes what the one before stored, and signing out deletes everything", async () => {
  await keep();
  network[PAGE] = () => judgingPage(8);
  await keep();
  expect(Object.keys(storedUrls())).toEqual(["assay-1:8:3"]);
  await forgetAccount("8");
  expect(storedUrls()).toEqual({});
});

test("an expired page is deleted", async () => {
  network[PAGE] = () => judgingPage(7, Date.now() / 1000 - 1);
  await keep();
  network = {};
  await expect(visit()).rejects.toThrow("Failed to fetch");
  expect(storedUrls()).toEqual({});
});

test("a full device stores nothing by halves and reports it", async () => {
  caches.isFull = true;
  expect(await keep()).toBe("full");
  expect(storedUrls()).toEqual({});
});

test("texts are stored with the page, replaced, and returned only while the page is stored", async () => {
  const write = (texts: unknown) => pages.handle({ what: "write", page: PAGE, texts });
  const read = () => pages.handle({ what: "read", page: PAGE });
  expect([await write({ items: [1] }), await read()]).toEqual(["refused", null]);
  await keep();
  await write({ items: [1] });
  expect([await write({ items: [2] }), await read()]).toEqual(["kept", { items: [2] }]);
  await keep();
  expect(await read()).toEqual({ items: [2] });
  await pages.handle({ what: "forget", page: PAGE });
  expect([await read(), storedUrls()]).toEqual([null, {}]);
});

test("what was being written when the page was forgotten does not come back", async () => {
  await keep();
  const open = caches.open.bind(caches);
  let isFirst = true; // the one that looks for the page; the next one writes
  vi.spyOn(caches, "open").mockImplementation(async (name) => {
    if (!isFirst) await new Promise((resolve) => setTimeout(resolve, 5));
    isFirst = false;
    return open(name);
  });
  const writing = pages.handle({ what: "write", page: PAGE, texts: { items: [] } });
  await Promise.all([writing, pages.handle({ what: "forget", page: PAGE })]);
  expect(storedUrls()).toEqual({});
});
