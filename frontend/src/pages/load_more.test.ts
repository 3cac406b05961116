import { beforeEach, describe, expect, it, vi } from "vitest";

import { bindLoadMore } from "./load_more";

const PAGE = (rows: string, count: string, next: string) =>
  `<nav data-found><p data-found-count>${count}</p><ol>${rows}</ol>${
    next ? `<p><a href="${next}" data-load-more>Load more</a></p>` : ""
  }</nav>`;
const ROW = (name: string, current = "") => `<li><a href="?segment=${name}" ${current}>${name}</a></li>`;

describe("loading further rows of a list", () => {
  beforeEach(() => {
    document.body.innerHTML = PAGE(ROW("one", 'aria-current="true"'), "1 of 3", "?after=1");
    bindLoadMore(document);
  });

  function answer(...pages: string[]) {
    const fetched = vi.fn();
    for (const page of pages) fetched.mockResolvedValueOnce({ ok: true, text: () => Promise.resolve(page) });
    vi.stubGlobal("fetch", fetched);
    return fetched;
  }

  const click = () => document.querySelector<HTMLElement>("[data-load-more]")?.click();
  const names = () => [...document.querySelectorAll("li")].map((row) => row.textContent);

  it("adds them in place, with the new count, until there are none", async () => {
    const fetched = answer(
      PAGE(ROW("two", 'aria-current="true"'), "2 of 3", "?after=2"),
      PAGE(ROW("three"), "3 of 3", ""),
    );
    click();
    await vi.waitFor(() => expect(names()).toEqual(["one", "two"]));
    expect(document.querySelector("[data-found-count]")?.textContent).toBe("2 of 3");
    expect(document.querySelector("[aria-current]")?.textContent).toBe("one");
    expect(document.activeElement?.textContent).toBe("two");
    click();
    await vi.waitFor(() => expect(names()).toEqual(["one", "two", "three"]));
    expect(document.querySelector("[data-load-more]")).toBeNull();
    expect(fetched.mock.calls.map(([address]) => new URL(String(address)).search)).toEqual(["?after=1", "?after=2"]);
  });

  it("asks once for a page, however often it is clicked, and follows the link when that fails", async () => {
    const fetched = vi.fn().mockResolvedValue({ ok: false, status: 500 });
    vi.stubGlobal("fetch", fetched);
    const assign = vi.spyOn(window.location, "assign").mockImplementation(() => undefined);
    click();
    click();
    await vi.waitFor(() => expect(assign).toHaveBeenCalledWith(expect.stringContaining("?after=1")));
    expect(fetched).toHaveBeenCalledTimes(1);
  });
});
