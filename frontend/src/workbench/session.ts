/* Whose session this browser holds. Another account may sign in while this page stands open: nothing of ours goes out
   then. */

/** `unknown`: the server could not be asked. */
export type Holder = "mine" | "another" | "nobody" | "unknown";

/** A page's token is refused once anybody signs in anew, so that no request goes out under a session not looked at. */
export interface SessionCheck {
  readonly token: string;
  /** Asks who is signed in now; when it is still this account, takes the new token. */
  holder(): Promise<Holder>;
  /** A request was told that nobody is signed in. */
  ended(): void;
}

export interface SessionSetup {
  account: string;
  token: string;
  /** A page that names the account it is for, in a form with the token. */
  page: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
}

const ASKING_TIMEOUT_MS = 20_000;

export class Session implements SessionCheck {
  isOtherAccount = false;
  token: string;

  constructor(private readonly setup: SessionSetup) {
    this.token = setup.token;
  }

  async holder(): Promise<Holder> {
    const found = await this.ask();
    if (found !== "unknown") this.isOtherAccount = found === "another";
    return found;
  }

  ended(): void {
    this.isOtherAccount = false;
  }

  private async ask(): Promise<Holder> {
    try {
      const response = await this.setup.fetch(this.setup.page, {
        credentials: "same-origin",
        signal: AbortSignal.timeout(ASKING_TIMEOUT_MS),
      });
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

/** The token of a form, or of the page that holds just the field. */
export function tokenIn(root: ParentNode): string {
  return root.querySelector<HTMLInputElement>("input[name=csrfmiddlewaretoken]")?.value ?? "";
}
