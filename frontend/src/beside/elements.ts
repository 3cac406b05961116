/* Elements of the document, made by hand: this script is too small for a library of its own. */

type Children = readonly (Node | string)[];

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: Children
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** A key cap, as on the page's own buttons. */
export function keyCap(key: string): HTMLElement {
  return element("span", { class: "keys-shown", "aria-hidden": "true" }, element("kbd", {}, key));
}
