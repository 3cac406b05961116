/* What an annotator's browser has to load: script and style sheets, compressed as a server sends them. */

// @vitest-environment node
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";

import { build, type BuildOptions, transformSync } from "esbuild";
import { expect, test } from "vitest";

// @ts-expect-error it has no types
import { bundle, workbenches } from "../../bundles.mjs";
import { PROTOCOLS } from "../protocols";

const BUDGET_BYTES = 60_000;
const scripts = workbenches() as { name: string; stdin: NonNullable<BuildOptions["stdin"]> }[];
const styles = resolve(import.meta.dirname, "../css");

/** The `shows_whole_documents` of annotation/protocols. */
const WITHOUT_ROWS = new Set(["cesa"]);

/** Those of every protocol, its own if it has one, and the one of protocols that judge a segment at a time. */
function sheetsOf(protocol: string): string[] {
  const rows = WITHOUT_ROWS.has(protocol) ? [] : ["judging_rows.css"];
  return ["assay.css", "judging.css", `protocols/${protocol}.css`, ...rows]
    .map((name) => resolve(styles, name))
    .filter(existsSync)
    .map((path) => transformSync(readFileSync(path, "utf8"), { loader: "css", minify: true }).code);
}

test("every protocol has a script", () => {
  expect(scripts.map(({ name }) => name).sort()).toEqual(Object.keys(PROTOCOLS).sort());
});

test.each(scripts)("script and style of the workbench stay below 60 kB compressed: $name", async ({ name, stdin }) => {
  const made = await build({ ...(bundle as BuildOptions), stdin, write: false });
  const bytes = [made.outputFiles![0]!.contents, ...sheetsOf(name)].map((file) => gzipSync(file, { level: 9 }).length);
  expect(bytes.reduce((sum, size) => sum + size)).toBeLessThan(BUDGET_BYTES);
});
