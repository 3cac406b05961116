/* What this device stores so that judging works without a network: for each account and campaign a cache with the
   judging page, its files and the texts fetched last. Answers are stored elsewhere (workbench/storage.ts). */

const FORMAT = "assay-1:"; // a new format gets a new number: caches of other formats are deleted

/** The header by which the server lets a page be stored: "ACCOUNT:CAMPAIGN" and until when, in seconds since 1970. */
const PERMIT = "Assay-Keep";

export interface Permit {
  readonly key: string;
  readonly account: string;
  readonly until: number;
}

export function permitOf(page: Response): Permit | null {
  const [key = "", until = ""] = (page.headers.get(PERMIT) ?? "").split(" ");
  const [account] = key.split(":");
  return page.ok && account ? { key, account, until: Number(until) * 1000 } : null;
}

export function cacheName(key: string): string {
  return FORMAT + key;
}

/** The address under which the texts of a judging page are stored. */
export function textsAddress(page: string): string {
  return `${page}texts`;
}

export interface StoredPage {
  readonly name: string;
  readonly page: Response;
}

/** An expired page is deleted and not returned. */
export async function storedPage(address: string): Promise<StoredPage | null> {
  for (const name of await ours()) {
    const page = await (await caches.open(name)).match(address, { ignoreVary: true });
    if (page && (permitOf(page)?.until ?? 0) > Date.now()) return { name, page };
    if (page) await caches.delete(name);
  }
  return null;
}

/** The address of a page that is stored here, of those that `isWanted`; null if there is none. */
export async function anyStoredPage(isWanted: (path: string) => boolean): Promise<string | null> {
  for (const name of await ours())
    for (const { url } of await (await caches.open(name)).keys())
      if (isWanted(new URL(url).pathname) && (await storedPage(url))) return url;
  return null;
}

export async function forgetExpired(): Promise<void> {
  for (const name of await ours()) {
    const cache = await caches.open(name);
    const pages = await Promise.all((await cache.keys()).map((request) => cache.match(request, { ignoreVary: true })));
    const isCurrent = pages.some((page) => page !== undefined && (permitOf(page)?.until ?? 0) > Date.now());
    if (!isCurrent) await caches.delete(name);
  }
}

/** At sign-out. */
export async function forgetAccount(account: string): Promise<void> {
  await forget((name) => name.startsWith(cacheName(`${account}:`)));
}

/** When somebody else, or a newer format, uses this device. */
export async function forgetOthers(account: string): Promise<void> {
  await forget((name) => !name.startsWith(cacheName(`${account}:`)));
}

async function forget(isGone: (name: string) => boolean): Promise<void> {
  for (const name of (await ours()).filter(isGone)) await caches.delete(name);
}

/** body[data-account]: on every page that knows who is signed in, stored pages of other accounts are deleted; all of
    them where nobody is signed in (""). Pages of errors and of links to results do not know. */
export async function forgetStoredPages({ dataset: { account } }: HTMLElement): Promise<void> {
  if (account === undefined) return;
  await forgetOthers(account);
  await forgetExpired();
}

async function ours(): Promise<string[]> {
  if (!("caches" in globalThis)) return []; // without HTTPS
  return (await caches.keys()).filter((name) => name.startsWith("assay-"));
}
