/* Where answers are stored until the server has them: IndexedDB by account, or memory where there is none. */

import type { Answer, FieldErrors, LoggedAction, ScreenSubmission, Submission } from "./api";

interface Stored {
  key: string;
  order: number;
  assignment: string;
  item: string;
  answer: Answer;
  base_revision: number;
}

/** Its key is the `client_id` it is sent with. */
export interface UnsentJudgment extends Stored, Omit<Submission, "client_id"> {
  kind: "judgment";
  title: string;
  /** The rows of a screen have this in common: they are sent together. */
  screen?: string;
  /** What was done on the screen, with its first row. */
  actions?: readonly LoggedAction[];
  /** What prevents sending it: nothing, a newer answer to the same item, or the server's refusal. */
  hold: null | { why: "conflict"; revision: number; answer: Answer | null } | { why: "refused"; errors: FieldErrors };
}

/** Its key is draft:ASSIGNMENT:ITEM. */
export interface UnsentDraft extends Stored {
  kind: "draft";
}

/** To be sent as soon as possible. */
export function newJudgment(
  key: string,
  place: Pick<UnsentJudgment, "assignment" | "item" | "title">,
  answer: Answer,
  rest: Omit<Submission, "client_id" | "answer">,
): UnsentJudgment {
  return { kind: "judgment", key, order: Date.now(), ...place, answer, ...rest, hold: null };
}

export function submissionOf(judgment: UnsentJudgment): Submission {
  const { key, base_revision, answer, started, elapsed_ms, active_ms, reading_ms } = judgment;
  return { client_id: key, base_revision, answer, started, elapsed_ms, active_ms, reading_ms };
}

/** Of one row of a screen. */
export function rowOf(judgment: UnsentJudgment): ScreenSubmission {
  return { item: judgment.item, ...submissionOf(judgment) };
}

export type Unsent = UnsentJudgment | UnsentDraft;

export interface Storage {
  /** Whether entries outlive the page. */
  readonly lasting: boolean;
  /** In the order of answering. */
  all(): Promise<Unsent[]>;
  put(unsent: Unsent): Promise<void>;
  remove(key: string): Promise<void>;
}

const STORE = "kept";
const OPENING_MS = 3000; // some browsers never answer where storage is not allowed

export function memoryStorage(): Storage {
  const unsent = new Map<string, Unsent>();
  return {
    lasting: false,
    all: async () => inOrder([...unsent.values()]),
    put: async (entry) => void unsent.set(entry.key, entry),
    remove: async (key) => void unsent.delete(key),
  };
}

export async function openStorage(account: string): Promise<Storage> {
  try {
    const tooLate = new Promise<never>((_, reject) => setTimeout(reject, OPENING_MS));
    const storage = indexedStorage(await Promise.race([openDatabase(`assay:${account}`), tooLate]));
    await Promise.race([storage.all(), tooLate]);
    return storage;
  } catch {
    return memoryStorage();
  }
}

function indexedStorage(database: IDBDatabase): Storage {
  const run = <T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode, { durability: "strict" });
      const request = act(transaction.objectStore(STORE));
      transaction.commit(); // at once, not after one more turn of the event loop: the page may be closed by then
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => reject(transaction.error ?? new Error("The transaction failed."));
      transaction.onabort = transaction.onerror;
    });
  return {
    lasting: true,
    all: async () => inOrder(await run<Unsent[]>("readonly", (store) => store.getAll() as IDBRequest<Unsent[]>)),
    put: async (unsent) => void (await run("readwrite", (store) => store.put(unsent))),
    remove: async (key) => void (await run("readwrite", (store) => store.delete(key))),
  };
}

function inOrder(unsent: Unsent[]): Unsent[] {
  return unsent.sort((a, b) => a.order - b.order);
}

function openDatabase(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "key" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("The database could not be opened."));
    request.onblocked = () => reject(new Error("Another version of the page has locked the database."));
  });
}

/** The storage of a tab, or of all of them. A browser may forbid it by throwing. */
export function browserStorage(name: "sessionStorage" | "localStorage"): globalThis.Storage | null {
  try {
    return globalThis[name];
  } catch {
    return null;
  }
}

/** Values by name, as this tab stored them; none where it may store nothing. */
export function storedInTab<T>(key: string): Map<string, T> {
  try {
    const stored = browserStorage("sessionStorage")?.getItem(key) ?? "{}";
    return new Map(Object.entries(JSON.parse(stored) as Record<string, T>));
  } catch {
    return new Map();
  }
}

export function storeInTab(key: string, values: ReadonlyMap<string, unknown>): void {
  try {
    if (values.size > 0) browserStorage("sessionStorage")?.setItem(key, JSON.stringify(Object.fromEntries(values)));
    else browserStorage("sessionStorage")?.removeItem(key);
  } catch {
    return; // a tab that may store nothing: the values live as long as the page
  }
}
