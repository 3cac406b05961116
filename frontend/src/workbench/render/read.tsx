/* Material under judgment speaks its own language in its own direction, whatever the interface does. */

import type { ComponentChildren } from "preact";

import type { Language } from "../page";

interface ReadProps {
  readonly of: Language;
  readonly text?: string | null;
  readonly className?: string;
  /** Parts of the text, where something is marked in it; else the text. */
  readonly children?: ComponentChildren;
}

export function Read({ of, text, className, children }: ReadProps) {
  return (
    <p class={className ? `read ${className}` : "read"} lang={of.language} dir={of.direction}>
      {children ?? text}
    </p>
  );
}
