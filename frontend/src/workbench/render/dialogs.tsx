/* Dialogs that a judgment may need: a reason for not judging, a comment, a conflict, signing in. Others: src/desk. */

import { useState } from "preact/hooks";

import { workOf } from "../state";
import { t } from "../words";
import type { Workbench } from "../workbench";
import { Button, Note, Read } from "./controls";
import { Choices, Modal } from "./modal";

interface Props {
  readonly workbench: Workbench;
}

export function Reason({ workbench }: Props) {
  const [chosen, choose] = useState<string | null>(null);
  const confirm = () => chosen && workbench.chooseReason(chosen);
  return (
    <Modal id="reason" title={t("Cannot judge")} onClose={workbench.closeDialog} onConfirm={confirm}>
      <p class="muted">{t("This is better than guessing. You can still change it later.")}</p>
      <Choices
        legend={t("Why?")}
        name="reason"
        choices={workbench.page.reasons.cannot_judge}
        chosen={chosen}
        onChoose={choose}
      />
      <CommentField workbench={workbench} />
      <div class="row end">
        <Button onClick={workbench.closeDialog}>{t("Close")}</Button>
        <Button type="submit" look="go" aria-disabled={chosen ? undefined : "true"}>
          {t("Skip this item")}
        </Button>
      </div>
    </Modal>
  );
}

export function Comment({ workbench }: Props) {
  const submit = () => {
    workbench.closeDialog();
    workbench.submit();
  };
  return (
    <Modal id="comment" title={t("Comment")} onClose={workbench.closeDialog} onConfirm={submit}>
      <CommentField workbench={workbench} isFirst />
      <div class="row end">
        <Button look="go" onClick={workbench.closeDialog}>
          {t("Close")}
        </Button>
      </div>
    </Modal>
  );
}

function CommentField({ workbench, isFirst = false }: Props & { isFirst?: boolean }) {
  const { entered } = workOf(workbench.state.value, workbench.state.value.current);
  return (
    <TextField
      id="comment-text"
      label={t("Comment")}
      hint={t("optional, saved with your answer")}
      autofocus={isFirst}
      value={entered.comment}
      onText={workbench.comment}
    />
  );
}

interface TextFieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly autofocus?: boolean;
  readonly onText: (text: string) => void;
}

export function TextField({ id, label, hint, value, autofocus = false, onText }: TextFieldProps) {
  return (
    <div class="field">
      <label for={id}>
        {label} <span class="faint optional">{hint}</span>
      </label>
      <textarea
        class="input"
        id={id}
        rows={4}
        dir="auto"
        maxLength={5000}
        autofocus={autofocus}
        value={value}
        onInput={(event) => onText(event.currentTarget.value)}
      />
    </div>
  );
}

export function SignedOut({ workbench }: Props) {
  const { unsent } = workbench.saver;
  const isOtherAccount = workbench.session.isOtherAccount;
  return (
    <Modal
      id="signed-out"
      title={isOtherAccount ? t("Somebody else is signed in") : t("You are signed out")}
      onClose={workbench.closeDialog}
      onConfirm={workbench.tryAgain}
    >
      <p>
        {unsent > 0 && (
          <>
            <b>{t("Nothing is lost.")}</b> {t("Your answers are stored on this device.")}{" "}
          </>
        )}
        {isOtherAccount
          ? t(
              "Your answers are never sent under another account. Sign out in the other tab and sign in as yourself, " +
                "then come back: your answers will be sent automatically.",
            )
          : t("Sign in again in a new tab, then come back: your answers will be sent automatically.")}
      </p>
      <div class="row end">
        <Button onClick={workbench.tryAgain}>{t("Try now")}</Button>
        <a class="btn go" href={workbench.page.urls.sign_in} target="_blank" rel="noopener" autofocus>
          {t("Sign in again")}
          <span class="vh"> ({t("opens a new tab")})</span>
        </a>
      </div>
    </Modal>
  );
}

export function Conflict({ workbench }: Props) {
  const { protocol, page } = workbench;
  const { conflict } = workbench.saver;
  const item = workbench.state.value.items.find(({ id }) => id === conflict?.judgment.item);
  if (!conflict || conflict.judgment.hold?.why !== "conflict") return null;
  const answers = [conflict.judgment.hold.answer, conflict.newest.answer];
  const [there = "", here = ""] = answers.map((answer) => {
    if (answer?.cannot_judge) return t("cannot judge");
    return item && answer ? protocol.summary(item, answer) : t("another answer");
  });
  const quotes = answers.map((answer) =>
    item && answer && !answer.cannot_judge ? (protocol.quote?.(item, answer) ?? "") : "",
  );
  const isQuoted = quotes.every(Boolean);
  const isSame = isQuoted ? quotes[0] === quotes[1] : there === here;
  const keep = (words: string, score: string) => (isSame || isQuoted ? words : t("Keep {score}", { score }));
  return (
    <Modal id="conflict" title={t("Changed elsewhere")} onClose={workbench.closeDialog}>
      <Note look="warn" icon="alert">
        <p>
          <b>{t("This segment was changed in another tab or on another device.")}</b>
        </p>
        <p>
          {isSame
            ? t("The answer is the same, but the comments differ.")
            : !isQuoted && t("The other answer is {there}, this one is {here}.", { there, here })}
        </p>
      </Note>
      {isQuoted &&
        !isSame &&
        item &&
        answers.map((answer, place) => (
          <div key={place} class="stack-s">
            <p class="lang">{place ? t("This answer") : t("The other answer")}</p>
            {answer && protocol.AnswerText ? (
              <protocol.AnswerText item={item} answer={answer} page={page} />
            ) : (
              <Read of={page.target} text={quotes[place] ?? null} />
            )}
          </div>
        ))}
      {!isQuoted && item && <Read of={page.target} text={item.slots[0]?.text ?? null} />}
      <div class="row end">
        <Button onClick={() => void workbench.decide("theirs")}>{keep(t("Keep the other answer"), there)}</Button>
        <Button onClick={() => void workbench.decide("mine")}>{keep(t("Keep this answer"), here)}</Button>
      </div>
    </Modal>
  );
}
