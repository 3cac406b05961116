/* The small scripts of the server-rendered pages. Each binds itself to its attributes; without them the pages still
   work. */

import { forgetStoredPages } from "./offline/stored_pages";
import { bindCopies } from "./pages/copies";
import { bindFormDrafts } from "./pages/form_drafts";
import { bindFormFields } from "./pages/form_fields";
import { bindLive } from "./pages/live";
import { bindLoadMore } from "./pages/load_more";
import { bindReplays } from "./pages/replays";
import { bindSegments } from "./pages/segments";
import { bindSorting } from "./pages/sorting";
import { bindUnsentAnswers } from "./pages/unsent_answers";
import { bindUploads } from "./pages/uploads";

function bindAll(root: ParentNode): void {
  showShares(root);
  showCurrentTab(root);
  bindCopies(root);
  bindSorting(root);
  bindLive(root, bindAll);
  bindUploads(root, bindAll);
  bindFormFields(root, bindAll);
  bindFormDrafts(root);
  bindSegments(root);
  bindLoadMore(root);
  bindReplays(root);
  bindUnsentAnswers(root);
}

/** [data-share]: the share that a meter shows, set through the object model: the policy forbids style attributes. */
function showShares(root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLElement>("[data-share]")) {
    const share = Math.min(Math.max(Number(element.dataset.share), 0), 1);
    element.style.setProperty("--p", `${Number.isFinite(share) ? share * 100 : 0}%`);
  }
}

/** .tabs: on a narrow screen the tab of this page is scrolled into view, sideways only. */
function showCurrentTab(root: ParentNode): void {
  for (const tabs of root.querySelectorAll<HTMLElement>(".tabs")) {
    const current = tabs.querySelector<HTMLElement>("[aria-current]");
    if (current) tabs.scrollLeft = current.offsetLeft + current.offsetWidth / 2 - tabs.clientWidth / 2;
  }
}

bindAll(document);
void forgetStoredPages(document.body);
