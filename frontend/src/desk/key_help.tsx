/* Which keys do what, to be read, printed and changed; and the size of the texts. */

import { useLayoutEffect, useRef, useState } from "preact/hooks";

import type { KeyHint } from "../protocols/protocol";
import type { DeskSettings } from "../workbench/page";
import { Button, Keys, ownKeys } from "../workbench/render/controls";
import { Modal } from "../workbench/render/modal";
import { t } from "../workbench/words";
import type { Workbench } from "../workbench/workbench";
import {
  capOf,
  type Changeable,
  changeableIn,
  fitting,
  LEFT_HAND,
  type OwnKeys,
  pressedFor,
  refusalOf,
  RIGHT_HAND,
} from "./own_keys";

interface Props {
  readonly workbench: Workbench;
  readonly settings: DeskSettings;
  readonly onChange: (settings: DeskSettings) => void;
}

export function hintsOf(workbench: Workbench): KeyHint[] {
  return [
    ...workbench.protocol.keys,
    ...workbench.moreKeys,
    { keys: ["↑", "↓"], does: t("Go to another segment") },
    ...(workbench.protocol.submitsTexts ? [] : [{ keys: ["Enter"], does: t("Submit and continue") }]),
    { keys: ["Ctrl", "Enter"], does: t("Submit, also from a text field") },
    { keys: ["Alt", "←"], does: t("Go back") },
    { keys: ["Ctrl", "Z"], does: t("Undo") },
    { keys: ["Ctrl", "Shift", "Z"], does: t("Redo") },
    { keys: ["G"], does: t("Guidelines") },
    ...(workbench.isPractice ? [] : [{ keys: ["F"], does: t("Report a problem with this item") }]),
    { keys: ["?"], does: t("This help") },
  ];
}

export function KeyHelp(props: Props) {
  const { workbench } = props;
  const [isChanging, setChanging] = useState(false);
  return (
    <Modal id="keys" title={t("Keys and text size")} onClose={workbench.closeDialog}>
      <TextSize {...props} />
      {isChanging ? (
        <OwnKeysForm {...props} onDone={() => setChanging(false)} />
      ) : (
        <>
          <dl class="keys">
            {hintsOf(workbench).map(({ keys, does }) => (
              <div key={does}>
                <dt>{does}</dt>
                <dd>
                  <Keys keys={keys} />
                </dd>
              </div>
            ))}
          </dl>
          <div class="row tight">
            <Button onClick={() => setChanging(true)}>{t("Change the keys")}</Button>
            <Button onClick={() => print()}>{t("Print this list")}</Button>
          </div>
        </>
      )}
      <p class="small muted">
        {workbench.page.single_keys
          ? t("You can switch off single-key shortcuts in Settings. Shortcuts with Ctrl and Alt keep working.")
          : t("Single-key shortcuts are switched off in Settings: letters, digits and ? do nothing here.")}
      </p>
    </Modal>
  );
}

function TextSize({ settings, onChange }: Props) {
  const sizes: Record<DeskSettings["text_size"], string> = {
    small: t("Small"),
    medium: t("Medium"),
    large: t("Large"),
    larger: t("Larger"),
  };
  return (
    <fieldset class="field text-size">
      <legend class="label">{t("Size of the texts")}</legend>
      <div class="seg-ctl">
        {(Object.keys(sizes) as (keyof typeof sizes)[]).map((size) => (
          <label key={size}>
            <input
              type="radio"
              name="text-size"
              checked={settings.text_size === size}
              onChange={() => onChange({ ...settings, text_size: size })}
            />
            {sizes[size]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Press a button, then the new key: what cannot be says why. */
function OwnKeysForm({ workbench, settings, onChange, onDone }: Props & { onDone: () => void }) {
  const all = changeableIn(hintsOf(workbench));
  const own = settings.keys;
  const [asked, ask] = useState("");
  const [said, say] = useState("");
  const top = useRef<HTMLElement>(null);
  useLayoutEffect(() => top.current?.scrollIntoView?.({ block: "start" }), []);
  const put = (keys: OwnKeys, words: string) => {
    onChange({ ...settings, keys: { ...keys } });
    ask("");
    say(words);
  };
  const onKeyDown = (event: KeyboardEvent, { cap, does }: Changeable) => {
    if (asked !== cap || event.key === "Tab" || ["Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") return ask("");
    const refusal = refusalOf(event, cap, all, own);
    if (refusal) return say(refusal);
    const pressed = capOf(event);
    const { [cap]: _before, ...others } = own;
    put(pressed === cap ? others : { ...others, [cap]: pressed }, t("{does}: {key}", { does, key: pressed }));
  };
  /** What other protocols' desks have changed stays. */
  const elsewhere = Object.fromEntries(Object.entries(own).filter(([cap]) => !all.some((each) => each.cap === cap)));
  const take = (set: OwnKeys, words: string) => put({ ...elsewhere, ...fitting(set, all) }, words);
  return (
    <section ref={top} class="stack-s own-keys">
      <p class="small muted">{t("Choose a key, then press the one that you want in its place. Esc leaves it.")}</p>
      <div class="row tight">
        <Button onClick={() => take(LEFT_HAND, t("The keys are within reach of the left hand."))}>
          {t("Left hand")}
        </Button>
        <Button onClick={() => take(RIGHT_HAND, t("The keys are within reach of the right hand."))}>
          {t("Right hand")}
        </Button>
        <Button onClick={() => put(elsewhere, t("The keys are as they were at first."))}>{t("Reset the keys")}</Button>
      </div>
      <p class="said small" role="status">
        {said}
      </p>
      <dl class="keys">
        {all.map((each) => (
          <div key={each.cap}>
            <dt>
              {each.does} {pressedFor(each.cap, own) !== each.cap && <span class="faint">({each.cap})</span>}
            </dt>
            <dd>
              <button
                type="button"
                class="btn small"
                aria-pressed={asked === each.cap}
                aria-label={t("Key for: {does}, now {key}", { does: each.does, key: pressedFor(each.cap, own) })}
                onClick={() => {
                  ask(each.cap);
                  say(t("Press the new key for: {does}", { does: each.does }));
                }}
                onKeyDown={(event) => onKeyDown(event, each)}
                onBlur={() => asked === each.cap && ask("")}
              >
                {asked === each.cap ? "…" : <span dir="ltr">{pressedFor(each.cap, own)}</span>}
              </button>
            </dd>
          </div>
        ))}
      </dl>
      <div class="row end">
        <Button look="go" onClick={onDone}>
          {t("Done")}
        </Button>
      </div>
    </section>
  );
}

/** The caps of both scripts show the keys that are pressed. */
export function showKeys(workbench: Workbench, keys: OwnKeys): void {
  for (const shown of [workbench.ownKeys, ownKeys]) {
    for (const cap of Object.keys(shown)) delete shown[cap];
    Object.assign(shown, keys);
  }
}
