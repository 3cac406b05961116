/* The annotator's API: its types, and requests whose failures are values, not exceptions. */

export interface Answer {
  slots: Record<string, Record<string, unknown>>;
  comment: string;
  cannot_judge: string | null;
}

export interface Slot {
  slot: string;
  text: string | null;
}

export interface Item {
  id: string;
  document: string;
  title: string;
  level: "segment" | "document";
  position: number | null;
  source: string | null;
  reference: string | null;
  slots: Slot[];
  draft: Answer | null;
  answer: Answer | null;
  revision: number;
}

/** A segment shown so that the text stays whole; its translation is judged elsewhere. */
export interface ContextSegment {
  document: string;
  position: number | null;
  source: string | null;
  reference: string | null;
  text: string | null;
}

export interface ItemsPage {
  items: Item[];
  context?: ContextSegment[];
  done: number;
  total: number;
  completion_code: string | null;
}

export interface Submission {
  client_id: string;
  base_revision: number;
  answer: Answer;
  started: string;
  elapsed_ms: number;
  active_ms: number;
}

export interface Receipt {
  revision: number;
  done: number;
  total: number;
  completion_code: string | null;
}

export interface Newer {
  revision: number;
  answer: Answer | null;
}

export interface Report {
  reason: string;
  note: string;
}

export type FieldErrors = Record<string, string[]>;

/** What became of a request. `unreachable`: no answer at all; `failed`: trying again may help; `refused`: it will not. */
export type Outcome<T> =
  | { kind: "ok"; status: number; body: T }
  | { kind: "unreachable" }
  | { kind: "failed"; status: number }
  | { kind: "signed_out" }
  | { kind: "conflict"; newer: Newer }
  | { kind: "refused"; status: number; errors: FieldErrors };

export interface Api {
  items(assignment: string, after: string): Promise<Outcome<ItemsPage>>;
  saveDraft(assignment: string, item: string, answer: Answer, baseRevision: number): Promise<Outcome<null>>;
  submit(assignment: string, item: string, submission: Submission): Promise<Outcome<Receipt>>;
  report(assignment: string, item: string, report: Report): Promise<Outcome<unknown>>;
  takeNext(campaign: string): Promise<Outcome<{ id: string | number } | null>>;
}

export interface ApiSetup {
  base: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  csrfToken: () => string;
}

const REQUEST_TIMEOUT_MS = 20_000;
const KEEPALIVE_LIMIT = 60_000; // browsers refuse keepalive bodies over 64 KiB
const WORTH_ANOTHER_TRY = new Set([408, 425, 429]);

export function createApi({ base, fetch, csrfToken }: ApiSetup): Api {
  async function send<T>(method: string, path: string, payload?: unknown): Promise<Outcome<T>> {
    const body = payload === undefined ? undefined : JSON.stringify(payload);
    const headers: Record<string, string> = { Accept: "application/json" };
    if (method !== "GET") headers["X-CSRFToken"] = csrfToken();
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const keepalive = body !== undefined && body.length < KEEPALIVE_LIMIT;
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    try {
      const init: RequestInit = { method, headers, credentials: "same-origin", keepalive, signal };
      return await judge<T>(await fetch(base + path, body === undefined ? init : { ...init, body }));
    } catch {
      return { kind: "unreachable" };
    }
  }

  const at = (assignment: string, item: string, what: string) =>
    `assignments/${encodeURIComponent(assignment)}/items/${encodeURIComponent(item)}/${what}`;

  return {
    async items(assignment, after) {
      const query = after ? `?after=${encodeURIComponent(after)}` : "";
      const outcome = await send<ItemsPage>("GET", `assignments/${encodeURIComponent(assignment)}/items${query}`);
      return outcome.kind === "ok" ? { ...outcome, body: withTextIds(outcome.body) } : outcome;
    },
    saveDraft: (assignment, item, answer, base_revision) =>
      send("PUT", at(assignment, item, "draft"), { answer, base_revision }),
    submit: (assignment, item, submission) => send("POST", at(assignment, item, "judgments"), submission),
    report: (assignment, item, report) => send("POST", at(assignment, item, "reports"), report),
    takeNext: (campaign) => send("POST", `campaigns/${encodeURIComponent(campaign)}/assignments`, {}),
  };
}

async function judge<T>(response: Response): Promise<Outcome<T>> {
  const { status } = response;
  if (status === 204) return { kind: "ok", status, body: null as T };
  if (response.redirected && !isJson(response)) return { kind: "signed_out" };
  if (response.ok) return { kind: "ok", status, body: (await response.json()) as T };
  if (status === 401 || status === 403) return { kind: "signed_out" };
  if (status >= 500 || WORTH_ANOTHER_TRY.has(status)) return { kind: "failed", status };
  const body = isJson(response) ? ((await response.json()) as unknown) : {};
  if (status === 409) return { kind: "conflict", newer: body as Newer };
  return { kind: "refused", status, errors: errorsOf(body) };
}

function isJson(response: Response): boolean {
  return response.headers.get("Content-Type")?.includes("json") ?? false;
}

function errorsOf(body: unknown): FieldErrors {
  if (typeof body !== "object" || body === null) return {};
  const { errors, detail } = body as { errors?: FieldErrors; detail?: string };
  if (errors) return errors;
  return detail ? { detail: [detail] } : {};
}

/** Ids are compared as text here, whatever the server numbers them by. */
function withTextIds(page: ItemsPage): ItemsPage {
  return {
    ...page,
    items: page.items.map((item) => ({ ...item, id: String(item.id), document: String(item.document) })),
    context: (page.context ?? []).map((segment) => ({ ...segment, document: String(segment.document) })),
  };
}
