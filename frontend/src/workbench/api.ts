/* The annotator's API: its types, and requests whose failures are values, not exceptions. */

import type { components } from "../generated/api";
import type { Session } from "./session";

type Schemas = components["schemas"];

/** An answer with all its parts; those missing in a response are filled in. */
export type Answer = Required<Schemas["Answer"]>;
export type Item = Omit<Schemas["Item"], "draft" | "answer"> & { draft: Answer | null; answer: Answer | null };
export type Medium = NonNullable<Item["media"]>[number];
/** A segment shown so that the text stays whole; its translation is judged elsewhere. */
export type ContextSegment = Schemas["Context"];
export type ItemsPage = Omit<Schemas["ItemsPage"], "items"> & { items: Item[] };
export type Submission = Omit<Required<Schemas["Submission"]>, "answer"> & { answer: Answer };
export type Receipt = Schemas["Receipt"] & { feedback?: Schemas["Feedback"] };
/** Milliseconds since 1970, a name, the row, the label of its slot, and what was chosen, as far as it has them. */
export type LoggedAction = readonly [number, string, ...(number | string)[]];
export type ScreenSubmission = Submission & { item: string };
/** One for all the rows of a screen; the revisions are by item. */
export type ScreenReceipt = Omit<Schemas["Receipt"], "revision"> & { revisions: Record<string, number> };
/** Feedback on an answer to a practice item. */
export type Feedback = Schemas["Feedback"];
export type Newer = Omit<Schemas["Newer"], "answer"> & { answer: Answer | null };
/** Its reason is one of those of the page. */
export type Report = Omit<Schemas["Report"], "reason"> & { reason: string };
export type FieldErrors = Record<string, string[]>;

/** What became of a request. `unreachable`: no answer at all; `failed`: trying again may help; `refused`: it will not;
    `ended`: this account has no access any more; `withdrawn`: its consent to the campaign, of which nothing is taken
    any more, and nothing stays on the device. `byItem`: of a screen, which rows. What `isStored` does not come from the
    server, but from this device. */
export type Outcome<T> =
  | { kind: "ok"; status: number; body: T; isStored?: boolean }
  | { kind: "unreachable" }
  | { kind: "failed"; status: number }
  | { kind: "signed_out" }
  | { kind: "ended"; message: string }
  | { kind: "withdrawn" }
  | { kind: "conflict"; newer: Newer; byItem?: Readonly<Record<string, Newer>> }
  | { kind: "refused"; status: number; errors: FieldErrors; byItem?: Readonly<Record<string, FieldErrors>> };

/** Where in the assignment: after an item, before its text, from the start; "" from the first unanswered. */
export type Place = "" | { readonly after: string } | { readonly before: string } | { readonly from: "start" };

export interface Api {
  items(assignment: string, place: Place): Promise<Outcome<ItemsPage>>;
  saveDraft(assignment: string, item: string, answer: Answer, baseRevision: number): Promise<Outcome<null>>;
  /** With `nextAfter`, the receipt brings the texts after this item. */
  submit(assignment: string, item: string, submission: Submission, nextAfter?: string): Promise<Outcome<Receipt>>;
  /** All rows or none. */
  submitScreen(
    assignment: string,
    rows: readonly ScreenSubmission[],
    actions?: readonly LoggedAction[],
    nextAfter?: string,
  ): Promise<Outcome<ScreenReceipt>>;
  report(assignment: string, item: string, report: Report): Promise<Outcome<unknown>>;
}

interface ApiSetup {
  base: string;
  session: Pick<Session, "token" | "holder" | "ended">;
}

const REQUEST_TIMEOUT_MS = 20_000;
const KEEPALIVE_BYTES = 60_000; // browsers refuse more than 64 KiB of them under way at once
const DOUBTFUL = new Set([403, 404]); // also the response to another account
const WORTH_ANOTHER_TRY = new Set([408, 425, 429]);

