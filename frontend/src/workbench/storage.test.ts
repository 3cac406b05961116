import { IDBFactory, IDBTransaction } from "fake-indexeddb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { scored } from "../testing/sample_task";
import { type UnsentDraft, openStorage } from "./storage";

function draft(item: string): UnsentDraft {
  return {
    kind: "draft",
    key: `draft:1:${item}`,
    order: 1,
    assignment: "1",
    item,
    answer: scored(50),
    base_revision: 0,
  };
}

beforeEach(() => vi.stubGlobal("indexedDB", new IDBFactory()));
afterEach(() => vi.unstubAllGlobals());

test("entries outlive the page, and are replaced and removed by their key", async () => {
  const storage = await openStorage("7");
  await storage.put(draft("a1"));
  await storage.put({ ...draft("a1"), answer: scored(60) });
  await storage.put(draft("a2"));
  await storage.remove("draft:1:a2");
  const later = await openStorage("7");
  expect(later.lasting).toBe(true);
  expect(await later.all()).toEqual([{ ...draft("a1"), answer: scored(60) }]);
});

test("each account has its own storage", async () => {
  await (await openStorage("7")).put(draft("a1"));
  expect(await (await openStorage("8")).all()).toEqual([]);
});

test("without a database memory is used, and does not claim to last", async () => {
  vi.stubGlobal("indexedDB", undefined);
  const storage = await openStorage("7");
  await storage.put(draft("a1"));
  expect([storage.lasting, (await storage.all()).length]).toEqual([false, 1]);
  await storage.remove("draft:1:a1");
  expect(await storage.all()).toEqual([]);
});

test("a database that never answers counts as missing", async () => {
  vi.useFakeTimers();
  vi.stubGlobal("indexedDB", { open: () => ({}) });
  const opening = openStorage("7");
  await vi.advanceTimersByTimeAsync(3000);
  expect((await opening).lasting).toBe(false);
  vi.useRealTimers();
});

test("entries are committed without another turn of the event loop", async () => {
  const commit = vi.spyOn(IDBTransaction.prototype, "commit");
  await (await openStorage("7")).put(draft("a1"));
  expect(commit).toHaveBeenCalled();
});

test("a database that cannot be opened counts as missing", async () => {
  vi.stubGlobal("indexedDB", {
    open: () => {
      throw new DOMException("denied", "SecurityError");
    },
  });
  expect((await openStorage("7")).lasting).toBe(false);
});
