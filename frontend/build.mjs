/* Bundles each page's script into static/build; `node build.mjs --watch` does so on every change. */

import { context } from "esbuild";
import { existsSync } from "node:fs";

const entryPoints = [
  { in: "src/workbench/main.tsx", out: "workbench" },
  { in: "src/pages.ts", out: "pages" },
].filter((entry) => existsSync(entry.in));

const build = await context({
  entryPoints,
  outdir: "static/build",
  bundle: true,
  minify: true,
  format: "iife",
  target: ["es2022"],
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  logLevel: "warning",
});

if (process.argv.includes("--watch")) {
  await build.watch();
} else {
  await build.rebuild();
  await build.dispose();
}
