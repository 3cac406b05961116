import { afterEach, expect, test, vi } from "vitest";

import { bindFormDrafts, saveDraft } from "./form_drafts";

const answer = (status: number, body: unknown): Response => new Response(JSON.stringify(body), { status });

afterEach(() => vi.unstubAllGlobals());

test("a draft that was discarded elsewhere is saved under a new number", async () => {
  const requests = vi
    .fn()
    .mockResolvedValueOnce(answer(404, {}))
    .mockResolvedValueOnce(answer(201, { id: 8 }));
  vi.stubGlobal("fetch", requests);
  expect(await saveDraft("/drafts", "5", { draft: ["5"], name: ["News"] })).toBe("8");
  expect(requests.mock.calls.map(([url, options]) => [options.method, url, options.body])).toEqual([
    ["PUT", "/drafts/5", '{"values":{"name":["News"]}}'],
    ["POST", "/drafts", '{"values":{"name":["News"]}}'],
  ]);
});

test("a form that is sent while its draft is being made takes the number of the draft along", async () => {
  vi.useFakeTimers();
  let arrive = (_response: Response): void => undefined;
  vi.stubGlobal("fetch", () => new Promise<Response>((resolve) => (arrive = resolve)));
  document.body.innerHTML =
    '<form data-drafts="/drafts"><input name="draft"><input name="name"><button></button></form>';
  const form = document.querySelector("form")!;
  bindFormDrafts(document);
  const numbers: unknown[] = [];
  form.addEventListener("submit", (event) => {
    if (!event.defaultPrevented) numbers.push(new FormData(form).get("draft"));
    event.preventDefault();
  });
  const name = form.querySelector<HTMLInputElement>("[name=name]")!;
  name.value = "News";
  name.dispatchEvent(new Event("input", { bubbles: true }));
  await vi.advanceTimersByTimeAsync(1500);
  form.querySelector("button")!.click();
  expect(numbers).toEqual([]);
  arrive(answer(201, { id: 8 }));
  await vi.advanceTimersByTimeAsync(1);
  expect(numbers).toEqual(["8"]);
  vi.useRealTimers();
});

test("a form in which nothing was entered leaves no draft", async () => {
  vi.useFakeTimers();
  const fetched = vi.fn().mockResolvedValue(answer(201, { id: 8 }));
  vi.stubGlobal("fetch", fetched);
  document.body.innerHTML =
    '<form data-drafts="/drafts"><input name="draft"><input name="name"><input type="checkbox" name="open_now"></form>';
  bindFormDrafts(document);
  document.querySelector("[name=open_now]")!.dispatchEvent(new Event("input", { bubbles: true }));
  await vi.advanceTimersByTimeAsync(1500);
  expect(fetched).not.toHaveBeenCalled();
  vi.useRealTimers();
});

test("a form continues with the draft of the server", async () => {
  vi.stubGlobal("fetch", vi.fn().mockResolvedValue(answer(200, { values: { name: ["News"] } })));
  const fields = '<input name="draft" value="5"><input name="name">';
  document.body.innerHTML = `<form data-drafts="/drafts" data-draft-from="5">${fields}</form>`;
  const restored = new Promise((resolve) =>
    document.querySelector("form")?.addEventListener("assay:restored", resolve),
  );
  bindFormDrafts(document);
  await restored;
  expect(document.querySelector<HTMLInputElement>("[name=name]")?.value).toBe("News");
});

test("a draft that is kept stays until a page says that the form arrived", async () => {
  vi.useFakeTimers();
  const fields = '<input name="answer"><button></button>';
  document.body.innerHTML = `<form data-draft="entry" data-draft-kept data-fresh>${fields}</form>`;
  bindFormDrafts(document);
  const form = document.querySelector("form")!;
  form.addEventListener("submit", (event) => event.preventDefault());
  const field = form.querySelector<HTMLInputElement>("[name=answer]")!;
  field.value = "Yes.";
  field.dispatchEvent(new Event("input", { bubbles: true }));
  form.querySelector("button")!.click();
  expect(localStorage.getItem("assay:form:entry")).toContain("Yes.");
  document.body.innerHTML = '<div data-draft-done="entry"></div>';
  bindFormDrafts(document);
  expect(localStorage.getItem("assay:form:entry")).toBeNull();
  vi.useRealTimers();
});
