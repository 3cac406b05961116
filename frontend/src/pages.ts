/* The small scripts of the server-rendered pages. Each binds itself where its attribute stands; without them the pages
   still work. */

import { forgetKeptPages } from "./offline/kept_pages";
import { bindAsking } from "./pages/asking";
import { bindCopying } from "./pages/copying";
import { bindFormDrafts } from "./pages/drafts";
import { bindFileTexts } from "./pages/file_texts";
import { bindLive } from "./pages/live";
import { bindMeters } from "./pages/meters";
import { bindPeopleLists } from "./pages/people_list";
import { bindPictures } from "./pages/pictures";
import { bindProtocolChoice } from "./pages/protocol_choice";
import { bindSegments } from "./pages/segments";
import { bindSendingKept } from "./pages/sending_kept";
import { bindServerDrafts } from "./pages/server_drafts";
import { bindSigningOut } from "./pages/signing_out";
import { bindSorting } from "./pages/sorting";
import { bindSums } from "./pages/sums";
import { bindSuggestions } from "./pages/suggestions";
import { bindTabs } from "./pages/tabs";
import { bindUploads } from "./pages/uploads";

function bindAll(root: ParentNode): void {
  bindMeters(root);
  bindCopying(root);
  bindSorting(root);
  bindLive(root, bindAll);
  bindAsking(root, bindAll);
  bindSums(root, bindAll);
  bindUploads(root, bindAll);
  bindSuggestions(root);
  bindFileTexts(root);
  bindPeopleLists(root);
  bindPictures(root);
  bindProtocolChoice(root);
  bindFormDrafts(root);
  bindServerDrafts(root);
  bindSegments(root);
  bindSendingKept(root);
  bindSigningOut(root);
  bindTabs(root);
}

bindAll(document);
void forgetKeptPages(document.body);
