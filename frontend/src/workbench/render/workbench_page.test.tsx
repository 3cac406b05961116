import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { openDesk } from "../../desk/main";
import { directAssessment } from "../../testing/sample_protocols";
import type { Item } from "../api";
import { bindEvents } from "../events";
import type { PageData } from "../page";
import {
  sampleItem,
  sampleItems,
  samplePageData,
  SampleServer,
  sampleWorkbench,
  scored,
} from "../../testing/sample_task";
import { memoryStorage } from "../storage";
import type { Workbench } from "../workbench";
import { WorkbenchPage } from "./workbench_page";

let root: HTMLElement;
let server: SampleServer;
let workbench: Workbench;
let unbind = () => {};

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  document.body.innerHTML = "<div></div>";
  root = document.body.firstElementChild as HTMLElement;
});
afterEach(() => {
  unbind();
  act(() => render(null, root));
  vi.useRealTimers();
});

async function show(
  part: { items?: Item[]; page?: Partial<PageData>; lasting?: boolean; context?: string } = {},
): Promise<void> {
  server = new SampleServer(part.items ?? sampleItems());
  const page = samplePageData(part.page);
  const protocol = directAssessment(page.campaign.options);
  const storage = { ...memoryStorage(), lasting: part.lasting ?? true };
  workbench = sampleWorkbench({ api: server, page, protocol, storage });
  act(() => render(<WorkbenchPage workbench={workbench} />, root));
  const unbindEvents = bindEvents(workbench, window as unknown as Window);
  const closeDesk = openDesk(workbench);
  unbind = () => {
    unbindEvents();
    closeDesk();
  };
  await act(() => workbench.open());
  await settle();
}

const settle = () => act(async () => void (await vi.advanceTimersByTimeAsync(20)));
const text = (selector: string) => root.querySelector(selector)?.textContent ?? "";
const current = () => text("[aria-current] .n");

async function press(key: string, init: KeyboardEventInit = {}, target: Element = document.body): Promise<void> {
  act(() => void target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init })));
  await settle();
}

describe("by keyboard alone", () => {
  test("a task is judged from its first item to the page at its end", async () => {
    location.hash = "";
    await show();
    for (const _ of sampleItems()) {
      await press("7");
      await press("4");
      await press("Enter");
      await act(async () => void (await vi.advanceTimersByTimeAsync(2000)));
    }
    expect(server.judgments.map((sent) => sent.answer.slots.A?.score)).toEqual([74, 74, 74, 74, 74]);
    expect(location.hash).toBe("#done");
  });

  test("Enter without a score says what is missing", async () => {
    await show();
    await press("Enter");
    expect(text("[role=alert].complaint")).toBe("Choose a score first.");
    expect(current()).toBe("1");
  });

  test("before anybody tries, the reason stands by the button, is alive, and leads to what is missing", async () => {
    await show();
    const why = () => root.querySelector<HTMLElement>("#why-not-yet");
    const submit = root.querySelector("#submit")!;
    expect([why()?.textContent, submit.getAttribute("aria-describedby")]).toEqual(["Choose a score first.", why()?.id]);
    expect([submit.hasAttribute("disabled"), submit.hasAttribute("aria-disabled")]).toEqual([false, false]);
    act(() => root.querySelector<HTMLElement>(".bar button")?.focus());
    act(() => why()?.click());
    await settle();
    expect(document.activeElement?.id).toBe("score-A");
    await press("7");
    expect(why()).toBeNull();
  });

  test("the first item has the focus on its slider, also after the guidelines were opened by a click", async () => {
    await show();
    expect(document.activeElement?.id).toBe("score-A");
    act(() => root.querySelector<HTMLElement>(".bar button")?.focus());
    act(() => workbench.openDialog("guidelines"));
    act(() => workbench.closeDialog());
    await settle();
    expect(document.activeElement?.id).toBe("score-A");
  });

  test("the next item moves the focus to the slider and announces its place", async () => {
    await show();
    await press("7");
    await press("Enter");
    expect(document.activeElement?.id).toBe("score-A");
    expect([...root.querySelectorAll("[role=status]")].map((region) => region.textContent)).toContain("Segment 2 of 3");
  });

  test("keys are ignored while an input method composes", async () => {
    await show();
    await press("7", { isComposing: true });
    expect(text("output")).toBe("–");
  });

  test("with single keys off digits and letters do nothing", async () => {
    await show({ page: { single_keys: false } });
    for (const key of ["7", "g", "f", "?"]) await press(key);
    expect([text("output"), document.querySelector("dialog")]).toEqual(["–", null]);
  });

  test("undo takes a score back", async () => {
    await show();
    await press("7");
    await press("z", { ctrlKey: true });
    expect(text("output")).toBe("–");
  });
});

