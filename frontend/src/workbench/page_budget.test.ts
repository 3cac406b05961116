/* What an annotator's browser has to load: script and style sheets, compressed as a server sends them. */

// @vitest-environment node
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";

import { build, type BuildOptions } from "esbuild";
import { expect, test } from "vitest";

// @ts-expect-error it has no types
import { bundle, workbenches } from "../../bundles.mjs";
import { PROTOCOLS } from "../protocols";

const BUDGET_BYTES = 60_000;
const scripts = workbenches() as { name: string; stdin: NonNullable<BuildOptions["stdin"]> }[];
const sheets = ["assay.css", "judging.css"].map((name) =>
  readFileSync(resolve(import.meta.dirname, "../../static/css", name)),
);

test("every protocol has a script", () => {
  expect(scripts.map(({ name }) => name).sort()).toEqual(Object.keys(PROTOCOLS).sort());
});

test.each(scripts)("script and style of the workbench stay below 60 kB compressed: $name", async ({ stdin }) => {
  const made = await build({ ...(bundle as BuildOptions), stdin, write: false });
  const bytes = [made.outputFiles![0]!.contents, ...sheets].map((file) => gzipSync(file, { level: 9 }).length);
  expect(bytes.reduce((sum, size) => sum + size)).toBeLessThan(BUDGET_BYTES);
});
