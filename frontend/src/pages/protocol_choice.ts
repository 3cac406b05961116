/* [data-protocol]: what only one protocol asks, shown while it is chosen; [data-control=KIND]: control items, not asked
   for where the protocol chosen has none of that kind ([data-controls] of its radio button tells). */

export function bindProtocolChoice(root: ParentNode): void {
  for (const form of root.querySelectorAll<HTMLFormElement>("form:has([data-controls])")) {
    if (form.dataset.boundProtocol) continue;
    form.dataset.boundProtocol = "yes";
    const refresh = (): void => showChosen(form);
    form.addEventListener("change", refresh);
    refresh();
  }
}

/* Without a choice everything is shown, as without this script. */
export function showChosen(form: HTMLFormElement): void {
  const chosen = form.querySelector<HTMLInputElement>("[data-controls]:checked");
  const kinds = (chosen?.dataset.controls ?? "").split(" ");
  for (const group of form.querySelectorAll<HTMLElement>("[data-protocol]")) {
    group.hidden = chosen !== null && group.dataset.protocol !== chosen.value;
  }
  for (const row of form.querySelectorAll<HTMLElement>("[data-control]")) {
    row.hidden = chosen !== null && !kinds.includes(row.dataset.control ?? "");
    for (const field of row.querySelectorAll("input")) field.disabled = row.hidden;
  }
}
