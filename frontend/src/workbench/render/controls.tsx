/* Small drawn things: icons, key caps, buttons, notes, texts under judgment. */

import type { ComponentChildren, ComponentProps } from "preact";
import { useRef } from "preact/hooks";

import { isMac } from "../keys";
import { visible } from "../markup";
import type { Language, PageData } from "../page";
import { t } from "../words";

const PATHS = {
  done: ["M3 8.5l3.2 3.2L13 4.8"],
  turning: ["M13.5 8A5.5 5.5 0 1 1 8 2.5"],
  offline: ["M4.6 12.5h6.9M13 11.3A2.8 2.8 0 0 0 11.6 6 4 4 0 0 0 7 3.6M4.6 5.6A3.5 3.5 0 0 0 3 12M2.5 2.5l11 11"],
  alert: ["M8 2.3l6 10.9H2z", "M8 6.6v3M8 11.4v.1"],
  info: ["M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12", "M8 7.4v3.6M8 5v.1"],
  back: ["M9.8 3.5L5.3 8l4.5 4.5"],
  more: ["M3.5 8v.1", "M8 8v.1", "M12.5 8v.1"],
  close: ["M4 4l8 8M12 4l-8 8"],
  bin: ["M3 4.5h10M6.5 4.5v-1.5h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5"],
  fold: ["M6 3.5L10.5 8 6 12.5"],
  copy: [
    "M7 5.5h5A1.5 1.5 0 0 1 13.5 7v5a1.5 1.5 0 0 1-1.5 1.5H7A1.5 1.5 0 0 1 5.5 12V7A1.5 1.5 0 0 1 7 5.5z",
    "M10.5 5.5v-2a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2",
  ],
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class={name === "back" || name === "fold" ? "ic way" : "ic"} viewBox="0 0 16 16" aria-hidden="true">
      {PATHS[name].map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  );
}

export function Mark() {
  return (
    <svg
      viewBox="0 0 26 14"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      stroke-width="1.8"
      stroke-linecap="round"
    >
      <path d="M1.5 3v8M24.5 3v8M1.5 7h23" />
      <circle cx="13" cy="7" r="4.2" fill="currentColor" stroke="none" />
    </svg>
  );
}

/** Keys of this person's own, by those that everybody else has. */
export const ownKeys: Record<string, string> = {};

/** In the order they are pressed, from left to right in every script, as keyboards are. */
export function Keys({ keys }: { keys: readonly string[] }) {
  return (
    <span class="caps" dir="ltr">
      {keys.map((key, index) => (
        <kbd key={index}>{key === "Ctrl" && isMac() ? "Cmd" : (keys[0] !== "Ctrl" && ownKeys[key]) || key}</kbd>
      ))}
    </span>
  );
}

interface ButtonProps extends ComponentProps<"button"> {
  /** Its classes beside `btn`: `go` for the main one, `quiet`, `icon`; or those of a `link`. */
  readonly look?: string;
  /** The keys that do the same, shown on it. */
  readonly keys?: readonly string[] | undefined;
}

/** Where single keys are switched off they are neither shown nor announced. */
export function singleKey(page: PageData, key: string): Pick<ButtonProps, "keys" | "aria-keyshortcuts"> {
  return page.single_keys ? { keys: [key], "aria-keyshortcuts": ownKeys[key] ?? key } : {};
}

export function Button({ look = "", keys, children, ...rest }: ButtonProps) {
  return (
    <button type="button" class={look.startsWith("link") ? look : `btn ${look}`.trim()} {...rest}>
      {children}
      {keys && (
        <span class="keys-shown" aria-hidden="true">
          <Keys keys={keys} />
        </span>
      )}
    </button>
  );
}

export function HomeLink({ page, look = "btn" }: { page: PageData; look?: string }) {
  return (
    <a class={look} href={page.urls.home}>
      {t("My tasks")}
    </a>
  );
}

export function LanguagePair({ page: { source, target } }: { page: PageData }) {
  return (
    <>
      {source.name}{" "}
      <span class="way" aria-hidden="true">
        →
      </span>
      <span class="vh">{t("to")}</span> {target.name}
    </>
  );
}

/** "German, translation": the name of a text, above it. */
export function textName(page: PageData, what: "source" | "reference" | "translation"): string {
  return {
    source: t("{language}, source", { language: page.source.name }),
    reference: t("{language}, reference", { language: page.target.name }),
    translation: t("{language}, translation", { language: page.target.name }),
  }[what];
}

interface NoteProps {
  readonly look?: "" | "ok" | "info" | "warn" | "bad";
  readonly icon: IconName;
  readonly role?: "alert" | "status";
  readonly children: ComponentChildren;
}

export function Note({ look = "", icon, role, children }: NoteProps) {
  return (
    <div class={`note ${look}`.trim()} {...(role && { role })}>
      <Icon name={icon} />
      {children}
    </div>
  );
}

interface ReadProps {
  readonly of: Language;
  readonly text?: string | null;
  readonly className?: string;
  readonly id?: string;
  /** Parts of the text, where something is marked in it; else the text. */
  readonly children?: ComponentChildren;
}

/** A text under judgment has its own language and direction, whatever those of the interface; an empty one is none. */
export function Read({ of, text, className, id, children }: ReadProps) {
  return (
    <p class={className ? `read ${className}` : "read"} id={id} lang={of.language} dir={of.direction}>
      {text === "" ? <NoOutput /> : (children ?? (text && visible(text)))}
    </p>
  );
}

/** In place of an empty translation: words of the interface among texts. */
export function NoOutput(focus: ComponentProps<"span">) {
  return (
    <span class="no-output" lang={document.documentElement.lang} dir="auto" {...focus}>
      {t("[no output]")}
    </span>
  );
}

/** A radio that distinguishes clicks from arrow keys: arrows walk through native radios, so only a click moves on. */
export function Radio({ onChoose, ...rest }: ComponentProps<"input"> & { onChoose: (isClicked: boolean) => void }) {
  const isClicked = useRef(false);
  return (
    <input
      type="radio"
      {...rest}
      onClick={(event) => {
        isClicked.current = event.detail > 0;
        if (isClicked.current && rest.checked) onChoose(true); // chosen before: a click still moves on
      }}
      onChange={() => onChoose(isClicked.current)}
    />
  );
}

/** Moves the focus at once, so that the next key finds it there, however fast it comes: when the answer is drawn, as
    the element may have come or changed with it; else with the next picture. */
export function giveFocus(id: string): void {
  queueMicrotask(() => focusOn(id) || requestAnimationFrame(() => focusOn(id)));
}

function focusOn(id: string): boolean {
  const element = document.getElementById(id);
  element?.focus();
  return element !== null && document.activeElement === element;
}
