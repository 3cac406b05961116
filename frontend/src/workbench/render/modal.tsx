/* A native modal dialog: it takes the focus, gives it back, and Esc leaves it. */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

import { t } from "../words";
import { Button, Icon } from "./controls";

interface ModalProps {
  readonly id: string;
  readonly title: string;
  readonly isSheet?: boolean;
  readonly onClose: () => void;
  /** What the main button does, and Enter outside of text fields, and Ctrl+Enter everywhere. */
  readonly onConfirm?: () => void;
  readonly children: ComponentChildren;
}

export function Modal({ id, title, isSheet = false, onClose, onConfirm, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  const confirm = (event: Event) => {
    event.preventDefault();
    (onConfirm ?? onClose)();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing) confirm(event);
  };
  const cancel = (event: Event) => {
    event.preventDefault();
    onClose();
  };
  return (
    <dialog
      ref={dialog}
      class={isSheet ? "sheet" : undefined}
      aria-labelledby={`${id}-heading`}
      onCancel={cancel}
      onKeyDown={onKeyDown}
    >
      <form method="dialog" class={isSheet ? "stack-l" : "stack"} onSubmit={confirm}>
        <div class="row split">
          <h2 id={`${id}-heading`}>{title}</h2>
          <Button look="quiet icon" aria-label={t("Close")} onClick={onClose}>
            <Icon name="close" />
          </Button>
        </div>
        {children}
      </form>
    </dialog>
  );
}

interface ChoicesProps {
  readonly legend: string;
  readonly name: string;
  readonly choices: Readonly<Record<string, string>>;
  readonly chosen: string | null;
  readonly onChoose: (key: string) => void;
}

/** Radios, one a line; the first or the chosen one takes the focus when a dialog opens. */
export function Choices({ legend, name, choices, chosen, onChoose }: ChoicesProps) {
  return (
    <fieldset class="field">
      <legend class="label">{legend}</legend>
      {Object.entries(choices).map(([key, words], index) => (
        <label key={key} class="check">
          <input
            type="radio"
            name={name}
            value={key}
            checked={chosen === key}
            autofocus={chosen ? chosen === key : index === 0}
            onChange={() => onChoose(key)}
          />
          <span>{words}</span>
        </label>
      ))}
    </fieldset>
  );
}