export function createApi({ base, session }: ApiSetup): Api {
  let keepaliveBytes = 0;

  async function send<T>(method: string, path: string, payload?: unknown): Promise<Outcome<T>> {
    const outcome = await attempt<T>(method, path, payload);
    if (outcome.kind === "signed_out") session.ended();
    const isEnd = outcome.kind === "ended" || outcome.kind === "withdrawn";
    if (!isEnd && (outcome.kind !== "refused" || !DOUBTFUL.has(outcome.status))) return outcome;
    switch (await session.holder()) {
      case "mine":
        return outcome.kind === "refused" && outcome.status === 403 && method !== "GET"
          ? attempt(method, path, payload)
          : outcome;
      case "unknown":
        return { kind: "unreachable" };
      case "nobody":
        return isEnd ? outcome : { kind: "signed_out" }; // a closed account counts as signed out
      default:
        return { kind: "signed_out" };
    }
  }

  async function attempt<T>(method: string, path: string, payload?: unknown): Promise<Outcome<T>> {
    const body = payload === undefined ? undefined : JSON.stringify(payload);
    const headers: Record<string, string> = { Accept: "application/json" };
    if (method !== "GET") headers["X-CSRFToken"] = session.token;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const bytes = new TextEncoder().encode(body).length;
    const keepalive = body !== undefined && keepaliveBytes + bytes < KEEPALIVE_BYTES;
    if (keepalive) keepaliveBytes += bytes;
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    try {
      const init: RequestInit = { method, headers, keepalive, signal };
      return await judge<T>(await fetch(base + path, body === undefined ? init : { ...init, body }));
    } catch {
      return { kind: "unreachable" };
    } finally {
      if (keepalive) keepaliveBytes -= bytes;
    }
  }

  const at = (assignment: string, item: string, what: string) =>
    `${itemsOf(assignment)}/${encodeURIComponent(item)}/${what}`;
  const nextOf = (item?: string) => (item ? `?next_after=${encodeURIComponent(item)}` : "");

  return {
    async items(assignment, place) {
      const query = place ? `?${new URLSearchParams({ ...place }).toString()}` : "";
      const outcome = await send<Schemas["ItemsPage"]>("GET", itemsOf(assignment) + query);
      return outcome.kind === "ok" ? { ...outcome, body: readItems(outcome.body) } : outcome;
    },
    saveDraft: (assignment, item, answer, base_revision) =>
      send("PUT", at(assignment, item, "draft"), { answer, base_revision }),
    submit: (assignment, item, submission, nextAfter) =>
      send("POST", at(assignment, item, "judgments") + nextOf(nextAfter), submission),
    submitScreen: (assignment, judgments, actions, nextAfter) =>
      send("POST", `assignments/${encodeURIComponent(assignment)}/screens${nextOf(nextAfter)}`, { judgments, actions }),
    report: (assignment, item, report) => send("POST", at(assignment, item, "reports"), report),
  };
}

/** Practice is addressed by its campaign, everything else by its number. */
function itemsOf(assignment: string): string {
  const [kind, slug] = assignment.split(":");
  if (slug !== undefined && kind === "practice") return `campaigns/${encodeURIComponent(slug)}/practice/items`;
  return `assignments/${encodeURIComponent(assignment)}/items`;
}

/** What a response says that is not a success. */
interface Problem {
  readonly code?: string;
  readonly detail?: string;
  readonly errors?: FieldErrors | Record<string, FieldErrors>;
  readonly newer?: Record<string, Schemas["Newer"]>;
}

async function judge<T>(response: Response): Promise<Outcome<T>> {
  const { status } = response;
  if (status === 204) return { kind: "ok", status, body: null as T };
  if (response.redirected && !isJson(response)) return { kind: "signed_out" };
  if (response.ok) return { kind: "ok", status, body: (await response.json()) as T };
  if (status === 401) return { kind: "signed_out" };
  if (status === 410) return { kind: "withdrawn" };
  if (status >= 500 || WORTH_ANOTHER_TRY.has(status)) return { kind: "failed", status };
  const body = ((isJson(response) && (await response.json())) || {}) as Problem & Schemas["Newer"];
  const { errors, byItem } = errorsIn(body);
  if (status === 403 && body.code === "access_ended")
    return { kind: "ended", message: Object.values(errors).flat().join(" ") };
  if (status === 409) return conflictIn(body);
  return { kind: "refused", status, errors, ...(byItem && { byItem }) };
}

/** Of a screen they are by item. */
function errorsIn({ errors = {}, detail }: Problem): { errors: FieldErrors; byItem?: Record<string, FieldErrors> } {
  if (detail && Object.keys(errors).length === 0) return { errors: { detail: [detail] } };
  if (Object.values(errors).every((messages) => Array.isArray(messages))) return { errors: errors as FieldErrors };
  const byItem = errors as Record<string, FieldErrors>;
  return { errors: Object.assign({}, ...Object.values(byItem)) as FieldErrors, byItem };
}

function conflictIn(body: Problem & Schemas["Newer"]): Outcome<never> {
  const newerIn = ({ revision, answer }: Schemas["Newer"]): Newer => ({ revision, answer: whole(answer) });
  if (!body.newer) return { kind: "conflict", newer: newerIn(body) };
  const byItem = Object.fromEntries(Object.entries(body.newer).map(([item, newer]) => [item, newerIn(newer)]));
  return { kind: "conflict", newer: { revision: 0, answer: null }, byItem };
}

function isJson(response: Response): boolean {
  return response.headers.get("Content-Type")?.includes("json") ?? false;
}

export function readItems(page: Schemas["ItemsPage"]): ItemsPage {
  return {
    ...page,
    items: page.items.map((item) => ({ ...item, draft: whole(item.draft), answer: whole(item.answer) })),
  };
}

/** Drafts are stored as they were sent, perhaps by a program that left parts out. */
function whole(answer: Schemas["Answer"] | null): Answer | null {
  return (
    answer && { slots: answer.slots ?? {}, comment: answer.comment ?? "", cannot_judge: answer.cannot_judge ?? null }
  );
}

// --- answers as values: made and compared ---------------------------------------------------------

export const EMPTY_ANSWER: Answer = Object.freeze({ slots: {}, comment: "", cannot_judge: null });

export function withSlot(answer: Answer, slot: string, values: Record<string, unknown>): Answer {
  return { ...answer, cannot_judge: null, slots: { ...answer.slots, [slot]: values } };
}

export function sameAnswer(one: Answer | null, other: Answer | null): boolean {
  return one === other || canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
