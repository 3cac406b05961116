import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { openStorage } from "../workbench/storage";
import { bindSigningOut } from "./signing_out";

let submitted: number;

function form(): HTMLFormElement {
  document.body.innerHTML = `<form data-sign-out="7"><button>Sign out</button><p data-kept hidden>Kept.</p></form>`;
  const found = document.querySelector("form")!;
  found.submit = () => void (submitted += 1);
  bindSigningOut(document);
  return found;
}

/** Whether the browser itself would send the form. */
function press(found: HTMLFormElement): boolean {
  return found.dispatchEvent(new Event("submit", { cancelable: true }));
}

const note = () => document.querySelector("[data-kept]")!;

async function keepAnAnswer(): Promise<void> {
  const answer = { slots: {}, comment: "", cannot_judge: null };
  await (await openStorage("7")).put({ kind: "draft", key: "draft:1:a", order: 1, assignment: "1", item: "a", answer, base_revision: 0 });
}

beforeEach(() => {
  submitted = 0;
  vi.stubGlobal("indexedDB", new IDBFactory());
});
afterEach(() => vi.unstubAllGlobals());

test("with nothing waiting it goes", async () => {
  expect(press(form())).toBe(false);
  await vi.waitFor(() => expect(submitted).toBe(1));
  expect(note().hasAttribute("hidden")).toBe(true);
});

test("with answers waiting it is held back, and says why", async () => {
  await keepAnAnswer();
  press(form());
  await vi.waitFor(() => expect(note().hasAttribute("hidden")).toBe(false));
  expect(submitted).toBe(0);
});

test("asked again it goes, and the answers stay on the device", async () => {
  await keepAnAnswer();
  const found = form();
  press(found);
  await vi.waitFor(() => expect(note().hasAttribute("hidden")).toBe(false));
  expect(press(found)).toBe(true);
  expect(await (await openStorage("7")).all()).toHaveLength(1);
});

test("without a place to keep answers nothing stands in the way", async () => {
  vi.stubGlobal("indexedDB", undefined);
  press(form());
  await vi.waitFor(() => expect(submitted).toBe(1));
});
