// @vitest-environment happy-dom

import { expect, test, vi } from "vitest";

import { bindCopies } from "./copies";

test("the button is shown where a script can draw, and saves what the browser drew", async () => {
  document.body.innerHTML = `<button data-picture="/figure.svg" data-file="figure.png" hidden>PNG</button>`;
  const drawn: unknown[][] = [];
  vi.stubGlobal(
    "Image",
    class {
      src = "";
      naturalWidth = 10;
      naturalHeight = 20;
      decode = () => Promise.resolve();
    },
  );
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue({
    drawImage: (...values: unknown[]) => drawn.push(values),
  } as never);
  vi.spyOn(HTMLCanvasElement.prototype, "toBlob").mockImplementation((done) =>
    done(new Blob(["x"], { type: "image/png" })),
  );
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  URL.createObjectURL = () => "blob:x";
  URL.revokeObjectURL = () => undefined;
  bindCopies(document);
  const button = document.querySelector("button");
  expect(button?.hidden).toBe(false);
  button?.click();
  await vi.waitFor(() => expect(saved).toEqual(["figure.png"]));
  expect(drawn[0]?.slice(1)).toEqual([0, 0, 30, 60]);
});
