import { render } from "preact";
import { afterEach, expect, test } from "vitest";

import { mqm } from "../../protocols/mqm";
import { clear, field, focus, ITEM, press, screen, show } from "../../testing/sample_screen";
import { OPTIONS } from "../../testing/sample_typology";
import { Read } from "./controls";

const GERMAN = { language: "de", name: "German", direction: "ltr" } as const;

afterEach(clear);

test("an empty translation is words of the interface in place of a text, also where something would be marked", () => {
  document.documentElement.lang = "en";
  const root = document.createElement("div");
  render(<Read of={GERMAN} text="" children={[]} />, root);
  expect(root.querySelector(".read > .no-output")?.textContent).toBe("[no output]");
  expect(root.querySelector(".no-output")?.getAttribute("lang")).toBe("en");
  render(<Read of={GERMAN} text={null} />, root);
  expect(root.querySelector(".no-output")).toBeNull();
});

test("missing content is marked in an empty translation by Enter", () => {
  show(mqm(OPTIONS), { ...ITEM, slots: [{ slot: "A", text: "" }] });
  const instead = screen.root.querySelector<HTMLElement>("[data-side=target] .no-output");
  expect(instead?.tabIndex).toBe(0);
  focus(instead!);
  press(instead, "Enter");
  expect(field()).not.toBeNull();
});
