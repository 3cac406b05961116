import { afterEach, expect, test, vi } from "vitest";

import { type Answer, createApi } from "./api";
import { sampleItem, samplePage, scored } from "../testing/sample_task";
import type { Holder } from "./session";

function sessionOf(holder: Holder) {
  return {
    token: "token",
    ended: () => undefined,
    async holder() {
      Object.assign(this, { token: "new token" });
      return holder;
    },
  };
}

function serverSays(status: number, body: unknown = {}, type = "application/json", holder: Holder = "mine") {
  const text = status === 204 ? null : JSON.stringify(body);
  const fetch = vi.fn(
    async (_url: string, _init: RequestInit) => new Response(text, { status, headers: { "Content-Type": type } }),
  );
  vi.stubGlobal("fetch", fetch);
  return { fetch, api: createApi({ base: "/api/v1/", session: sessionOf(holder) }) };
}

afterEach(() => vi.unstubAllGlobals());

const SUBMISSION = {
  client_id: "id",
  base_revision: 0,
  answer: scored(73),
  started: "2030-01-01T00:00:00Z",
  elapsed_ms: 2,
  active_ms: 1,
  reading_ms: 0,
};

test("a judgment goes to its address, with the token, and outlives the page", async () => {
  const { api, fetch } = serverSays(201, { revision: 1, done: 1, total: 5, completion_code: null });
  expect(await api.submit("5", "it/1", SUBMISSION)).toMatchObject({ kind: "ok", status: 201, body: { revision: 1 } });
  const [url, init] = fetch.mock.calls[0]!;
  expect(url).toBe("/api/v1/assignments/5/items/it%2F1/judgments");
  expect(init).toMatchObject({ method: "POST", keepalive: true, headers: { "X-CSRFToken": "token" } });
  expect(JSON.parse(init.body as string)).toEqual(SUBMISSION);
});

test("items are requested after an item, and missing parts of a draft are filled in", async () => {
  const page = samplePage([sampleItem({ draft: { slots: { A: { score: 5 } } } as unknown as Answer })]);
  const { api, fetch } = serverSays(200, page);
  const outcome = await api.items("5", { after: "6" });
  expect(fetch.mock.calls[0]![0]).toBe("/api/v1/assignments/5/items?after=6");
  expect(outcome.kind === "ok" && outcome.body.items[0]?.draft).toEqual(scored(5));
});

test.each([
  [401, { kind: "signed_out" }],
  [403, { kind: "refused", status: 403, errors: { detail: ["Not found."] } }],
  [500, { kind: "failed", status: 500 }],
  [503, { kind: "failed", status: 503 }],
  [429, { kind: "failed", status: 429 }],
  [404, { kind: "refused", status: 404, errors: { detail: ["Not found."] } }],
])("status %i is %o", async (status, outcome) => {
  expect(await serverSays(status, { detail: "Not found." }).api.submit("5", "1", SUBMISSION)).toEqual(outcome);
});

test("a conflict returns the newer answer, a refusal the problems", async () => {
  const newer = { revision: 2, answer: scored(70) };
  expect(await serverSays(409, newer).api.submit("5", "1", SUBMISSION)).toEqual({ kind: "conflict", newer });
  const errors = { "slots.A.score": ["A score is a whole number from 0 to 100."] };
  expect(await serverSays(422, { errors }).api.submit("5", "1", SUBMISSION)).toEqual({
    kind: "refused",
    status: 422,
    errors,
  });
});

test("a refusal without JSON is still a refusal", async () => {
  expect(await serverSays(413, "", "text/html").api.submit("5", "1", SUBMISSION)).toEqual({
    kind: "refused",
    status: 413,
    errors: {},
  });
});

test("a missing response is not an exception", async () => {
  const { api, fetch } = serverSays(201);
  fetch.mockRejectedValue(new TypeError("Failed to fetch"));
  expect(await api.saveDraft("5", "1", scored(1), 0)).toEqual({ kind: "unreachable" });
});

