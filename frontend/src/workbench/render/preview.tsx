/* What is said while a page is only tried. */

import type { PageData } from "../page";
import { t } from "../words";
import { Icon } from "./marks";

export function PreviewNotice({ page }: { page: PageData }) {
  return (
    <div class="note info">
      <Icon name="info" />
      <p>
        <b>{t("Preview.")}</b> {t("Nothing you enter here is stored.")}{" "}
        <a href={page.urls.home}>{t("Back to the campaign")}</a>
      </p>
    </div>
  );
}

export function PreviewDone({ page }: { page: PageData }) {
  return (
    <div class="wrap page thanks">
      <div class="stack">
        <h1>{t("That was the preview.")}</h1>
        <p class="lede">{t("Annotators go on with the rest of their task here. Nothing you entered was stored.")}</p>
        <p class="row tight">
          <a class="btn go" href={page.urls.home}>
            {t("Back to the campaign")}
          </a>{" "}
          <a class="btn" href="">
            {t("Try again")}
          </a>
        </p>
      </div>
    </div>
  );
}
