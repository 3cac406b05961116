import { beforeEach, describe, expect, test } from "vitest";

import { directAssessment } from "../testing/sample_protocols";
import * as actions from "./actions";
import { type ContextSegment, EMPTY_ANSWER, type Item } from "./api";
import { redo, undo } from "./actions";
import { judgment, sampleItem, sampleItems, samplePage, scored } from "../testing/sample_task";
import { INITIAL, placeOf, rowsOf, type State, textsAhead, workOf } from "./state";
import type { UnsentDraft } from "./storage";

const protocol = directAssessment({});

function opened(items: Item[] = sampleItems(), context: ContextSegment[] = []): State {
  return actions.begin(actions.load(INITIAL, { ...samplePage(items), context }, []));
}

function enterScore(state: State, score: number, at = 0): State {
  return actions.change(state, { answer: scored(score), merge: "dragged:A", typed: null }, at);
}

/** Scores the current item and moves on. */
function judge(state: State, score: number, at = 0): State {
  return actions.submit(enterScore(state, score, at), protocol).state;
}

let state: State;
beforeEach(() => {
  state = opened();
});

describe("opening", () => {
  test("begins at the first item that is not answered", () => {
    const [first, ...rest] = sampleItems();
    expect(opened([{ ...first!, answer: scored(50), revision: 1 }, ...rest]).current).toBe("a2");
  });

  test("shows a draft before an older answer", () => {
    const item = sampleItem({ answer: scored(50), revision: 1, draft: scored(60) });
    expect(workOf(opened([item, sampleItem({ id: "a2" })]), "a1")).toEqual({
      entered: scored(60),
      submitted: scored(50),
      revision: 1,
    });
  });

  test("items answered on this device count as answered, and are not asked again", () => {
    const loaded = actions.load(INITIAL, samplePage(), [judgment("a1", scored(40))]);
    expect(actions.begin(loaded).current).toBe("a2");
  });

  test("a stored draft is shown unless the server knows a newer revision", () => {
    const draft: UnsentDraft = {
      kind: "draft",
      key: "d",
      order: 1,
      assignment: "1",
      item: "a1",
      answer: scored(33),
      base_revision: 0,
    };
    expect(workOf(actions.load(INITIAL, samplePage(), [draft]), "a1").entered).toEqual(scored(33));
    const judged = samplePage([sampleItem({ answer: scored(50), revision: 1 })]);
    expect(workOf(actions.load(INITIAL, judged, [draft]), "a1").entered).toEqual(scored(50));
  });

  test("an assignment without items has nothing to judge", () => {
    expect(opened([]).phase).toBe("nothing");
  });

  test("an assignment with all answers is only waiting for the last of them", () => {
    expect(opened([sampleItem({ answer: scored(50), revision: 1 })]).phase).toBe("sending");
  });
});

describe("loading more", () => {
  test("adds what is new and keeps what is on the screen", () => {
    const changed = enterScore(state, 70);
    const more = actions.load(
      changed,
      samplePage([sampleItem({ draft: scored(1) }), sampleItem({ id: "c1", document: "c" })]),
      [],
    );
    expect(more.items.map((item) => item.id)).toEqual(["a1", "a2", "a3", "b1", "b2", "c1"]);
    expect(workOf(more, "a1").entered).toEqual(scored(70));
    expect(more.exhausted).toBe(false);
  });

  test("nothing new means that there is no more", () => {
    expect(actions.load(state, samplePage([]), []).exhausted).toBe(true);
  });

  test("does not count by a page of further texts, which may be older or newer than the receipts", () => {
    const state = { ...actions.begin(actions.load(INITIAL, samplePage(), [])), done: 2 };
    expect(actions.extend(state, { ...samplePage([sampleItem({ id: "c1", document: "c" })]), done: 1 }, []).done).toBe(
      2,
    );
    expect(actions.extend(state, { ...samplePage([]), done: 3 }, []).done).toBe(2);
  });

  test("an answer stored only here is not replaced by an older one of the server", () => {
    const settled = actions.settle(judge(state, 50), "a1", { revision: 1, done: 1, total: 5, completion_code: null });
    expect(workOf(actions.load(settled, samplePage(), []), "a1").submitted).toEqual(scored(50));
  });

  test("texts ahead are counted from the current one", () => {
    expect(textsAhead(state)).toBe(1);
    expect(textsAhead(actions.enter(state, "b1"))).toBe(0);
  });
});

