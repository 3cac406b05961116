import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { cesa } from "../testing/sample_protocols";
import { sampleItem, samplePageData, SampleServer, sampleWorkbench } from "../testing/sample_task";
import type { Answer, Item } from "../workbench/api";
import { bindEvents } from "../workbench/events";
import { WorkbenchPage } from "../workbench/render/workbench_page";
import type { Workbench } from "../workbench/workbench";
import type { CesaOptions } from "./cesa/cell_answer";

const slots = (...texts: string[]) => texts.map((text, place) => ({ slot: "ABC"[place]!, text, columns: [place + 1] }));
const rows = (): Item[] => [
  sampleItem({ id: "a1", source: "One two.", slots: slots("Eins zwei.", "Ein zwei.") }),
  sampleItem({ id: "a2", source: "Three.", position: 1, slots: slots("Drei.", "") }),
  sampleItem({ id: "b1", source: "Four.", document: "b", position: 2, slots: slots("Vier.", "Viere.") }),
];

let server: SampleServer;
let workbench: Workbench;
let unbind = () => undefined as void;

async function open(options: Partial<CesaOptions> = {}, items = rows()): Promise<void> {
  document.body.innerHTML = "<div></div>";
  server = new SampleServer(items);
  workbench = sampleWorkbench({
    api: server,
    protocol: cesa({ systems_per_screen: 2, ...options }),
    page: samplePageData(),
  });
  await act(async () => {
    render(<WorkbenchPage workbench={workbench} />, document.querySelector("div")!);
    unbind = bindEvents(workbench, window);
    await workbench.open();
  });
}

beforeEach(() => {
  sessionStorage.clear();
  globalThis.scrollTo = vi.fn() as never;
  globalThis.scrollBy = vi.fn() as never;
  Element.prototype.scrollIntoView = vi.fn();
});
afterEach(() => {
  unbind();
  render(null, document.querySelector("div")!); // its keys go with it
});

async function press(key: string, part: KeyboardEventInit = {}): Promise<void> {
  await act(async () => {
    (document.activeElement ?? document.body).dispatchEvent(
      new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...part }),
    );
    await Promise.resolve();
  });
}

const entered = (item: string): Answer => workbench.state.value.works[item]!.entered;
const here = () => document.querySelector(".cell[aria-current]")?.getAttribute("aria-label");
const complaint = () => document.querySelector(".dock [role=alert]")?.textContent;

test("only the cell in focus has words of its own", async () => {
  await open();
  expect(document.querySelectorAll("[role=option]")).toHaveLength(3);
  expect(document.querySelectorAll(".cell[aria-current] [role=option]")).toHaveLength(3);
});

test("nothing is preset", async () => {
  await open();
  expect([...document.querySelectorAll<HTMLInputElement>(".v")].map(({ value }) => value)).toEqual(["", "", "", ""]);
  expect(document.querySelectorAll(".sc[data-unset]")).toHaveLength(4);
  expect(document.querySelectorAll("input:checked")).toHaveLength(0);
});

test("space, arrows and a digit mark an error; digits are a score when nothing is selected", async () => {
  await open();
  await press(" ");
  await press("ArrowRight");
  await press("2");
  await press("4");
  await press("0");
  expect(entered("a1").slots.A).toMatchObject({
    spans: [{ side: "target", start: 0, end: 9, severity: "major" }],
    score: 40,
  });
});

test("typed digits are rounded to steps of five", async () => {
  await open();
  await press("7");
  await press("3");
  expect(entered("a1").slots.A).toMatchObject({ score: 75 });
});

test("marks may overlap and nest, each is reached, rated and deleted", async () => {
  await open();
  await press("ArrowRight", { shiftKey: true });
  await press("1");
  await press(" ");
  await press("2");
  await press("[");
  await press("Delete");
  expect(entered("a1").slots.A!.spans).toHaveLength(1);
});

test("a tag is a mark with a severity, and may be repeated", async () => {
  await open();
  for (const key of ["m", "1", "m", "2", "i"]) await press(key);
  expect(entered("a1").slots.A!.tags).toEqual([
    { tag: "missing", severity: "minor" },
    { tag: "missing", severity: "major" },
    { tag: "instructions_fault", severity: "" },
  ]);
});

