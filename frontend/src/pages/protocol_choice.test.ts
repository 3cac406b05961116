// @vitest-environment happy-dom

import { beforeEach, expect, test } from "vitest";

import { bindProtocolChoice } from "./protocol_choice";

const shown = () =>
  [...document.querySelectorAll<HTMLElement>("[id]")].filter((part) => !part.hidden).map((part) => part.id);

function choose(value: string): void {
  const radio = document.querySelector<HTMLInputElement>(`[value=${value}]`);
  if (radio) radio.checked = true;
  document.querySelector("form")?.dispatchEvent(new Event("change"));
}

beforeEach(() => {
  document.body.innerHTML = `<form>
    <input type="radio" name="protocol" value="rating" data-controls="degraded repeat">
    <input type="radio" name="protocol" value="reading" data-controls="">
    <div data-protocol="rating" id="of-rating"></div><div data-protocol="reading" id="of-reading"></div>
    <div data-control="repeat" id="repeats"><input name="repeats" value="10"></div>
    <div data-control="degraded" id="damaged"><input name="degraded" value="10"></div>
  </form>`;
  bindProtocolChoice(document);
});

test("before one is chosen everything is there", () => {
  expect(shown()).toEqual(["of-rating", "of-reading", "repeats", "damaged"]);
});

test("what belongs to the protocol chosen is shown", () => {
  choose("rating");
  expect(shown()).toEqual(["of-rating", "repeats", "damaged"]);
});

test("control items that a protocol does not have are neither shown nor sent", () => {
  choose("reading");
  expect(shown()).toEqual(["of-reading"]);
  const sent = () => [...new FormData(document.querySelector("form") as HTMLFormElement).keys()];
  expect(sent()).toEqual(["protocol"]);
  choose("rating");
  expect(sent()).toEqual(["protocol", "repeats", "degraded"]);
});
