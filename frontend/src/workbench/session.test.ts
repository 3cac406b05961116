import { afterEach, expect, test, vi } from "vitest";

import { Session } from "./session";

const settings = (account: string) =>
  `<form data-sign-out="${account}"><input type="hidden" name="csrfmiddlewaretoken" value="new"></form>`;

function sessionThatFinds(page: string, status = 200): Session {
  vi.stubGlobal("fetch", async () => new Response(page, { status }));
  return new Session({ account: "7", token: "old", page: "/settings/" });
}

afterEach(() => vi.unstubAllGlobals());

test("the same account is recognised by its page, and its new token taken", async () => {
  const session = sessionThatFinds(settings("7"));
  expect([await session.holder(), session.token, session.isOtherAccount]).toEqual(["mine", "new", false]);
});

test("another account's token is never taken", async () => {
  const session = sessionThatFinds(settings("8"));
  expect([await session.holder(), session.token, session.isOtherAccount]).toEqual(["another", "old", true]);
  session.ended();
  expect(session.isOtherAccount).toBe(false);
});

test("a page without the form means that nobody is signed in", async () => {
  expect(await sessionThatFinds("<form><input name=username></form>").holder()).toBe("nobody");
});

test("without a response it stays unknown", async () => {
  expect(await sessionThatFinds("", 500).holder()).toBe("unknown");
  const session = sessionThatFinds("");
  vi.stubGlobal("fetch", vi.fn().mockRejectedValue(new TypeError("Failed to fetch")));
  expect(await session.holder()).toBe("unknown");
});
