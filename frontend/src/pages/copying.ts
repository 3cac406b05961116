/* [data-copy=ID]: copies the text of the element with that id. [data-save=ID]: offers it as a file named by data-file.
   [data-print]: prints the page. */

export function bindCopying(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>("button[data-copy]")) {
    button.addEventListener("click", () => void copy(button));
  }
  for (const button of root.querySelectorAll<HTMLButtonElement>("button[data-save]")) {
    button.addEventListener("click", () => save(textOf(button.dataset.save), button.dataset.file ?? "assay.txt"));
  }
  for (const button of root.querySelectorAll<HTMLButtonElement>("button[data-print]")) {
    button.addEventListener("click", () => window.print());
  }
}

function textOf(id: string | undefined): string {
  const element = document.getElementById(id ?? "");
  return element instanceof HTMLTextAreaElement ? element.value : (element?.textContent ?? "").trim();
}

async function copy(button: HTMLButtonElement): Promise<void> {
  await navigator.clipboard.writeText(textOf(button.dataset.copy));
  const said = button.textContent;
  button.textContent = button.dataset.copied ?? said;
  window.setTimeout(() => (button.textContent = said), 2000);
}

function save(text: string, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
