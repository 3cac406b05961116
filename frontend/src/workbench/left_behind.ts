/* What this device keeps of an account that has no access any more: to be saved as a file, then removed. */

import { signal } from "@preact/signals";

import type { KeptTexts } from "./offline";
import type { Saver } from "./save";
import type { Kept } from "./storage";

export class LeftBehind {
  /** In the server's words; "" while there is access. */
  readonly said = signal("");
  readonly kept = signal<readonly Kept[]>([]);

  constructor(
    private readonly saver: Saver,
    private readonly texts: KeptTexts | null,
    private readonly assignment: string,
  ) {}

  async find(said: string): Promise<void> {
    this.said.value = said;
    const kept = await this.saver.keptHere();
    this.kept.value = kept.filter((entry) => this.isStuck(entry));
    if (kept.length === 0) await this.texts?.forget(); // else the page stays, to be opened again and say this
  }

  /** They were saved as a file. */
  async remove(): Promise<void> {
    await this.saver.remove(this.kept.value);
    this.kept.value = [];
    await this.texts?.forget();
  }

  /** Of this task, or of another that the server takes nothing for either. */
  private isStuck(entry: Kept): boolean {
    return entry.assignment === this.assignment || (entry.kind === "judgment" && entry.hold?.why === "refused");
  }
}
