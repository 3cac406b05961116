import { expect, test } from "vitest";

import { readForm } from "./drafts";
import { bindPeopleLists, holdsPasswords, peopleIn } from "./people_list";

test("lines are counted but for blank ones and a header", () => {
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
])("%j holds passwords: %s", (text, holds) => {
  expect(holdsPasswords(text)).toBe(holds);
});

test("a draft keeps a list of people, but no passwords", () => {
  const people = '<textarea name="people" data-people="number"></textarea>';
  document.body.innerHTML = `<form><input id="number" name="n" value="3">${people}</form>`;
  const form = document.querySelector("form") as HTMLFormElement;
  const list = form.querySelector("textarea") as HTMLTextAreaElement;
  bindPeopleLists(document);
  list.value = "name,email\nAna,\nBen,";
  list.dispatchEvent(new Event("input", { bubbles: true }));
  expect(readForm(form)).toEqual({ n: ["2"], people: [list.value] });
  list.value = "name,password\nAna,seven quiet herons";
  expect(readForm(form)).toEqual({ n: ["2"] });
});
