// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from "vitest";

import { replaceParts } from "./live";

const page = (figures: string, table: string): string =>
  `<div data-part="figures">${figures}</div><section data-part="table">${table}</section>`;
const rows = (...cells: [string, number][]): string =>
  [
    '<div class="scroll"><table data-sortable>',
    "<thead><tr><th><button>Name</button></th><th><button>Done</button></th></tr></thead><tbody>",
    ...cells.map(([name, done]) => `<tr><th>${name}</th><td>${done}</td></tr>`),
    '</tbody></table></div><details id="more"><summary>More</summary></details>',
  ].join("");

let live: HTMLElement;
const rebind = vi.fn();

beforeEach(() => {
  const parts = page("1 of 9", rows(["anna", 1], ["ben", 0]));
  document.body.innerHTML = `<div id="live">${parts}</div><button id="elsewhere">x</button>`;
  live = document.getElementById("live") as HTMLElement;
  rebind.mockClear();
});

const part = (name: string): HTMLElement => live.querySelector(`[data-part=${name}]`) as HTMLElement;
const names = (): string[] => [...part("table").querySelectorAll("tbody th")].map((cell) => cell.textContent ?? "");

describe("pieces of a live page", () => {
  it("are renewed one by one, and only when they changed", () => {
    replaceParts(live, page("2 of 9", rows(["anna", 2])), rebind);
    const table = part("table").querySelector("table");
    rebind.mockClear();
    replaceParts(live, page("3 of 9", rows(["anna", 2])), rebind);
    expect(part("figures").textContent).toBe("3 of 9");
    expect(part("table").querySelector("table")).toBe(table);
    expect(rebind).toHaveBeenCalledTimes(1);
  });

  it("are left alone while they have the focus, and renewed once it has left", async () => {
    const button = part("table").querySelector("button") as HTMLButtonElement;
    button.focus();
    replaceParts(live, page("2 of 9", rows(["anna", 2])), rebind);
    expect(part("figures").textContent).toBe("2 of 9");
    expect(document.activeElement).toBe(button);
    expect(names()).toEqual(["anna", "ben"]);
    (document.getElementById("elsewhere") as HTMLElement).focus();
    await vi.waitFor(() => expect(names()).toEqual(["anna"]));
  });

  it("wait on when the focus only moves within", async () => {
    const [first, second] = part("table").querySelectorAll("button");
    first?.focus();
    replaceParts(live, page("2 of 9", rows(["anna", 2])), rebind);
    second?.focus();
    await new Promise((done) => setTimeout(done, 5));
    expect(document.activeElement).toBe(second);
    second?.blur();
    await vi.waitFor(() => expect(names()).toEqual(["anna"]));
  });

  it("keep the order of a table and the details that are open", () => {
    part("table").querySelectorAll("th")[1]?.setAttribute("aria-sort", "ascending");
    part("table").querySelector("details")?.setAttribute("open", "");
    replaceParts(live, page("2 of 9", rows(["anna", 7], ["ben", 5], ["carl", 6])), rebind);
    expect(names()).toEqual(["ben", "carl", "anna"]);
    expect(part("table").querySelector("details")?.hasAttribute("open")).toBe(true);
  });

  it("are not mistaken for others", () => {
    expect(replaceParts(live, `<div data-part="figures">2 of 9</div>`, rebind)).toBe(false);
    expect(replaceParts(live, "<p>nothing</p>", rebind)).toBe(false);
    expect(part("figures").textContent).toBe("1 of 9");
  });
});
