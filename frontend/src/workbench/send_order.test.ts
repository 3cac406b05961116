import { expect, test } from "vitest";

import { judgment, scored } from "../testing/sample_task";
import { firstSendable } from "./send_order";
import type { UnsentJudgment } from "./storage";

const refused = { why: "refused", errors: {} } as const;
const row = (item: string, screen?: string, hold: UnsentJudgment["hold"] = null): UnsentJudgment => ({
  ...judgment(item, scored(1)),
  ...(screen !== undefined && { screen }),
  hold,
});
const items = (...all: UnsentJudgment[]) => firstSendable(all, new Set()).map(({ item }) => item);

test("the rows of a screen are sent together, oldest first", () => {
  expect(items(row("a"), row("b1", "B"), row("b2", "B"))).toEqual(["a"]);
  expect(items(row("b1", "B"), row("b2", "B"), row("c"))).toEqual(["b1", "b2"]);
});

test("a row on hold holds up its screen, whichever of its rows it is", () => {
  expect(items(row("b1", "B"), row("b2", "B", refused), row("c1", "C"))).toEqual(["c1"]);
});

test("a later answer waits for all rows of the screen before it", () => {
  expect(items(row("b1", "B"), row("b2", "B", refused), row("b1", "D"), row("e", "D"), row("f"))).toEqual(["f"]);
});

test("what has just failed is passed over", () => {
  const all = [row("b1", "B"), row("b2", "B"), row("c")];
  expect(firstSendable(all, new Set(["b2"])).map(({ item }) => item)).toEqual(["c"]);
});
