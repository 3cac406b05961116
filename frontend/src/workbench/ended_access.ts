/* After access has ended: what this device still stores of the account. */

import { signal } from "@preact/signals";

import type { StoredTexts } from "./offline";
import type { Saver } from "./save";
import type { Unsent } from "./storage";

/** What this device stores of an account without access: to be saved as a file, then removed. */
export class EndedAccess {
  /** The server's message; "" while there is access. */
  readonly message = signal("");
  readonly unsent = signal<readonly Unsent[]>([]);

  constructor(
    private readonly saver: Saver,
    private readonly texts: StoredTexts | null,
    private readonly assignment: string,
  ) {}

  async find(message: string): Promise<void> {
    this.message.value = message;
    const unsent = await this.saver.allUnsent();
    this.unsent.value = unsent.filter(
      // of this task, or refused for another one
      (entry) => entry.assignment === this.assignment || (entry.kind === "judgment" && entry.hold?.why === "refused"),
    );
    if (unsent.length === 0) await this.texts?.forget(); // else the page stays, to be opened again and say this
  }

  /** They were saved as a file. */
  async remove(): Promise<void> {
    await this.saver.remove(this.unsent.value);
    this.unsent.value = [];
    await this.texts?.forget();
  }
}
