/* Dialogs about the item and the task: guidelines, keys, a reason for not judging, a comment, a problem report. */

import { useState } from "preact/hooks";

import type { KeyHint } from "../../protocols/protocol";
import type { Answer } from "../api";
import { workOf } from "../state";
import { t } from "../words";
import type { Workbench } from "../workbench";
import { Icon, Keys } from "./marks";
import { Choices, Modal } from "./modal";
import { Read } from "./read";

interface Props {
  readonly workbench: Workbench;
}

export function Guidelines({ workbench }: Props) {
  const { guidelines } = workbench.page;
  return (
    <Modal id="guidelines" title={t("Guidelines")} isSheet onClose={workbench.closeDialog}>
      {guidelines ? (
        // The server has cleaned this text; scripts could not run under the page's policy either.
        <div class="guidelines" dir="auto" dangerouslySetInnerHTML={{ __html: guidelines }} />
      ) : (
        <p class="muted">{t("The organiser wrote no guidelines for this campaign.")}</p>
      )}
    </Modal>
  );
}

export function KeyHelp({ workbench }: Props) {
  const rows: KeyHint[] = [
    ...workbench.protocol.keys,
    { keys: ["↑", "↓"], does: t("Look at another segment") },
    { keys: ["Enter"], does: t("Submit and go on") },
    { keys: ["Ctrl", "Enter"], does: t("Submit, also from a text field") },
    { keys: ["Alt", "←"], does: t("Go back") },
    { keys: ["Ctrl", "Z"], does: t("Undo") },
    { keys: ["Ctrl", "Shift", "Z"], does: t("Redo") },
    { keys: ["G"], does: t("Guidelines") },
    ...(workbench.isPractice ? [] : [{ keys: ["F"], does: t("Report a problem with this item") }]),
    { keys: ["?"], does: t("This help") },
  ];
  return (
    <Modal id="keys" title={t("Keys")} onClose={workbench.closeDialog}>
      <dl class="keys">
        {rows.map(({ keys, does }) => (
          <div key={does}>
            <dt>{does}</dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
      <p class="small muted">
        {workbench.page.single_keys
          ? t("Single keys can be switched off in Settings. The forms with Ctrl and Alt keep working.")
          : t("Single keys are switched off in Settings: letters, digits and ? do nothing here.")}
      </p>
    </Modal>
  );
}

export function Reason({ workbench }: Props) {
  const { entered } = workOf(workbench.state.value, workbench.state.value.current);
  const [chosen, choose] = useState<string | null>(null);
  const confirm = () => chosen && workbench.chooseReason(chosen);
  return (
    <Modal id="reason" title={t("Cannot judge")} onClose={workbench.closeDialog} onConfirm={confirm}>
      <p class="muted">{t("Saying so is better than a guess. You can take it back, now and later.")}</p>
      <Choices
        legend={t("Why?")}
        name="reason"
        choices={workbench.page.reasons.cannot_judge}
        chosen={chosen}
        onChoose={choose}
      />
      <CommentField workbench={workbench} comment={entered.comment} />
      <div class="row end">
        <button type="button" class="btn" onClick={workbench.closeDialog}>
          {t("Close")}
        </button>
        <button type="submit" class="btn go" aria-disabled={chosen ? undefined : "true"}>
          {t("Do not judge it")}
        </button>
      </div>
    </Modal>
  );
}

export function Comment({ workbench }: Props) {
  const { entered } = workOf(workbench.state.value, workbench.state.value.current);
  const submit = () => {
    workbench.closeDialog();
    workbench.submit();
  };
  return (
    <Modal id="comment" title={t("Comment")} onClose={workbench.closeDialog} onConfirm={submit}>
      <CommentField workbench={workbench} comment={entered.comment} isFirst />
      <div class="row end">
        <button type="button" class="btn go" onClick={workbench.closeDialog}>
          {t("Close")}
        </button>
      </div>
    </Modal>
  );
}

function CommentField({ workbench, comment, isFirst = false }: Props & { comment: string; isFirst?: boolean }) {
  return (
    <div class="field">
      <label for="comment-text">
        {t("Comment")} <span class="faint optional">{t("optional, kept with your answer")}</span>
      </label>
      <textarea
        class="input"
        id="comment-text"
        rows={4}
        dir="auto"
        maxLength={5000}
        autofocus={isFirst}
        value={comment}
        onInput={(event) => workbench.comment(event.currentTarget.value)}
      />
    </div>
  );
}

export function Report({ workbench }: Props) {
  const { reason, note, stage } = workbench.report.form.value;
  const write = (part: { reason?: string; note?: string }) =>
    (workbench.report.form.value = { ...workbench.report.form.value, ...part, stage: "writing" });
  const send = () => void workbench.sendReport();
  return (
    <Modal id="report" title={t("Report a problem")} onClose={workbench.closeDialog} onConfirm={send}>
      <p class="muted">{t("The organiser reads it. It does not replace your judgment.")}</p>
      <Choices
        legend={t("What is wrong?")}
        name="report-reason"
        choices={workbench.page.reasons.report}
        chosen={reason}
        onChoose={(key) => write({ reason: key })}
      />
      <div class="field">
        <label for="report-note">
          {t("In your words")} <span class="faint optional">{t("optional")}</span>
        </label>
        <textarea
          class="input"
          id="report-note"
          rows={3}
          dir="auto"
          maxLength={5000}
          value={note}
          onInput={(event) => write({ note: event.currentTarget.value })}
        />
      </div>
      <p class="complaint" role="alert">
        {stage === "failed" ? t("The report could not be sent. Your words stay here; try again in a moment.") : ""}
      </p>
      <div class="row end">
        <button type="button" class="btn" onClick={workbench.closeDialog}>
          {t("Close")}
        </button>
        <button type="submit" class="btn go" aria-disabled={reason ? undefined : "true"}>
          {stage === "sending" ? t("Sending") : t("Send the report")}
        </button>
      </div>
    </Modal>
  );
}

export function SignedOut({ workbench }: Props) {
  const { unsent } = workbench.saver;
  const isAnothers = workbench.session.isAnothers;
  return (
    <Modal
      id="signed-out"
      title={isAnothers ? t("Somebody else is signed in") : t("You are signed out")}
      onClose={workbench.closeDialog}
      onConfirm={workbench.tryAgain}
    >
      <p>
        {unsent > 0 && (
          <>
            <b>{t("Nothing is lost.")}</b> {t("Your answers are kept here.")}{" "}
          </>
        )}
        {isAnothers
          ? t(
              "Your answers are never sent under another account. Sign out there and sign in as yourself, " +
                "then come back: what is kept will be sent by itself.",
            )
          : t("Sign in again in a new tab, then come back: what is kept will be sent by itself.")}
      </p>
      <div class="row end">
        <button type="button" class="btn" onClick={workbench.tryAgain}>
          {t("Try now")}
        </button>
        <a class="btn go" href={workbench.page.urls.sign_in} target="_blank" rel="noopener" autofocus>
          {t("Sign in again")}
          <span class="vh"> ({t("opens a new tab")})</span>
        </a>
      </div>
    </Modal>
  );
}

export function Conflict({ workbench }: Props) {
  const {
    protocol,
    saver: { conflict },
  } = workbench;
  const item = workbench.state.value.items.find(({ id }) => id === conflict?.held.item);
  if (!conflict || conflict.held.hold?.why !== "conflict") return null;
  const say = (answer: Answer | null) => {
    if (answer?.cannot_judge) return t("cannot judge");
    return item && answer ? protocol.summary(item, answer) : t("another answer");
  };
  const there = say(conflict.held.hold.answer);
  const here = say(conflict.newest.answer);
  const answers = [conflict.held.hold.answer, conflict.newest.answer];
  const quotes = answers.map((answer) =>
    item && answer && !answer.cannot_judge ? (protocol.quote?.(item, answer) ?? "") : "",
  );
  const isQuoted = quotes.every(Boolean);
  const alike = isQuoted ? quotes[0] === quotes[1] : there === here;
  return (
    <Modal id="conflict" title={t("Changed in another place")} onClose={workbench.closeDialog}>
      <div class="note warn">
        <Icon name="alert" />
        <p>
          <b>{t("This segment was changed in another tab or on another device.")}</b>
        </p>
        <p>
          {alike
            ? t("The answer is the same, but the comments differ.")
            : !isQuoted && t("There you gave {there}, here {here}.", { there, here })}
        </p>
      </div>
      {isQuoted &&
        !alike &&
        item &&
        answers.map((answer, place) => (
          <div key={place} class="stack-s">
            <p class="lang">{place ? t("Here") : t("There")}</p>
            {answer && protocol.Told ? (
              <protocol.Told item={item} answer={answer} page={workbench.page} />
            ) : (
              <Read of={workbench.page.target} text={quotes[place] ?? ""} />
            )}
          </div>
        ))}
      {!isQuoted && item && (
        <p class="read" lang={workbench.page.target.language} dir={workbench.page.target.direction}>
          {item.slots[0]?.text}
        </p>
      )}
      <div class="row end">
        <button type="button" class="btn" onClick={() => void workbench.decide("theirs")}>
          {alike || isQuoted ? t("Keep the other") : t("Keep {score}", { score: there })}
        </button>
        <button type="button" class="btn" onClick={() => void workbench.decide("mine")}>
          {alike || isQuoted ? t("Keep this one") : t("Keep {score}", { score: here })}
        </button>
      </div>
    </Modal>
  );
}
