/* [data-picture=URL]: saves the figure at that address as a PNG named by data-file, drawn by the browser, which has
   every font. */

const SCALE = 3;

export function bindPictures(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>("button[data-picture]")) {
    button.hidden = false;
    button.addEventListener(
      "click",
      () => void savePicture(button.dataset.picture ?? "", button.dataset.file ?? "figure.png"),
    );
  }
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
  if (!picture) return;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(picture);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
