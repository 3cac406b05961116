/* [data-suggest=NAME]: a value the server found, put into the form's field of that name while the field is empty. */

export function bindSuggestions(root: ParentNode): void {
  for (const found of root.querySelectorAll<HTMLElement>("[data-suggest]")) {
    const field = found.closest("form")?.elements.namedItem(found.dataset.suggest ?? "");
    if (!(field instanceof HTMLInputElement) || field.value.trim()) continue;
    field.value = found.dataset.value ?? "";
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
