/* form[data-sign-out=ACCOUNT]: held back while answers wait on this device; asked again, it goes and they stay for later. */

import { clearStorage, openStorage } from "../workbench/storage";

export function bindSigningOut(root: ParentNode): void {
  for (const form of root.querySelectorAll<HTMLFormElement>("form[data-sign-out]")) {
    form.addEventListener("submit", (event) => {
      if (form.dataset.checked) return;
      event.preventDefault();
      void check(form, form.dataset.signOut ?? "");
    });
  }
}

async function check(form: HTMLFormElement, account: string): Promise<void> {
  form.dataset.checked = "yes";
  const kept = await (await openStorage(account)).all();
  if (kept.length > 0) {
    form.querySelector("[data-kept]")?.removeAttribute("hidden");
    return;
  }
  await clearStorage(account);
  form.submit();
}
