/* Buttons that hand out what is on the page. [data-copy=ID]: copies the text of the element with that id.
   [data-save=ID]: saves it as a file named by data-file. [data-picture=URL]: saves the figure at that address as a PNG,
   drawn by the browser, which has every font. [data-print]: prints the page. */

import { saveFile } from "../workbench/saved_files";
import { bindEach } from "./fragments";

const SCALE = 3; // a figure is printed larger than it is shown
const COPIED_MS = 2000;

export function bindCopies(root: ParentNode): void {
  const onClick = (selector: string, act: (button: HTMLButtonElement) => void): void =>
    bindEach<HTMLButtonElement>(root, selector, (button) => {
      button.hidden = false; // shown only where this script works
      button.addEventListener("click", () => act(button));
    });
  onClick("button[data-copy]", (button) => void copy(button));
  onClick("button[data-save]", ({ dataset }) =>
    saveFile(new Blob([textOf(dataset.save)], { type: "text/plain;charset=utf-8" }), dataset.file ?? "assay.txt"),
  );
  onClick("button[data-print]", () => window.print());
  onClick(
    "button[data-picture]",
    ({ dataset }) => void savePicture(dataset.picture ?? "", dataset.file ?? "figure.png"),
  );
}

function textOf(id: string | undefined): string {
  const element = document.getElementById(id ?? "");
  return element instanceof HTMLTextAreaElement ? element.value : (element?.textContent ?? "").trim();
}

async function copy(button: HTMLButtonElement): Promise<void> {
  await navigator.clipboard.writeText(textOf(button.dataset.copy));
  const words = button.textContent;
  button.textContent = button.dataset.copied ?? words;
  window.setTimeout(() => (button.textContent = words), COPIED_MS);
}

async function savePicture(address: string, name: string): Promise<void> {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth * SCALE;
  canvas.height = image.naturalHeight * SCALE;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const picture = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (picture) saveFile(picture, name);
}
