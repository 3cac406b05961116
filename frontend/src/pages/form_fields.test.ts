// @vitest-environment happy-dom

import { expect, test, vi } from "vitest";

import { readForm } from "./form_drafts";
import { bindFormFields, hasPasswords, peopleIn } from "./form_fields";

const bind = () => bindFormFields(document, () => undefined);

test("lines are counted, except blank ones and a header", () => {
  expect(peopleIn("Ana\n\nBen, ben@example.org\r\n")).toBe(2);
  expect(peopleIn("name;email\nAna;\n")).toBe(1);
  expect(peopleIn("")).toBe(0);
});

test.each([
  ["name,password\nAna,secret", true],
  ['"Name","Passwort"\nAna,secret', true],
  ["Ana,ana@example.org,secret words", true],
  ["name,email,languages,username\nAna,,de,ana", false],
  ["Ana, ana@example.org", false],
])("%j contains passwords: %s", (text, expected) => {
  expect(hasPasswords(text)).toBe(expected);
});

test("a draft keeps a list of people, but no passwords", () => {
  const people = '<textarea name="people" data-people="number"></textarea>';
  document.body.innerHTML = `<form><input id="number" name="n" value="3">${people}</form>`;
  const form = document.querySelector("form") as HTMLFormElement;
  const list = form.querySelector("textarea") as HTMLTextAreaElement;
  bind();
  list.value = "name,email\nAna,\nBen,";
  list.dispatchEvent(new Event("input", { bubbles: true }));
  expect(readForm(form)).toEqual({ n: ["2"], people: [list.value] });
  list.value = "name,password\nAna,seven quiet herons";
  expect(readForm(form)).toEqual({ n: ["2"] });
});

const shown = () =>
  [...document.querySelectorAll<HTMLElement>("[id]")].filter((part) => !part.hidden).map((part) => part.id);

function choose(value: string): void {
  const radio = document.querySelector<HTMLInputElement>(`[value=${value}]`);
  if (radio) radio.checked = true;
  document.querySelector("form")?.dispatchEvent(new Event("change"));
}

function openForm(): void {
  document.body.innerHTML = `<form>
    <input type="radio" name="protocol" value="rating" data-controls="degraded repeat">
    <input type="radio" name="protocol" value="reading" data-controls="">
    <div data-protocol="rating" id="of-rating"></div><div data-protocol="reading" id="of-reading"></div>
    <div data-control="repeat" id="repeats"><input name="repeats" value="10"></div>
    <div data-control="degraded" id="damaged"><input name="degraded" value="10"></div>
  </form>`;
  bind();
}

test("before one is chosen everything is shown", () => {
  openForm();
  expect(shown()).toEqual(["of-rating", "of-reading", "repeats", "damaged"]);
});

test("the fields of the chosen protocol are shown", () => {
  openForm();
  choose("rating");
  expect(shown()).toEqual(["of-rating", "repeats", "damaged"]);
});

test("control items that a protocol does not have are neither shown nor sent", () => {
  openForm();
  choose("reading");
  expect(shown()).toEqual(["of-reading"]);
  const sent = () => [...new FormData(document.querySelector("form") as HTMLFormElement).keys()];
  expect(sent()).toEqual(["protocol"]);
  choose("rating");
  expect(sent()).toEqual(["protocol", "repeats", "degraded"]);
});

test("fields that only matter with others are shown with these, and where something is wrong", () => {
  document.body.innerHTML = `<form>
    <input type="radio" name="protocol" value="rating" data-controls="" checked>
    <input type="radio" name="planning" value="pool"><input type="radio" name="planning" value="single">
    <select name="allocation"><option>none<option>best<option>top</select>
    <div data-when="planning=pool allocation=top" id="top"></div>
    <div data-when="planning=pool allocation=best,top" id="first"></div>
    <div data-when="allocation=best" id="wrong"><p class="err">Enter a number.</p></div>
  </form>`;
  bind();
  expect(shown()).toEqual(["wrong"]);
  const allocation = document.querySelector("select") as HTMLSelectElement;
  allocation.value = "top";
  choose("pool");
  expect(shown()).toEqual(["top", "first", "wrong"]);
  allocation.value = "best";
  choose("pool");
  expect(shown()).toEqual(["first", "wrong"]);
  choose("single");
  expect(shown()).toEqual(["wrong"]);
});

test("the text of a file replaces that of the field, and the form gets the event", async () => {
  document.body.innerHTML = `<textarea id="own">old</textarea><input type="file" data-text-into="own">`;
  bind();
  bind();
  const heard = vi.fn();
  const field = document.querySelector("textarea") as HTMLTextAreaElement;
  field.addEventListener("input", heard);
  const input = document.querySelector("input") as HTMLInputElement;
  Object.defineProperty(input, "files", { value: [new File(['{"title": "Häuser"}'], "own.json")] });
  input.dispatchEvent(new Event("change"));
  await vi.waitFor(() => expect(field.value).toBe('{"title": "Häuser"}'));
  expect(heard).toHaveBeenCalledTimes(1);
});

test("the server reads a workbook, or says what is wrong with it", async () => {
  document.body.innerHTML = `<form><input name="csrfmiddlewaretoken" value="t"><textarea id="own">old</textarea>
    <p><input type="file" data-text-into="own" data-workbook="/read/"></p></form>`;
  bind();
  const field = document.querySelector("textarea") as HTMLTextAreaElement;
  const input = document.querySelector("input[type=file]") as HTMLInputElement;
  Object.defineProperty(input, "files", { value: [new File(["PK"], "people.XLSX")] });
  const fetched = vi.fn().mockResolvedValueOnce(new Response("<p>Damaged.</p>", { status: 422 }));
  vi.stubGlobal("fetch", fetched.mockResolvedValueOnce(new Response("name\nAna\n")));
  input.dispatchEvent(new Event("change"));
  await vi.waitFor(() => expect(document.querySelector("[role=alert]")?.textContent).toBe("Damaged."));
  expect(field.value).toBe("old");
  input.dispatchEvent(new Event("change"));
  await vi.waitFor(() => expect(field.value).toBe("name\nAna\n"));
  expect(document.querySelector("[role=alert]")?.textContent).toBe("");
  expect([...(fetched.mock.calls[0]?.[1].body as FormData).keys()]).toEqual(["csrfmiddlewaretoken", "file"]);
});

test.each([
  ["", "", "cs"],
  ["de-AT", "", "de-AT"],
  ["de", "data-firm", "cs"],
  ["cs-CZ", "data-firm", "cs-CZ"],
])("of %j a suggestion %s leaves %j", (typed, firm, expected) => {
  document.body.innerHTML = `<form><input name="to" value="${typed}">
    <span data-suggest="to" data-value="cs" ${firm}></span></form>`;
  bind();
  expect(document.querySelector("input")?.value).toBe(expected);
});
