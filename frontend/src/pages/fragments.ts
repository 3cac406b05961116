/* Pieces of pages that the server renders anew: fetched with their ETag, put in place, bound again. */

export interface Fragment {
  html: string | null; // null: unchanged
  etag: string;
}

export type Rebind = (root: ParentNode) => void;

export async function fetchFragment(url: string, etag: string): Promise<Fragment> {
  const headers: Record<string, string> = { Accept: "text/html", "X-Requested-With": "fragment" };
  if (etag) headers["If-None-Match"] = etag;
  const response = await fetch(url, { headers, credentials: "same-origin" });
  if (response.status === 304) return { html: null, etag };
  if (!response.ok) throw new Error(`${response.status}`);
  return { html: await response.text(), etag: response.headers.get("ETag") ?? "" };
}

/* Replaces the content, keeping the focus on the control of the same name or id. */
export function replaceContent(element: HTMLElement, html: string, rebind: Rebind): void {
  const focused =
    document.activeElement instanceof HTMLElement && element.contains(document.activeElement)
      ? document.activeElement.id
      : "";
  const parsed = new DOMParser().parseFromString(html, "text/html");
  element.replaceChildren(...Array.from(parsed.body.childNodes));
  rebind(element);
  if (focused) document.getElementById(focused)?.focus();
}

export function csrfToken(): string {
  return document.querySelector<HTMLInputElement>("input[name=csrfmiddlewaretoken]")?.value ?? "";
}
