/* .tabs: on a narrow screen the tab of this page is moved into sight, sideways only. */

export function bindTabs(root: ParentNode): void {
  for (const tabs of root.querySelectorAll<HTMLElement>(".tabs")) {
    const current = tabs.querySelector<HTMLElement>("[aria-current]");
    if (current) tabs.scrollLeft = current.offsetLeft + current.offsetWidth / 2 - tabs.clientWidth / 2;
  }
}
