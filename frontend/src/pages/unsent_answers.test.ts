import { beforeEach, expect, test } from "vitest";

import type { Answer } from "../workbench/api";
import { judgment, SampleServer, scored } from "../testing/sample_task";
import { sendUnsent } from "./unsent_answers";
import { type Unsent, memoryStorage, type Storage } from "../workbench/storage";

let server: SampleServer;
let storage: Storage;

beforeEach(() => {
  server = new SampleServer();
  storage = memoryStorage();
});

async function store(key: string, order: number, item: string, answer: Answer): Promise<void> {
  await storage.put({ ...judgment(item, answer), key, order });
}

const storedKeys = async () => (await storage.all()).map(({ key }) => key);

test("everything is sent in order, each answer based on the revision before it", async () => {
  await store("later", 3, "a1", scored(60));
  await store("first", 1, "a1", scored(50));
  await store("other", 2, "a2", scored(70));
  await storage.put({
    kind: "draft",
    key: "draft:1:a3",
    order: 4,
    assignment: "1",
    item: "a3",
    answer: scored(7),
    base_revision: 0,
  });
  expect(await sendUnsent(server, storage, [])).toBe("all");
  expect(server.judgments.map((sent) => [sent.client_id, sent.base_revision])).toEqual([
    ["first", 0],
    ["other", 0],
    ["later", 1],
  ]);
  expect(server.drafts.get("a3")).toEqual(scored(7));
  expect(await storedKeys()).toEqual([]);
});

test("an unfinished change of an unsent answer follows it", async () => {
  await store("first", 1, "a1", scored(50));
  const { assignment, item, base_revision } = judgment("a1", scored(50));
  await storage.put({
    kind: "draft",
    key: "draft:1:a1",
    order: 2,
    assignment,
    item,
    answer: scored(60),
    base_revision,
  });
  expect(await sendUnsent(server, storage, [])).toBe("all");
  expect([server.judgments.length, server.drafts.get("a1"), await storedKeys()]).toEqual([1, scored(60), []]);
});

test("an answer changed elsewhere waits, with its later ones, and the others are sent", async () => {
  server.judgeElsewhere("a1", scored(90));
  await store("first", 1, "a1", scored(50));
  await store("later", 2, "a1", scored(60));
  await store("other", 3, "a2", scored(70));
  expect(await sendUnsent(server, storage, [])).toBe("waiting");
  expect(await storedKeys()).toEqual(["first", "later"]);
});

test("an answer the server already has counts as sent", async () => {
  server.judgeElsewhere("a1", scored(50));
  await store("first", 1, "a1", scored(50));
  await store("later", 2, "a1", scored(60));
  expect(await sendUnsent(server, storage, [])).toBe("all");
  expect(server.allItems[0]).toMatchObject({ revision: 2, answer: scored(60) });
});

test.each([
  ["failed", "unreachable"],
  ["unreachable", "unreachable"],
  ["signed_out", "signed_out"],
  ["refused", "waiting"],
] as const)("a server whose answer is %s leaves everything here: %s", async (trouble, sent) => {
  server.trouble = trouble;
  await store("first", 1, "a1", scored(50));
  expect(await sendUnsent(server, storage, [])).toBe(sent);
  expect(await storedKeys()).toEqual(["first"]);
});

test("answers without access stay, are listed, and do not delay the rest", async () => {
  const submit = server.submit.bind(server);
  server.submit = (assignment, item, submission) =>
    item === "a1"
      ? Promise.resolve({ kind: "ended", message: "You were removed." })
      : submit(assignment, item, submission);
  await store("gone", 1, "a1", scored(50));
  await store("other", 2, "a2", scored(60));
  const ended: Unsent[] = [];
  expect(await sendUnsent(server, storage, ended)).toBe("ended");
  expect([ended.map(({ key }) => key), await storedKeys(), server.judgments.length]).toEqual([["gone"], ["gone"], 1]);
});

test("the rows of a screen are sent as one, and wait together", async () => {
  const row = (key: string, item: string, screen: string) => ({ ...judgment(item, scored(50)), key, screen });
  for (const each of [row("1", "a1", "one"), row("2", "a2", "one"), row("3", "b1", "two"), row("4", "b2", "two")])
    await storage.put(each);
  server.judgeElsewhere("b2", scored(90));
  expect(await sendUnsent(server, storage, [])).toBe("waiting");
  expect(server.requests.filter((request) => request.startsWith("screen"))).toEqual(["screen a1,a2", "screen b1,b2"]);
  expect(await storedKeys()).toEqual(["3", "4"]);
});
