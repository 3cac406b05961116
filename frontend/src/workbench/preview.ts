/* A preview of the page: a few items that came with it, and answers that are stored nowhere. */

import type { components } from "../generated/api";
import { type Answer, type Api, type Outcome, type Place, readItems } from "./api";

type Submitted = { answer: Answer; revision: number };

export function createPreview(written: components["schemas"]["ItemsPage"]): Api {
  const page = readItems(written);
  const answers = new Map<string, Submitted>();
  const total = page.items.length;
  const at = (id: string) => page.items.findIndex((shown) => shown.id === id);

  function from(place: Place) {
    if (place === "") {
      const open = page.items.findIndex(({ id }) => !answers.has(id));
      return open < 0 ? [] : page.items.slice(open);
    }
    if ("after" in place) return page.items.slice(at(place.after) + 1);
    return "before" in place ? page.items.slice(0, at(place.before)) : page.items;
  }

  function store(id: string, answer: Answer): number {
    const revision = (answers.get(id)?.revision ?? page.items[at(id)]?.revision ?? 0) + 1;
    answers.set(id, { answer, revision });
    return revision;
  }

  return {
    items: async (_preview, place) => {
      const items = from(place).map((shown) => ({ ...shown, ...answers.get(shown.id) }));
      const documents = new Set(items.map(({ document }) => document));
      const context = page.context.filter(({ document }) => documents.has(document));
      return ok({ ...page, items, context, done: answers.size, total });
    },
    saveDraft: async () => ok(null),
    submit: async (_preview, id, { answer }) => {
      const revision = store(id, answer);
      return ok({ revision, done: answers.size, total, completion_code: null });
    },
    submitScreen: async (_preview, rows) => {
      const revisions = Object.fromEntries(rows.map(({ item, answer }) => [item, store(item, answer)]));
      return ok({ revisions, done: answers.size, total, completion_code: null });
    },
    report: async () => ok({}),
  };
}

function ok<T>(body: T): Outcome<T> {
  return { kind: "ok", status: 200, body };
}
