/* What lies beside the text in hand: pictures, sound and video, in a panel that follows the item. A script of its own,
   which only pages of test sets with media load. */

import type { Medium } from "../workbench/api";
import { isComposing } from "../workbench/keys";
import type { PageData } from "../workbench/page";
import type { State } from "../workbench/state";
import { speak, t } from "../workbench/words";
import { button, element } from "./elements";
import { largeView } from "./large_view";
import { explainLoss } from "./loss";
import { Player } from "./player";

/** What the panel needs of the workbench. */
export interface Watched {
  readonly page: PageData;
  readonly state: { readonly value: State; subscribe(listener: (state: State) => void): unknown };
}

const SEEK_SECONDS = 5;

export class Beside {
  readonly panel = element("aside", { class: "media", hidden: true });
  private shown = "";
  private players: Player[] = [];

  constructor(private readonly page: PageData) {
    speak(page.catalogue, document.documentElement.lang);
  }

  follow({ items, current, phase }: State): void {
    const media = phase === "judging" ? (items.find(({ id }) => id === current)?.media ?? []) : [];
    const key = media.map(({ file }) => file).join();
    if (key === this.shown) return; // the same video goes on from segment to segment
    this.shown = key;
    this.draw(media);
  }

  private draw(media: readonly Medium[]): void {
    const before = new Map(this.players.map((player) => [player.medium.file, player]));
    const parts = media.map((medium) =>
      medium.kind === "picture" ? this.picture(medium) : this.player(medium, before),
    );
    this.players = parts.filter((part): part is Player => part instanceof Player);
    before.forEach((player) => this.players.includes(player) || player.stop());
    this.panel.replaceChildren(...parts.map((part) => (part instanceof Player ? part.element : part)));
    this.panel.hidden = media.length === 0;
    this.panel.setAttribute("aria-label", panelName(media));
    document.documentElement.classList.toggle("has-media", media.length > 0);
  }

  private address(medium: Medium): string {
    return `${this.page.urls.media}${medium.file}`;
  }

  private player(medium: Medium, before: ReadonlyMap<string, Player>): Player {
    const keys = this.page.single_keys;
    return before.get(medium.file) ?? new Player(medium, this.address(medium), this.page.source.language, keys);
  }

  private picture(medium: Medium): HTMLElement {
    const address = this.address(medium);
    const image = element("img", { src: address, alt: medium.alt, decoding: "async" });
    if (medium.width && medium.height) {
      image.width = medium.width;
      image.height = medium.height;
    }
    const name = medium.alt ? t("Show the picture large: {name}", { name: medium.alt }) : t("Show the picture large");
    const opener = button({ class: "pic", "aria-label": name }, [image]);
    opener.onclick = () => {
      const large = element("img", { src: address, alt: medium.alt });
      largeView(medium.alt || t("Picture"), large, opener);
    };
    const figure = element("div", { class: "medium" }, [opener]);
    image.onerror = () => void explainLoss(figure, medium, address, () => figure.replaceWith(this.picture(medium)));
    return figure;
  }

  /** P plays and pauses, comma and full stop jump: of the first player. */
  press = (event: KeyboardEvent): void => {
    const player = this.players[0];
    if (!player || !this.page.single_keys || event.ctrlKey || event.metaKey || event.altKey || isComposing(event))
      return;
    if (isTyping(event.target) || document.querySelector("dialog[open]:not(.large)")) return;
    const acts: Record<string, () => void> = {
      p: () => player.toggle(),
      ",": () => player.jump(-SEEK_SECONDS),
      ".": () => player.jump(SEEK_SECONDS),
    };
    const act = acts[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!event.repeat || event.key !== "p") act();
  };
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.matches("textarea, select, [contenteditable], input:not([type=range], [type=radio], [type=checkbox])")
  );
}

function panelName(media: readonly Medium[]): string {
  const kinds = new Set(media.map(({ kind }) => kind));
  if (kinds.size > 1) return t("Media of this text");
  if (kinds.has("video")) return t("Video of this text");
  return kinds.has("audio") ? t("Audio of this text") : t("Picture of this text");
}

/** The panel stands outside of what the workbench draws, and follows its state. */
export function watch({ page, state }: Watched): Beside {
  const beside = new Beside(page);
  document.body.append(beside.panel);
  state.subscribe((now) => beside.follow(now));
  addEventListener("keydown", beside.press, { capture: true });
  return beside;
}
