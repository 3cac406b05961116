import { expect, test } from "vitest";

import { EMPTY_ANSWER } from "./api";
import { createPreview } from "./preview";
import { sampleItem } from "../testing/sample_task";

const items = ["one", "two", "three"].map((id) => sampleItem({ id, document: id === "three" ? "2" : "1" }));
const context = [{ document: "2", position: 9, source: "s", reference: null, text: "t" }];
const PAGE = { items, context, done: 0, total: 900, completion_code: null, is_withdrawn: false, has_more: false };
const submission = {
  client_id: "x",
  base_revision: 0,
  answer: { ...EMPTY_ANSWER, comment: "tried" },
  started: null,
  elapsed_ms: 1,
  active_ms: 1,
  reading_ms: 0,
};
const idsOf = (outcome: Awaited<ReturnType<ReturnType<typeof createPreview>["items"]>>) =>
  outcome.kind === "ok" ? outcome.body.items.map(({ id }) => id) : [];

test("answers are returned and stored nowhere", async () => {
  const api = createPreview(PAGE);
  expect(idsOf(await api.items("", ""))).toEqual(["one", "two", "three"]);
  expect(await api.submit("", "one", submission)).toMatchObject({
    kind: "ok",
    body: { revision: 1, done: 1, total: 3 },
  });
  expect(await api.submit("", "one", submission)).toMatchObject({ body: { revision: 2, done: 1 } });
  expect(idsOf(await api.items("", ""))).toEqual(["two", "three"]);
  expect(await api.items("", { from: "start" })).toMatchObject({
    body: { done: 1, total: 3, items: [{ answer: { comment: "tried" }, revision: 2 }, {}, {}] },
  });
});

test("texts come with their context", async () => {
  const api = createPreview(PAGE);
  expect(idsOf(await api.items("", { after: "two" }))).toEqual(["three"]);
  expect(await api.items("", { after: "two" })).toMatchObject({ body: { context } });
  expect(await api.items("", { before: "three" })).toMatchObject({
    body: { items: [{ id: "one" }, { id: "two" }], context: [] },
  });
});

test("after the last there is nothing", async () => {
  const api = createPreview(PAGE);
  for (const { id } of items) await api.submit("", id, submission);
  expect(idsOf(await api.items("", ""))).toEqual([]);
  expect(idsOf(await api.items("", { after: "three" }))).toEqual([]);
});
