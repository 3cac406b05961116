/* Elements with attributes and children: the panel is small, and needs no library. */

type Attributes = Readonly<Record<string, string | boolean>>;

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  children: readonly (Node | string)[] = [],
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

export function button(attributes: Attributes, children: readonly (Node | string)[] = []): HTMLButtonElement {
  return element("button", { type: "button", ...attributes }, children);
}
