import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { judgment } from "../testing/sample_task";
import { EMPTY_ANSWER } from "../workbench/api";
import { openStorage } from "../workbench/storage";
import { bindUnsentAnswers } from "./unsent_answers";

let submitted: number;
let serverSays: () => Promise<Response>;

function form(): HTMLFormElement {
  document.body.innerHTML = `<form data-sign-out="7"><button>Sign out</button>
    <p data-unsent="sending" hidden></p><p data-unsent="unreachable" hidden></p><p data-unsent="signed_out" hidden></p>
    <p data-unsent="waiting" hidden></p><button type="button" data-download></button></form>`;
  const signOut = document.querySelector("form")!;
  signOut.submit = () => void (submitted += 1);
  bindUnsentAnswers(document);
  return signOut;
}

/** Whether the browser itself would send the form. */
function press(signOut: HTMLFormElement): boolean {
  return signOut.dispatchEvent(new Event("submit", { cancelable: true }));
}

const shown = () =>
  [...document.querySelectorAll<HTMLElement>("[data-unsent]:not([hidden])")].map((note) => note.dataset.unsent);
const storedCount = async () => (await (await openStorage("7")).all()).length;

async function storeAnAnswer(): Promise<void> {
  await (await openStorage("7")).put(judgment("a", EMPTY_ANSWER));
}

beforeEach(() => {
  submitted = 0;
  vi.stubGlobal("indexedDB", new IDBFactory());
  vi.stubGlobal("fetch", () => serverSays());
});
afterEach(() => vi.unstubAllGlobals());

function answer(status: number, body: unknown = {}): () => Promise<Response> {
  return async () => new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });
}

test("with nothing unsent the form is sent", async () => {
  expect(press(form())).toBe(false);
  await vi.waitFor(() => expect(submitted).toBe(1));
  expect(shown()).toEqual([]);
});

test("unsent answers are sent first, and nothing of this account stays", async () => {
  serverSays = answer(201, { revision: 1, done: 1, total: 5, completion_code: null });
  await storeAnAnswer();
  const others = await openStorage("8");
  await others.put(judgment("a", EMPTY_ANSWER));
  press(form());
  await vi.waitFor(() => expect(submitted).toBe(1));
  expect([await storedCount(), (await others.all()).length]).toEqual([0, 1]);
});

test("without a server the form is not sent, however often it is pressed, and a note says why", async () => {
  serverSays = () => Promise.reject(new TypeError("Failed to fetch"));
  await storeAnAnswer();
  const signOut = form();
  for (let time = 0; time < 2; time += 1) {
    press(signOut);
    await vi.waitFor(() => expect(shown()).toEqual(["unreachable"]));
  }
  expect([submitted, await storedCount()]).toEqual([0, 1]);
});

test("a note says that the session has ended", async () => {
  serverSays = answer(401);
  await storeAnAnswer();
  press(form());
  await vi.waitFor(() => expect(shown()).toEqual(["signed_out"]));
  expect([submitted, await storedCount()]).toEqual([0, 1]);
});

test("answers that the server refuses can be downloaded; then the form is sent", async () => {
  serverSays = answer(422, { errors: {} });
  vi.stubGlobal("URL", { createObjectURL: () => "blob:1", revokeObjectURL: () => undefined });
  const saved = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  await storeAnAnswer();
  const signOut = form();
  press(signOut);
  await vi.waitFor(() => expect(shown()).toEqual(["waiting"]));
  expect(submitted).toBe(0);
  signOut.querySelector<HTMLElement>("[data-download]")!.click();
  await vi.waitFor(() => expect(saved).toHaveBeenCalledOnce());
  press(signOut);
  await vi.waitFor(() => expect(submitted).toBe(1));
  expect(await storedCount()).toBe(0);
});

test("without storage the form is sent", async () => {
  vi.stubGlobal("indexedDB", undefined);
  press(form());
  await vi.waitFor(() => expect(submitted).toBe(1));
});
