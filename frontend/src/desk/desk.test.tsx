import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { PageData, Reading } from "../workbench/page";
import { sampleItem, samplePageData, SampleServer, sampleWorkbench, scored } from "../testing/sample_task";
import { giveFocus } from "../workbench/render/controls";
import type { Workbench } from "../workbench/workbench";
import { concerning } from "./guidelines";
import { openDesk } from "./main";

const READING: Reading = {
  read: "/read/",
  seen_at: "2030-01-01T00:00:00Z",
  since: "3 May 2030",
  changes: [],
  practice: null,
};
let workbench: Workbench;
let close = () => {};

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  document.body.innerHTML = '<main id="main"></main><span id="left"></span>';
});
afterEach(() => {
  close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function open(page: Partial<PageData> = {}): Promise<void> {
  const items = ["a1", "a2"].map((id, position) => sampleItem({ id, position, instruction: "Like a poster." }));
  workbench = sampleWorkbench({ api: new SampleServer(items), page: samplePageData(page) });
  await workbench.open();
  close = openDesk(workbench);
}

const soon = () => vi.advanceTimersByTimeAsync(30);
const press = async (key: string, init: KeyboardEventInit = {}, on: Element = document.body) => {
  on.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init }));
  await soon();
};
const dialog = () => document.querySelector("dialog")?.textContent ?? "";

test("what is new in the guidelines is told until it was read, and the server hears of it", async () => {
  const said = vi.fn(async (_address: string, _request: RequestInit) => new Response());
  vi.stubGlobal("fetch", said);
  const changes: Reading["changes"] = [
    [
      ["same", "Mark "],
      ["added", "all "],
      ["same", "errors."],
    ],
  ];
  await open({ reading: { ...READING, changes } });
  expect(document.getElementById("main")?.textContent).toContain("have changed since you read them on 3 May 2030.");
  expect(document.documentElement.hasAttribute("data-news")).toBe(true);
  workbench.openDialog("guidelines");
  await soon();
  expect([document.querySelector("dialog ins")?.textContent, said.mock.calls]).toEqual(["all ", []]);
  expect(dialog()).toContain("Like a poster.");
  workbench.closeDialog();
  await soon();
  expect(document.getElementById("main")?.textContent).toBe("");
  expect(document.documentElement.hasAttribute("data-news")).toBe(false);
  expect(said.mock.calls.map(([address, { body }]) => [address, String(body)])).toEqual([
    ["/read/", "csrfmiddlewaretoken=&seen_at=2030-01-01T00%3A00%3A00Z"],
  ]);
});

test("one key opens the guidelines from a text field, with what was typed still there", async () => {
  await open({ reading: READING });
  document.body.insertAdjacentHTML("beforeend", '<textarea id="note">half a word</textarea>');
  giveFocus("note");
  await press("g", { altKey: true }, document.getElementById("note")!);
  expect(workbench.state.value.dialog).toBe("guidelines");
  workbench.closeDialog();
  expect(document.querySelector("textarea")?.value).toBe("half a word");
});

test("where one is: what is left in items and minutes, and a way to each segment", async () => {
  await open({ reading: READING, pace: { items: 10, ms: 600_000, expected: 30, texts: 4 } });
  expect(document.getElementById("left")?.textContent).toBe("about 2 minutes left");
  workbench.change({ answer: scored(50), merge: "", typed: null });
  workbench.submit();
  await soon();
  expect(document.getElementById("left")?.textContent).toBe("about 1 minute left");
  await press("w");
  expect(dialog()).toContain("1 of 2");
  expect(dialog()).toContain("Time left, at your own pace");
  const segments = [...document.querySelectorAll<HTMLElement>(".places button")];
  expect(segments.map(({ textContent }) => textContent)).toEqual(["1 done", "2 here"]);
  segments[0]?.click();
  await soon();
  expect([workbench.state.value.current, workbench.state.value.dialog]).toEqual(["a1", ""]);
});

test("single keys that are switched off open nothing", async () => {
  await open({ single_keys: false });
  await press("w");
  expect(workbench.state.value.dialog).toBe("");
});

test("the place that concerns the screen is a heading with its words, else another place", () => {
  document.body.innerHTML =
    "<h2>Scores</h2><p>Above all, style.</p><h2>Style</h2><ul><li><strong>Omission</strong>: mark it</li></ul>";
  const found = (...words: string[]) => concerning(document.body, words)?.textContent;
  expect(found("style")).toBe("Style");
  expect(found("omission")).toBe("Omission: mark it");
  expect(found("nowhere", "scores")).toBe("Scores");
  expect(found("nowhere")).toBeUndefined();
});

test("keys that were changed are shown, work and are stored; so is the size of the texts", async () => {
  const stored = vi.fn(async (_address: string, _request: RequestInit) => new Response());
  vi.stubGlobal("fetch", stored);
  const page = samplePageData();
  await open({
    urls: { ...page.urls, desk: "/settings/desk/" },
    desk_settings: { keys: { G: "L" }, text_size: "large" },
  });
  expect(document.documentElement.dataset.textSize).toBe("large");
  await press("g");
  expect(workbench.state.value.dialog).toBe("");
  workbench.openDialog("keys");
  await soon();
  const button = (words: string) =>
    [...document.querySelectorAll<HTMLElement>("dialog button")].find((each) =>
      `${each.textContent} ${each.getAttribute("aria-label")}`.includes(words),
    )!;
  button("Change the keys").click();
  await soon();
  button("Key for: Where you are, now W").click();
  await soon();
  await press("l", {}, button("Key for: Where you are"));
  expect(document.querySelector(".said")?.textContent).toBe(
    "“L” already does something: Guidelines. Change that first.",
  );
  await press("i", {}, button("Key for: Where you are"));
  expect(workbench.ownKeys).toEqual({ G: "L", W: "I" });
  document.querySelector<HTMLInputElement>(".text-size input")!.click();
  await soon();
  expect(stored.mock.calls.map(([address, { body }]) => [address, JSON.parse(String(body))])).toEqual([
    ["/settings/desk/", { keys: { G: "L", W: "I" }, text_size: "large" }],
    ["/settings/desk/", { keys: { G: "L", W: "I" }, text_size: "small" }],
  ]);
  button("Reset the keys").click();
  await soon();
  expect(workbench.ownKeys).toEqual({});
});
