/* Sound or video with what is needed to judge by it: play, five seconds back and on, speed, captions. */

import type { Medium } from "../workbench/api";
import { t } from "../workbench/words";
import { button, element } from "./elements";
import { largeView } from "./large_view";
import { explainLoss } from "./loss";

const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 2];
const SEEK_SECONDS = 5;

export class Player {
  readonly element = element("div", { class: "medium player" });
  private readonly media: HTMLMediaElement;
  private readonly play = button({ class: "btn quiet" });
  private readonly time = element("span", { class: "t num" });
  private readonly line = element("p", { class: "cap", dir: "auto", hidden: true });
  private readonly isVideo: boolean;

  constructor(
    readonly medium: Medium,
    private readonly address: string,
    private readonly language: string,
    private readonly hasKeys: boolean,
  ) {
    this.isVideo = medium.kind === "video";
    this.media = element(this.isVideo ? "video" : "audio", { preload: "metadata", src: address, playsinline: true });
    if (medium.alt) this.media.setAttribute("aria-label", medium.alt);
    this.listen();
    this.draw();
    this.showTime();
    this.showPlay();
  }

  toggle(): void {
    if (this.media.paused) void this.media.play().catch(() => undefined);
    else this.media.pause();
  }

  jump(seconds: number): void {
    const { currentTime, duration } = this.media;
    this.media.currentTime = Math.min(Math.max(0, currentTime + seconds), duration || Infinity);
  }

  stop(): void {
    this.media.pause();
    this.media.removeAttribute("src");
    this.media.load();
  }

  private draw(): void {
    const controls = [
      this.play,
      this.jumper(-SEEK_SECONDS, t("Back 5 seconds"), "−5 s", ","),
      this.jumper(SEEK_SECONDS, t("Forward 5 seconds"), "+5 s", "."),
      this.time,
      this.speeds(),
      ...(this.medium.has_captions ? [this.captions()] : []),
    ];
    this.play.onclick = () => this.toggle();
    if (this.hasKeys) this.play.setAttribute("aria-keyshortcuts", "p");
    this.element.replaceChildren(
      ...(this.isVideo ? [this.screen()] : []),
      this.line,
      element("div", { class: "ctl" }, controls),
    );
    if (!this.isVideo) this.element.append(this.media);
  }

  private screen(): HTMLElement {
    const opener = button({ class: "pic", "aria-label": t("Show the video large") }, [this.media]);
    opener.onclick = () => {
      this.media.setAttribute("controls", "");
      largeView(this.medium.alt || t("Video"), this.media, opener, () => {
        this.media.removeAttribute("controls");
        opener.append(this.media);
      });
    };
    return opener;
  }

  private jumper(seconds: number, name: string, words: string, key: string): HTMLButtonElement {
    const keys: Record<string, string> = this.hasKeys ? { "aria-keyshortcuts": key } : {};
    const made = button({ class: "btn quiet", "aria-label": name, ...keys }, [words]);
    made.onclick = () => this.jump(seconds);
    return made;
  }

  private speeds(): HTMLSelectElement {
    const choices = SPEEDS.map((speed) =>
      element("option", { value: String(speed), selected: speed === 1 }, [`${speed}×`]),
    );
    const select = element("select", { class: "speed", "aria-label": t("Speed") }, choices);
    select.onchange = () => (this.media.playbackRate = Number(select.value));
    return select;
  }

  /** The words that are being said, below the picture, where they are large enough to be read. */
  private captions(): HTMLButtonElement {
    const source = { kind: "captions", src: `${this.address}/captions`, srclang: this.language };
    const track = element("track", { ...source, label: t("Captions") });
    this.media.append(track);
    track.track.mode = "hidden";
    track.track.oncuechange = () => {
      const cues = [...(track.track.activeCues ?? [])] as VTTCue[];
      this.line.replaceChildren(...cues.map((cue) => cue.getCueAsHTML()));
    };
    this.line.hidden = false;
    this.line.lang = this.language;
    const toggle = button({ class: "btn quiet", "aria-pressed": "true" }, [t("Captions")]);
    toggle.onclick = () => {
      this.line.hidden = !this.line.hidden;
      toggle.setAttribute("aria-pressed", String(!this.line.hidden));
    };
    return toggle;
  }

  private listen(): void {
    this.media.ontimeupdate = this.media.ondurationchange = () => this.showTime();
    this.media.onplay = this.media.onpause = () => this.showPlay();
    this.media.onerror = () => {
      if (this.media.hasAttribute("src"))
        void explainLoss(this.element, this.medium, this.address, () => this.restart());
    };
  }

  private restart(): void {
    this.draw();
    this.media.load();
  }

  private showTime(): void {
    const { currentTime, duration } = this.media;
    const whole = Number.isFinite(duration) ? duration : (this.medium.duration_ms ?? 0) / 1000;
    this.time.textContent = whole
      ? t("{time} of {whole}", { time: clock(currentTime), whole: clock(whole) })
      : clock(currentTime);
  }

  private showPlay(): void {
    this.play.textContent = this.media.paused ? t("Play") : t("Pause");
  }
}

/** 65 seconds are "1:05". */
export function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
