/* The account of this browser's session. Another one may sign in while this page is open: then nothing of ours is
   sent. */

/** `unknown`: the server did not answer. */
export type Holder = "mine" | "another" | "nobody" | "unknown";

interface SessionSetup {
  account: string;
  token: string;
  /** A page that names the account it is for, in a form with the token. */
  page: string;
}

const TIMEOUT_MS = 20_000;

/** A new sign-in makes the page's token invalid, so that no request is sent before the session is checked. */
export class Session {
  isOtherAccount = false;
  token: string;

  constructor(private readonly setup: SessionSetup) {
    this.token = setup.token;
  }

  /** Requests who is signed in now; when it is still this account, takes the new token. */
  async holder(): Promise<Holder> {
    const holder = await this.request();
    if (holder !== "unknown") this.isOtherAccount = holder === "another";
    return holder;
  }

  /** A response said that nobody is signed in. */
  ended(): void {
    this.isOtherAccount = false;
  }

  private async request(): Promise<Holder> {
    try {
      const response = await fetch(this.setup.page, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (!response.ok) return "unknown";
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const form = page.querySelector<HTMLFormElement>("form[data-sign-out]");
      if (!form) return "nobody";
      if (form.dataset.signOut !== this.setup.account) return "another";
      this.token = tokenIn(form) || this.token;
      return "mine";
    } catch {
      return "unknown";
    }
  }
}

/** The token of a form, or of a page that has only the field. */
export function tokenIn(root: ParentNode): string {
  return root.querySelector<HTMLInputElement>("input[name=csrfmiddlewaretoken]")?.value ?? "";
}