describe("rows", () => {
  const context: ContextSegment[] = [
    { document: "a", position: 1, source: "Two.", reference: null, text: "Zwei." },
    { document: "b", position: 1, source: "Elsewhere.", reference: null, text: "Anderswo." },
  ];

  test("context is shown in its place and counted, other texts are not shown", () => {
    const items = [
      sampleItem({ position: 0 }),
      sampleItem({ id: "a3", position: 2 }),
      sampleItem({ id: "b1", document: "b", position: 0 }),
    ];
    const rows = rowsOf(opened(items, context));
    expect(rows.map((row) => (row.kind === "item" ? row.item.id : row.segment.text))).toEqual(["a1", "Zwei.", "a3"]);
    expect(placeOf(actions.enter(opened(items, context), "a3"))).toEqual({ number: 3, of: 3, isDocument: false });
  });

  test("the question about the document comes last and does not count as a segment", () => {
    const items = [
      sampleItem({ id: "d", level: "document", position: 9 }),
      sampleItem(),
      sampleItem({ id: "a2", position: 1 }),
    ];
    const entered = actions.enter(opened(items), "d");
    expect(rowsOf(entered).map((row) => row.kind === "item" && row.item.id)).toEqual(["a1", "a2", "d"]);
    expect(placeOf(entered)).toEqual({ number: 3, of: 2, isDocument: true });
    expect(entered.announcement).toBe("The whole document");
  });

  test("two runs of the same document are two texts", () => {
    const items = [
      sampleItem(),
      sampleItem({ id: "b1", document: "b", position: 1 }),
      sampleItem({ id: "a9", position: 2 }),
    ];
    expect(rowsOf(opened(items))).toHaveLength(1);
  });
});

describe("submitting", () => {
  test("without an answer says what is missing and stays", () => {
    const { state: after, answer } = actions.submit(state, protocol);
    expect([after.complaint, after.current, answer]).toEqual(["Choose a score first.", "a1", null]);
    expect(enterScore(after, 10).complaint).toBe("");
  });

  test("moves to the next item and announces its place", () => {
    const after = judge(state, 74);
    expect([after.current, after.announcement]).toEqual(["a2", "Segment 2 of 3"]);
    expect(workOf(after, "a1").submitted).toEqual(scored(74));
  });

  test("at the end of a text announces the next one", () => {
    const turned = judge(judge(judge(state, 1), 2), 3);
    expect([turned.current, turned.turned]).toEqual(["b1", true]);
    expect(turned.announcement).toBe("Document finished. Next: 2 segments. Segment 1 of 2");
  });

  test("returns to items left out before it moves to the next text", () => {
    const skipped = judge(actions.enter(judge(state, 1), "a3"), 3);
    expect(skipped.current).toBe("a2");
    expect(judge(skipped, 2).current).toBe("b1");
  });

  test("after the last item waits for the server, or for more items", () => {
    const last = judge(judge(judge(judge(state, 1), 2), 3), 4);
    expect(judge(last, 5).phase).toBe("stranded");
    expect(judge({ ...last, exhausted: true }, 5).phase).toBe("sending");
  });

  test("an unchanged answer is not sent again", () => {
    const back = actions.enter(judge(state, 74), "a1");
    const { state: after, answer } = actions.submit(back, protocol);
    expect([answer, after.current]).toEqual([null, "a2"]);
  });

  test("a changed one is a new answer, and then returns to the open item", () => {
    const back = enterScore(actions.enter(judge(judge(state, 74), 50), "a1"), 80);
    const { state: after, answer } = actions.submit(back, protocol);
    expect([answer, after.current]).toEqual([scored(80), "a3"]);
  });
});