test("submit leads to the first thing that is missing and says why, without sending", async () => {
  await open();
  await press("8");
  await press("0");
  await press("ArrowDown");
  await press("Enter", { ctrlKey: true });
  expect(here()).toBe("Segment 1, translation A");
  expect(complaint()).toBe("Segment 1. Translation A: Below 85 needs a mark or a tag.");
  expect(server.judgments).toHaveLength(0);
});

test("the rows are sent as one, and the next text begins", async () => {
  await open();
  for (let cell = 0; cell < 4; cell += 1) {
    await press("9");
    await press("0");
    await press("Enter");
  }
  await press("Enter", { ctrlKey: true });
  await act(async () => void (await vi.waitFor(() => expect(server.judgments).toHaveLength(2))));
  expect(server.requests).toContain("screen a1,a2");
  const names = server.actions.map(([at, name, ...rest]) => (at > 0 ? [name, ...rest].join(" ") : ""));
  expect(names).toEqual([
    "load",
    "score 0 A 90",
    "enter 0 B",
    "score 0 B 90",
    "enter 1 A",
    "score 1 A 90",
    "enter 1 B",
    "score 1 B 90",
    "submit",
  ]);
  expect(here()).toBe("Segment 1, translation A");
  expect(workbench.state.value.current).toBe("b1");
});

test("a row changed elsewhere holds the screen until the annotator has chosen", async () => {
  await open();
  server.judgeElsewhere("a2", { slots: { A: { score: 10 }, B: { score: 10 } }, comment: "", cannot_judge: null });
  for (let cell = 0; cell < 4; cell += 1) for (const key of ["9", "0", "Enter"]) await press(key);
  await press("Enter", { ctrlKey: true });
  await act(async () => void (await vi.waitFor(() => expect(workbench.state.value.dialog).toBe("conflict"))));
  expect(server.judgments).toHaveLength(0);
  await act(async () => workbench.decide("mine"));
  await vi.waitFor(() => expect(server.judgments.map(({ item }) => item)).toEqual(["a1", "a2"]));
  expect(server.judgments[1]!.base_revision).toBe(1);
});

test("an empty output is shown as such and can be scored", async () => {
  await open();
  await press("ArrowDown");
  await press("Enter");
  expect(here()).toBe("Segment 2, translation B");
  expect(document.querySelector(".cell[aria-current] .no-output")).not.toBeNull();
  await press("0");
  expect(entered("a2").slots.B).toMatchObject({ score: 0 });
});

test("undo goes back over rows and columns", async () => {
  await open();
  await press("0");
  await press("ArrowDown");
  await press("Enter");
  await press("0");
  await press("z", { ctrlKey: true });
  expect(here()).toBe("Segment 2, translation B");
  await press("z", { ctrlKey: true });
  expect(here()).toBe("Segment 1, translation A");
  expect(entered("a1").slots).toEqual({});
});

test("without single keys letters and digits do nothing", async () => {
  await open();
  workbench.page.single_keys = false;
  for (const key of ["m", "7", "u", "["]) await press(key);
  expect(entered("a1").slots).toEqual({});
  expect(here()).toBe("Segment 1, translation A");
});

test("where a score comes first, the focus is on it", async () => {
  await open({ order: "score_then_mark" });
  expect(document.querySelector(".cell .sc")?.nextElementSibling?.className).toBe("tools");
  await press("Enter");
  expect(document.activeElement?.className).toContain("v");
});

test("the source is marked for the translation in focus", async () => {
  await open({ mark_source: true });
  await press("Enter");
  await press("s");
  await press(" ");
  await press("1");
  expect(entered("a1").slots.B!.spans).toEqual([{ side: "source", start: 0, end: 3, severity: "minor" }]);
});

test("the instruction stands above the first row, one key away", async () => {
  await open(
    {},
    rows().map((item) => ({ ...item, instruction: "Address the viewers as friends." })),
  );
  expect(document.querySelector<HTMLDetailsElement>(".brief")?.open).toBe(true);
  await press("b");
  expect(document.querySelector<HTMLDetailsElement>(".brief")?.open).toBe(false);
});
