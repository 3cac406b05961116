import { expect, test } from "vitest";

import { bindReplays, piecesAfter } from "./replays";

test("the slider shows the text after each step, in code points", () => {
  const steps = `[[1000,2,3,"besser"],[2500,0,2,""]]`;
  const controls = `<input type="range" min="0" max="2" value="2"><output></output>`;
  document.body.innerHTML = `<p data-replay="😀 gut" data-steps='${steps}'>${controls}<span data-replayed></span></p>`;
  bindReplays(document);
  const slider = document.querySelector("input")!;
  const text = () => document.querySelector("[data-replayed]")!.textContent;
  expect(text()).toBe("besser");
  slider.value = "1";
  slider.dispatchEvent(new Event("input"));
  expect(text()).toBe("😀 besser");
  expect(document.querySelector("ins")!.textContent).toBe("besser");
  expect(document.querySelector("output")!.textContent).toBe("1 / 2, 1.0s");
  slider.value = "0";
  slider.dispatchEvent(new Event("input"));
  expect(text()).toBe("😀 gut");
});

test("a step that only removes marks nothing", () => {
  expect(piecesAfter("ab", [[0, 0, 1, ""]])).toEqual(["b"]);
});
