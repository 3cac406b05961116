/* The focus, moved by the page: at once, so that the next key finds it there, however fast it comes. */

/** Once the answer is drawn: what takes the focus may have come, or changed, with it. Else with the next picture. */
export function giveFocus(id: string, root: Document): void {
  queueMicrotask(() => {
    if (!took(root.getElementById(id))) requestAnimationFrame(() => took(root.getElementById(id)));
  });
}

function took(element: HTMLElement | null): boolean {
  element?.focus();
  return element !== null && element.ownerDocument.activeElement === element;
}