describe("the text", () => {
  test("texts have the language and the direction of their data", async () => {
    await show({ page: { target: { language: "ar", name: "Arabic", direction: "rtl" } } });
    const [source, target] = root.querySelectorAll<HTMLElement>("[aria-current] .read");
    expect([source?.lang, source?.dir, target?.lang, target?.dir]).toEqual(["en", "ltr", "ar", "rtl"]);
  });

  test("a judged row shows its score as the way to change it", async () => {
    await show({ items: [sampleItem({ answer: scored(96), revision: 1 }), sampleItem({ id: "a2", position: 1 })] });
    const change = root.querySelector<HTMLButtonElement>(".mk button");
    expect(change?.getAttribute("aria-label")).toBe("Segment 1, score 96, change");
    act(() => change?.click());
    await settle();
    expect([current(), text("output"), text(".btn.go")]).toEqual(["1", "96", "NextEnter"]);
  });

  test("against a reference the source is not shown", async () => {
    const campaign = { ...samplePageData().campaign, options: { judge_against: "reference" } };
    await show({ items: [sampleItem({ source: null, reference: "Ein Vorbild." })], page: { campaign } });
    expect(text("[aria-current] .src")).toBe("Ein Vorbild.");
    expect(text(".doc-cols")).toContain("German, reference");
  });

  test("with both, the reference is below", async () => {
    const campaign = { ...samplePageData().campaign, options: { judge_against: "both" } };
    await show({ items: [sampleItem({ reference: "Ein Vorbild." })], page: { campaign } });
    expect([text("[aria-current] .src"), text("[aria-current] .ref .read")]).toEqual(["One.", "Ein Vorbild."]);
  });
});

test("a reason for not judging replaces the slider, and can be taken back", async () => {
  await show();
  act(() => workbench.openDialog("reason"));
  act(() => root.querySelector<HTMLInputElement>("dialog input")?.click());
  act(() => root.querySelector<HTMLFormElement>("dialog form")?.requestSubmit());
  await settle();
  expect(text(".dock .note")).toContain("The source cannot be understood");
  act(() => root.querySelector<HTMLButtonElement>(".dock .note button")?.click());
  await settle();
  expect(root.querySelector(".slide")).not.toBeNull();
});

test("two answers to one segment are both shown to choose from", async () => {
  await show();
  server.judgeElsewhere("a1", scored(70));
  await press("9");
  await press("Enter");
  expect(text("dialog")).toContain("The other answer is 70, this one is 9.");
  expect([...root.querySelectorAll("dialog .row.end button")].map((button) => button.textContent)).toEqual([
    "Keep 70",
    "Keep 9",
  ]);
});

test("a refused answer says why and can be downloaded before it can be removed", async () => {
  await show();
  server.trouble = "refused";
  await press("9");
  await press("Enter");
  const words = () => [...root.querySelectorAll(".note.bad button")].map((button) => button.textContent);
  expect(text(".note.bad")).toContain("A score is a whole number from 0 to 100.");
  expect(words()).toEqual(["Ferries", "Send again", "Download"]);
  expect([current(), text("[role=alert].complaint")]).toEqual([
    "1",
    "The server did not accept this answer. A score is a whole number from 0 to 100.",
  ]);
});

test("leaving with unsent answers asks, without them does not", async () => {
  await show();
  const leave = () => {
    const event = new Event("beforeunload", { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(leave()).toBe(false);
  server.trouble = "failed";
  await press("7");
  await press("Enter");
  expect(leave()).toBe(true);
  expect(text(".save")).toBe("Not saved, next try in 1 s");
});

test("without storage the page says so and works", async () => {
  await show({ lasting: false });
  expect(text(".note.bad[role=alert]")).toContain("Your browser does not let this site store anything.");
  await press("7");
  await press("Enter");
  expect(server.judgments).toHaveLength(1);
});

test("ended access is shown in place of the texts, with unsent answers as a file", async () => {
  const saved = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  await show();
  server.trouble = "ended";
  await press("7");
  await press("Enter");
  const button = (name: string) => [...root.querySelectorAll("button")].find((element) => element.textContent === name);
  expect(text("[role=alert] h1")).toBe("Your access has ended");
  expect(text("main")).toContain("You were removed from this campaign.");
  expect(text("main")).toContain("1 answer was not sent and is stored on this device.");
  expect([root.querySelector(".dock"), root.querySelector(".note"), button("Remove from this device")]).toEqual([
    null,
    null,
    undefined,
  ]);
  act(() => button("Save as a file")!.click());
  expect(saved).toHaveBeenCalledOnce();
  act(() => button("Remove from this device")!.click());
  await settle();
  expect(text("main")).not.toContain("not sent");
});

test("an annotator in the middle is told of a pause, and of its end", async () => {
  await show();
  server.isPaused = true;
  await press("7");
  await press("Enter");
  expect(text(".notices")).toContain("The organiser has paused this campaign.");
  expect(current()).toBe("2");
  server.isPaused = false;
  await press("7");
  await press("Enter");
  expect(text(".notices")).not.toContain("paused");
});

test("after a long pause a cover asks whether somebody is there, and any key only goes on", async () => {
  await show();
  await act(async () => void (await vi.advanceTimersByTimeAsync(60_000)));
  expect(text("dialog")).toContain("Still there?");
  await act(async () => void document.dispatchEvent(new Event("pointermove", { bubbles: true })));
  expect(text("dialog")).toContain("Still there?");
  const before = current();
  await press("ArrowDown");
  expect(document.querySelector("dialog")).toBeNull();
  expect(current()).toBe(before);
  await press("ArrowDown");
  expect(current()).not.toBe(before);
});

test("nothing writes a style attribute but custom properties", async () => {
  await show();
  const styles = [...root.querySelectorAll("[style]")].map((element) => element.getAttribute("style") ?? "");
  const properties = styles
    .flatMap((style) => style.split(";"))
    .map((declaration) => declaration.trim())
    .filter(Boolean);
  expect(properties.length).toBeGreaterThan(0);
  expect(properties.filter((declaration) => !declaration.startsWith("--"))).toEqual([]);
});
