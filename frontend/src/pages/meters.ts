/* [data-share]: the share a meter or progress line shows, set through the object model because the policy forbids style
   attributes. */

export function bindMeters(root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLElement>("[data-share]")) {
    const share = Math.min(Math.max(Number(element.dataset.share), 0), 1);
    element.style.setProperty("--p", `${Number.isFinite(share) ? share * 100 : 0}%`);
  }
}
