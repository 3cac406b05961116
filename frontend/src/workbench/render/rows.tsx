/* The page of protocols that ask one item after the other: the rows of the text, and the dock. */

import type { ScreenParts } from "../../protocols/protocol";
import { Dock } from "./dock";
import { Text } from "./text";

export const ROWS: ScreenParts = {
  Texts: ({ workbench }) => (
    <div class="wrap">
      <Text workbench={workbench} />
    </div>
  ),
  Dock,
};
