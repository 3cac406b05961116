/* What annotators are told about this text, above its first row: one line when folded. */

import { rememberFolding } from "../../beside/folding";
import { Icon } from "../../workbench/render/controls";
import { t } from "../../workbench/words";
import type { MarkingDesk } from "./marking_desk";

const SHORT = 90;

export function Brief({ desk }: { desk: MarkingDesk }) {
  const words = desk.items.find(({ instruction }) => instruction)?.instruction;
  if (!words) return null;
  const isOpen = desk.isBriefOpen.value;
  const short = words.length > SHORT ? `${words.slice(0, SHORT).trim()}…` : words;
  return (
    <details
      class="brief"
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => rememberFolding(!(desk.isBriefOpen.value = open))}
    >
      <summary id="brief" aria-keyshortcuts={desk.workbench.page.single_keys ? "B" : undefined}>
        <Icon name="fold" />
        {t("Instruction for this text")}
        {!isOpen && (
          <span dir="auto" aria-hidden="true">
            {short}
          </span>
        )}
      </summary>
      <p dir="auto">{words}</p>
    </details>
  );
}
