/* A picture or video in a dialog as large as the window; Esc closes it, and the focus goes back. */

import { t } from "../workbench/words";
import { button, element } from "./elements";

export function largeView(
  name: string,
  content: HTMLElement,
  opener: HTMLElement,
  onClose: () => void = () => {},
): void {
  const close = button({ class: "btn quiet icon", "aria-label": t("Close") }, ["×"]);
  const dialog = element("dialog", { class: "large", "aria-label": name }, [close, content]);
  close.onclick = () => dialog.close();
  dialog.onclick = ({ target }) => target === dialog && dialog.close();
  dialog.onclose = () => {
    onClose();
    dialog.remove();
    opener.focus();
  };
  document.body.append(dialog);
  dialog.showModal();
}
