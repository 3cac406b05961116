import { expect, test } from "vitest";

import { markedWords, type Part } from "./word_difference";

const inBrackets = (parts: readonly Part[] | undefined) =>
  (parts ?? []).map(({ text, isOwn }) => (isOwn ? `[${text}]` : text)).join("");
const pair = (one: string, other: string) => markedWords([one, other]).map(inBrackets);

test("words that differ are marked on both sides, neighbours together", () => {
  expect(pair("The olive season will be delayed by weeks.", "The olive season will be two weeks late.")).toEqual([
    "The olive season will be [delayed by] weeks.",
    "The olive season will be [two] weeks [late].",
  ]);
});

test("a word that only one text has is marked there", () => {
  expect(pair("Nobody on the quay knew why.", "Nobody knew why.")).toEqual([
    "Nobody [on the quay] knew why.",
    "Nobody knew why.",
  ]);
});

test("equal texts have no mark; compared with an empty text everything is marked", () => {
  expect(pair("All the same.", "All the same.")).toEqual(["All the same.", "All the same."]);
  expect(pair("", "Something.")).toEqual(["", "[Something.]"]);
});

test("the parts joined are the text to the last space", () => {
  const texts = ["  Two  spaces\tand\na line ", "Two spaces, and a  line", " and \u00a0 more"];
  expect(markedWords(texts).map((parts) => parts.map(({ text }) => text).join(""))).toEqual(texts);
});

test("scripts without spaces are compared by character, others by word", () => {
  expect(pair("渡轮晚开了一个小时。", "渡轮迟开了一小时。")).toEqual([
    "渡轮[晚]开了一[个]小时。",
    "渡轮[迟]开了一小时。",
  ]);
  expect(pair("غادرت العبّارة متأخرة", "غادرت العبّارة مبكرة")).toEqual([
    "غادرت العبّارة [متأخرة]",
    "غادرت العبّارة [مبكرة]",
  ]);
});

test("characters beyond the basic plane are not cut", () => {
  expect(pair("Good 🙂 day", "Good 🙁 day")).toEqual(["Good [🙂] day", "Good [🙁] day"]);
});

test("among several texts a word that no other has is marked", () => {
  const marked = markedWords(["The red boat sank.", "The red ship sank.", "The blue ship sank."]).map(inBrackets);
  expect(marked).toEqual(["The red [boat] sank.", "The red ship sank.", "The [blue] ship sank."]);
});

test("a single text has no marks", () => {
  expect(markedWords(["Alone."]).map(inBrackets)).toEqual(["Alone."]);
});

test("texts of the same words are marked where their spaces differ", () => {
  expect(pair("The boat  sank.", "The boat sank. ")).toEqual(["The boat[  ]sank.", "The boat[ ]sank.[ ]"]);
  expect(pair("你好", "你 好")).toEqual(["你好", "你[ ]好"]);
  expect(markedWords(["A boat", "A  boat", "A ship"]).map(inBrackets)).toEqual(["A[ ]boat", "A[  ]boat", "A [ship]"]);
});
