/* [data-replay]: a translation as it was shown, with the steps of its editing; the slider shows it after each of them,
   with what the step inserted marked. */

import { bindEach } from "./fragments";

const SECONDS = {
  style: "unit",
  unit: "second",
  unitDisplay: "narrow",
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
} as const;

type Step = readonly [milliseconds: number, position: number, removed: number, inserted: string];

export function bindReplays(root: ParentNode): void {
  bindEach<HTMLElement>(root, "[data-replay]", (replay) => {
    const slider = replay.querySelector<HTMLInputElement>("input[type=range]");
    const place = replay.querySelector<HTMLElement>("[data-replayed]");
    const output = replay.querySelector("output");
    if (!slider || !place || !output) return;
    const inSeconds = new Intl.NumberFormat(document.documentElement.lang || "en", SECONDS);
    const steps = JSON.parse(replay.dataset.steps ?? "[]") as Step[];
    const show = () => {
      const count = Number(slider.value);
      const seconds = count ? steps[count - 1]![0] / 1000 : 0;
      output.textContent = `${count} / ${steps.length}, ${inSeconds.format(seconds)}`;
      place.replaceChildren(...piecesAfter(replay.dataset.replay ?? "", steps.slice(0, count)));
    };
    slider.addEventListener("input", show);
    show();
  });
}

/** The text after the steps; the last one's insertion is an `ins`. Positions are in code points. */
export function piecesAfter(shown: string, steps: readonly Step[]): (string | HTMLElement)[] {
  const points = [...shown];
  for (const [, position, removed, inserted] of steps) points.splice(position, removed, ...inserted);
  const last = steps.at(-1);
  if (!last?.[3]) return [points.join("")];
  const end = last[1] + [...last[3]].length;
  const mark = Object.assign(document.createElement("ins"), { textContent: last[3] });
  return [points.slice(0, last[1]).join(""), mark, points.slice(end).join("")];
}
