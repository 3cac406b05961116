// @vitest-environment happy-dom

import { expect, test, vi } from "vitest";

import { bindFileTexts } from "./file_texts";

test("the text of a file takes the place of what stood in the field, and the form hears of it", async () => {
  document.body.innerHTML = `<textarea id="own">old</textarea><input type="file" data-text-into="own">`;
  bindFileTexts(document);
  bindFileTexts(document);
  const heard = vi.fn();
  const field = document.querySelector("textarea") as HTMLTextAreaElement;
  field.addEventListener("input", heard);
  const input = document.querySelector("input") as HTMLInputElement;
  Object.defineProperty(input, "files", { value: [new File(['{"title": "Häuser"}'], "own.json")] });
  input.dispatchEvent(new Event("change"));
  await vi.waitFor(() => expect(field.value).toBe('{"title": "Häuser"}'));
  expect(heard).toHaveBeenCalledTimes(1);
});
