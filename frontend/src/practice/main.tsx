/* Practice on the judging page: loaded before the workbench, only for practice. It shows what can be skipped, and after
   an answer what was right. */

import { render } from "preact";

import type { Feedback } from "../workbench/api";
import { speak } from "../workbench/words";
import type { Workbench } from "../workbench/workbench";
import { lessonsOf } from "./lessons";
import { PracticeBar } from "./practice_bar";
import { Verdict } from "./verdict";

addEventListener("workbench", (event) => openPractice((event as CustomEvent<Workbench>).detail), { once: true });

function openPractice(workbench: Workbench): void {
  speak(workbench.page.catalogue, document.documentElement.lang);
  if (workbench.page.preview) askServer(workbench);
  const bar = document.createElement("div");
  const verdict = document.createElement("div");
  document.body.append(verdict);
  const draw = () => {
    if (!bar.isConnected) document.getElementById("main")?.prepend(bar);
    render(<PracticeBar workbench={workbench} state={workbench.state.value} />, bar);
    const lessons = lessonsOf(workbench);
    render(lessons.length > 0 ? <Verdict key="verdict" workbench={workbench} lessons={lessons} /> : null, verdict);
  };
  // Not an effect: signals of another script are followed only through their own `subscribe`.
  workbench.state.subscribe(draw);
  workbench.saver.state.subscribe(draw);
}

/** A preview stores nothing, but its server says what an annotator would be told. */
function askServer({ api, page }: Workbench): void {
  const { submit } = api;
  const token = document.querySelector<HTMLInputElement>("[name=csrfmiddlewaretoken]")?.value ?? "";
  api.submit = async (place, id, judgment) => {
    const outcome = await submit(place, id, judgment);
    if (outcome.kind !== "ok") return outcome;
    const address = `${page.urls.api}campaigns/${page.campaign.slug}/practice/items/${id}/trial`;
    const response = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRFToken": token },
      body: JSON.stringify({ answer: judgment.answer }),
    }).catch(() => null);
    if (!response?.ok) return outcome;
    return { ...outcome, body: { ...outcome.body, feedback: (await response.json()) as Feedback } };
  };
}