test("an expired token is renewed, and its request sent once more", async () => {
  const { api, fetch } = serverSays(403);
  fetch.mockResolvedValueOnce(new Response("{}", { status: 403 }));
  fetch.mockResolvedValueOnce(
    new Response(JSON.stringify({ revision: 1 }), { status: 201, headers: { "Content-Type": "application/json" } }),
  );
  expect(await api.submit("5", "1", SUBMISSION)).toMatchObject({ kind: "ok", status: 201 });
  expect(fetch.mock.calls.map(([, init]) => (init.headers as Record<string, string>)["X-CSRFToken"])).toEqual([
    "token",
    "new token",
  ]);
});

test.each([403, 404])(
  "a response to another account (%i) is not a refusal, and nothing is sent again",
  async (status) => {
    const { api, fetch } = serverSays(status, {}, "application/json", "another");
    expect(await api.submit("5", "1", SUBMISSION)).toEqual({ kind: "signed_out" });
    expect(fetch).toHaveBeenCalledOnce();
  },
);

test.each([
  ["mine", { kind: "ended", message: "You were removed." }],
  ["nobody", { kind: "ended", message: "You were removed." }],
  ["another", { kind: "signed_out" }],
  ["unknown", { kind: "unreachable" }],
] as const)("ended access is distinguished from another session: %s", async (holder, outcome) => {
  const body = { detail: "You were removed.", code: "access_ended" };
  const { api, fetch } = serverSays(403, body, "application/json", holder);
  expect(await api.submit("5", "1", SUBMISSION)).toEqual(outcome);
  expect(fetch).toHaveBeenCalledOnce();
});

test.each([
  ["mine", "withdrawn"],
  ["nobody", "withdrawn"],
  ["another", "signed_out"],
  ["unknown", "unreachable"],
] as const)("withdrawn consent is distinguished from another account's: %s", async (holder, kind) => {
  const { api } = serverSays(
    410,
    { detail: "Consent was withdrawn.", code: "consent_withdrawn" },
    "application/json",
    holder,
  );
  expect(await api.submit("5", "1", SUBMISSION)).toEqual({ kind });
});

test("a refusal that may be another account's is tried again later", async () => {
  expect(await serverSays(404, {}, "application/json", "unknown").api.submit("5", "1", SUBMISSION)).toEqual({
    kind: "unreachable",
  });
});

test("requests that outlive the page stay within the browsers' limit in bytes", async () => {
  const { api, fetch } = serverSays(204);
  fetch.mockImplementation(() => new Promise(() => {}));
  const long = { slots: {}, comment: "\u0451".repeat(20_000), cannot_judge: null }; // 40 kB
  void api.saveDraft("5", "1", long, 0);
  void api.saveDraft("5", "2", long, 0);
  void api.saveDraft("5", "3", { ...long, comment: "short" }, 0);
  expect(fetch.mock.calls.map(([, init]) => init.keepalive)).toEqual([true, false, true]);
});

test("the rows of a screen go in one request, and its refusal says which of them and why", async () => {
  const { api, fetch } = serverSays(422, { errors: { a1: { "slots.A.score": ["Too low."] } } });
  const outcome = await api.submitScreen("5", [{ item: "a1", ...SUBMISSION }]);
  expect(fetch.mock.calls[0]![0]).toBe("/api/v1/assignments/5/screens");
  expect(JSON.parse(fetch.mock.calls[0]![1].body as string)).toEqual({ judgments: [{ item: "a1", ...SUBMISSION }] });
  expect(outcome).toMatchObject({ kind: "refused", byItem: { a1: { "slots.A.score": ["Too low."] } } });
});

test("a screen changed elsewhere names the newer rows", async () => {
  const { api } = serverSays(409, { newer: { a1: { revision: 2, answer: { slots: {} } } } });
  const outcome = await api.submitScreen("5", [{ item: "a1", ...SUBMISSION }]);
  expect(outcome.kind === "conflict" && outcome.byItem?.a1).toMatchObject({ revision: 2, answer: { comment: "" } });
});