describe("not judging", () => {
  test("a reason takes the place of the score and can be taken back", () => {
    const withheld = actions.chooseReason(enterScore(state, 74), "source_unclear", 0);
    expect(workOf(withheld, "a1").entered).toEqual({ slots: {}, comment: "", cannot_judge: "source_unclear" });
    expect(workOf(actions.dropReason(withheld, 0), "a1").entered.cannot_judge).toBeNull();
    expect(workOf(undo(withheld), "a1").entered).toEqual(scored(74));
  });

  test("a reason is an answer; one that is named in the comment needs the comment", () => {
    expect(actions.submit(actions.chooseReason(state, "source_unclear", 0), protocol).answer?.cannot_judge).toBe(
      "source_unclear",
    );
    const other = actions.chooseReason(state, "other", 0);
    expect(actions.missing(other, protocol)).toBe("Give the reason in the comment.");
    expect(actions.missing(actions.comment(other, "A poem.", 0), protocol)).toBe("");
  });
});

describe("undo and redo", () => {
  test("quick changes of one control are one step", () => {
    const dragged = enterScore(enterScore(enterScore(state, 7, 0), 74, 500), 75, 1500);
    expect(workOf(undo(dragged), "a1").entered).toBe(EMPTY_ANSWER);
    expect(workOf(redo(undo(dragged)), "a1").entered).toEqual(scored(75));
  });

  test("a change after a pause is a step of its own", () => {
    const twice = enterScore(enterScore(state, 50, 0), 60, 5000);
    expect(workOf(undo(twice), "a1").entered).toEqual(scored(50));
  });

  test("goes back over submitted items of the same text, and forth again", () => {
    const two = judge(judge(state, 50, 0), 60, 5000);
    const back = undo(undo(undo(two)));
    expect([two.current, undo(two).current, back.current]).toEqual(["a3", "a2", "a1"]);
    expect(redo(redo(redo(back))).current).toBe("a3");
  });

  test("what was submitted stays submitted", () => {
    const back = undo(undo(judge(state, 50)));
    expect([back.current, workOf(back, "a1").entered, workOf(back, "a1").submitted]).toEqual([
      "a1",
      EMPTY_ANSWER,
      scored(50),
    ]);
  });

  test("stops at the beginning of the text, and a new change discards what was undone", () => {
    const turned = judge(judge(judge(state, 1), 2), 3);
    expect(undo(turned)).toBe(turned);
    expect(enterScore(undo(enterScore(state, 50)), 60, 9000).future).toEqual([]);
  });
});

describe("what the server says", () => {
  test("a receipt brings the revision and the counts", () => {
    const settled = actions.settle(judge(state, 50), "a1", { revision: 1, done: 1, total: 5, completion_code: null });
    expect([workOf(settled, "a1").revision, settled.done, settled.total]).toEqual([1, 1, 5]);
  });

  test("taking the other answer replaces ours and its revision", () => {
    const theirs = actions.takeTheirs(judge(state, 62), judgment("a1", scored(62)), {
      revision: 2,
      answer: scored(70),
    });
    expect(workOf(theirs, "a1")).toEqual({ entered: scored(70), submitted: scored(70), revision: 2 });
  });

  test("an item whose answer is discarded is asked again", () => {
    const only = { ...opened([sampleItem()]), exhausted: true };
    const answered = judge(only, 50);
    expect(answered.current).toBe("");
    expect([actions.reopen(answered, "a1").current, actions.reopen(answered, "a1").phase]).toEqual(["a1", "judging"]);
  });
});
