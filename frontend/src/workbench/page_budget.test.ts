/* What an annotator's browser has to load: script and style sheets, compressed as a server sends them. */

// @vitest-environment node
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";

import { build } from "esbuild";
import { expect, test } from "vitest";

const BUDGET_BYTES = 60_000;
const HERE = import.meta.dirname;

test("script and style of the workbench stay below 60 kB compressed", async () => {
  const bundle = await build({
    entryPoints: [resolve(HERE, "main.tsx")], bundle: true, minify: true, format: "iife", target: "es2022",
    jsx: "automatic", jsxImportSource: "preact", legalComments: "none", write: false,
  });
  const script = bundle.outputFiles[0]!.contents;
  const sheets = ["assay.css", "judging.css"].map((name) => readFileSync(resolve(HERE, "../../static/css", name)));
  const bytes = [script, ...sheets].map((file) => gzipSync(file, { level: 9 }).length);
  expect(bytes.reduce((sum, size) => sum + size)).toBeLessThan(BUDGET_BYTES);
});
