/* form[data-sums=URL]: "What this adds up to", worked out by the server after each change. */

import { replaceContent, type Rebind } from "./fragments";

const PAUSE_MS = 200;

export function bindSums(root: ParentNode, rebind: Rebind): void {
  for (const form of root.querySelectorAll<HTMLFormElement>("form[data-sums]")) {
    if (form.dataset.boundSums) continue;
    form.dataset.boundSums = "yes";
    const target = document.getElementById(form.dataset.sumsInto ?? "");
    if (target) watch(form, target, rebind);
  }
}

function watch(form: HTMLFormElement, target: HTMLElement, rebind: Rebind): void {
  let timer = 0;
  let asked = 0;
  const refresh = async (): Promise<void> => {
    const mine = ++asked;
    const fields = new URLSearchParams();
    for (const [name, value] of new FormData(form)) {
      if (typeof value === "string" && name !== "csrfmiddlewaretoken" && name !== "people" && value.length < 200)
        fields.append(name, value);
    }
    const response = await fetch(`${form.dataset.sums}?${fields}`, { credentials: "same-origin" });
    if (response.ok && mine === asked) replaceContent(target, await response.text(), rebind);
  };
  const later = (): void => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => void refresh().catch(() => undefined), PAUSE_MS);
  };
  form.addEventListener("input", later);
  form.addEventListener("change", later);
  form.addEventListener("assay:settled", later);
  later();
}
