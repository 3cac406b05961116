/* input[type=file][data-text-into=ID]: the text of the file chosen takes the place of what stands in that field. */

export function bindFileTexts(root: ParentNode): void {
  for (const input of root.querySelectorAll<HTMLInputElement>("input[data-text-into]")) {
    if (input.dataset.bound) continue;
    input.dataset.bound = "file-text";
    input.addEventListener("change", () => void take(input));
  }
}

async function take(input: HTMLInputElement): Promise<void> {
  const file = input.files?.[0];
  const field = document.getElementById(input.dataset.textInto ?? "");
  if (!file || !(field instanceof HTMLTextAreaElement)) return;
  field.value = await file.text();
  input.value = "";
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
}
