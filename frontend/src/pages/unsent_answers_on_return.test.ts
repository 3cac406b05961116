import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { judgment } from "../testing/sample_task";
import { EMPTY_ANSWER } from "../workbench/api";
import { openStorage } from "../workbench/storage";
import { bindUnsentAnswers } from "./unsent_answers";

const requests: string[] = [];
let status: number;

beforeEach(() => {
  requests.length = 0;
  status = 201;
  vi.stubGlobal("indexedDB", new IDBFactory());
  vi.stubGlobal("fetch", async (url: string) => {
    requests.push(url);
    if (url === "/settings/") return new Response(`<form data-sign-out="7"></form>`);
    return new Response(
      JSON.stringify(status === 403 ? { detail: "Removed.", code: "access_ended" } : { revision: 1 }),
      { status, headers: { "Content-Type": "application/json" } },
    );
  });
});
afterEach(() => vi.unstubAllGlobals());

function open(): void {
  const notes = ["sending", "all", "unreachable", "signed_out", "waiting", "ended", "removed"].map(
    (news) => `<p data-unsent="${news}" hidden></p>`,
  );
  const buttons = "<button data-download></button><button data-remove hidden></button>";
  document.body.innerHTML = `<div data-send-unsent="7" data-settings="/settings/">${notes.join("")}${buttons}</div>`;
  bindUnsentAnswers(document);
}

const shown = () =>
  [...document.querySelectorAll<HTMLElement>("[data-unsent]:not([hidden])")].map((note) => note.dataset.unsent);
const storedCount = async () => (await (await openStorage("7")).all()).length;

async function storeAnAnswer(): Promise<void> {
  await (await openStorage("7")).put(judgment("a", EMPTY_ANSWER));
}

test("answers of an earlier visit are sent, and a note says so", async () => {
  await storeAnAnswer();
  open();
  await vi.waitFor(() => expect(shown()).toEqual(["all"]));
  expect([requests, await storedCount()]).toEqual([["/api/v1/assignments/1/items/a/judgments"], 0]);
});

test("the counts of tasks are renewed once answers were sent", async () => {
  await storeAnAnswer();
  open();
  document.body.insertAdjacentHTML("beforeend", "<div data-counts>0 of 2</div>");
  const send = fetch;
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) =>
    url === location.href ? new Response("<main><div data-counts>1 of 2</div></main>") : send(url, init),
  );
  await vi.waitFor(() => expect(document.querySelector("[data-counts]")?.textContent).toBe("1 of 2"));
});

test("with nothing stored there is no request and no note", async () => {
  open();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([requests, shown()]).toEqual([[], []]);
});

test("a note says what cannot be sent; it is sent when the network is back", async () => {
  status = 503;
  await storeAnAnswer();
  open();
  await vi.waitFor(() => expect(shown()).toEqual(["unreachable"]));
  status = 201;
  window.dispatchEvent(new Event("online"));
  await vi.waitFor(() => expect(shown()).toEqual(["all"]));
  expect(await storedCount()).toBe(0);
});

test("answers for a campaign without access are saved as a file, then removed", async () => {
  status = 403;
  const saved = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  vi.stubGlobal("URL", { createObjectURL: () => "blob:1", revokeObjectURL: () => undefined });
  await storeAnAnswer();
  open();
  await vi.waitFor(() => expect(shown()).toEqual(["ended"]));
  const [download, remove] = document.querySelectorAll<HTMLElement>("button");
  expect(remove!.hidden).toBe(true);
  download!.click();
  expect([saved.mock.calls.length, remove!.hidden, await storedCount()]).toEqual([1, false, 1]);
  remove!.click();
  await vi.waitFor(async () => expect([await storedCount(), shown()]).toEqual([0, []]));
});

test("after consent is withdrawn nothing is sent or stored, and a note says so", async () => {
  status = 410;
  await storeAnAnswer();
  await (
    await openStorage("7")
  ).put({
    kind: "draft",
    key: "draft:1:b",
    order: 2,
    assignment: "1",
    item: "b",
    answer: EMPTY_ANSWER,
    base_revision: 0,
  });
  open();
  await vi.waitFor(() => expect(shown()).toEqual(["removed"]));
  expect(await storedCount()).toBe(0);
});
