/* The focus, moved by the page: at once, so that the next key finds it there, however fast it comes. */

/** Once the answer is drawn: what takes the focus may have come, or changed, with it. Else with the next picture. */
export function giveFocus(id: string): void {
  queueMicrotask(() => focusOn(id) || requestAnimationFrame(() => focusOn(id)));
}

function focusOn(id: string): boolean {
  const element = document.getElementById(id);
  element?.focus();
  return element !== null && document.activeElement === element;
}
