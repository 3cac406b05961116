import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { sampleItem, samplePageData, SampleServer, sampleWorkbench, scored } from "../testing/sample_task";
import type { Workbench } from "./workbench";

let server: SampleServer;

/** Five texts of one item each, of which so many are answered. */
function texts(answered: number) {
  return ["a", "b", "c", "d", "e"].map((document, position) =>
    sampleItem({
      id: `${document}1`,
      document,
      position,
      ...(position < answered && { answer: scored(10 * position), revision: 1 }),
    }),
  );
}

async function opened(answered: number, page = {}): Promise<Workbench> {
  server = new SampleServer(texts(answered));
  const workbench = sampleWorkbench({ api: server, page: samplePageData(page) });
  await workbench.open();
  return workbench;
}

const soon = () => vi.advanceTimersByTimeAsync(1);

beforeEach(() => vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => vi.useRealTimers());

describe("back to texts answered on an earlier visit", () => {
  test("they are loaded on request, with their answers", async () => {
    const workbench = await opened(4);
    expect(workbench.state.value.items.map((item) => item.id)).toEqual(["e1"]);
    workbench.perform("back");
    await soon();
    const { current, items, works } = workbench.state.value;
    expect([current, items.map((item) => item.id)]).toEqual(["d1", ["b1", "c1", "d1", "e1"]]);
    expect(works["d1"]?.entered).toEqual(scored(30));
    for (const _ of ["c1", "b1", "a1"]) {
      workbench.perform("back");
      await soon();
    }
    expect(workbench.state.value.current).toBe("a1");
  });

  test("a revision is based on that of the server", async () => {
    const workbench = await opened(4);
    workbench.perform("back");
    await soon();
    workbench.change({ answer: scored(99), merge: "typed:A", typed: null });
    workbench.submit();
    await soon();
    expect(server.judgments).toMatchObject([{ item: "d1", base_revision: 1, answer: scored(99) }]);
    expect(workbench.state.value.current).toBe("e1");
  });

  test("there is no request for texts before the first", async () => {
    const workbench = await opened(0);
    const requestCount = server.requests.length;
    workbench.perform("back");
    await soon();
    expect([workbench.state.value.current, server.requests.length]).toEqual(["a1", requestCount]);
  });

  test("when they cannot be reached, the page says so, and the work stays", async () => {
    const workbench = await opened(4);
    server.trouble = "unreachable";
    workbench.perform("back");
    await soon();
    expect([workbench.state.value.current, workbench.state.value.toast]).toEqual([
      "e1",
      "Earlier segments cannot be reached right now.",
    ]);
  });
});

describe("looking through one's answers", () => {
  test("goes from the first to the last and sends only what was changed", async () => {
    const workbench = await opened(5, { review: true });
    expect(workbench.state.value.current).toBe("a1");
    workbench.submit();
    await soon();
    workbench.change({ answer: scored(55), merge: "typed:A", typed: null });
    for (let left = 4; left > 0; left -= 1) {
      workbench.submit();
      await soon();
    }
    expect(server.judgments).toMatchObject([{ item: "b1", base_revision: 1, answer: scored(55) }]);
    expect([workbench.state.value.phase, workbench.state.value.completionCode]).toEqual(["done", "K7QM-42XR-9TDA"]);
  });
});

describe("work that went to others meanwhile", () => {
  test("is not started", async () => {
    const workbench = await opened(2);
    server.isWithdrawn = true;
    await workbench.reload();
    expect([workbench.state.value.phase, workbench.state.value.withdrawn]).toEqual(["ended", true]);
  });

  test("stops after the response that says so; the answer is sent", async () => {
    const workbench = await opened(2);
    server.isWithdrawn = true;
    workbench.change({ answer: scored(55), merge: "typed:A", typed: null });
    workbench.submit();
    await soon();
    expect(server.judgments).toHaveLength(1);
    expect([workbench.state.value.phase, workbench.state.value.withdrawn]).toEqual(["ended", true]);
  });
});
