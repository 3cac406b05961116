/* Writes scripts into static/build and style sheets into static/css; `--watch` does so on every change. */

import { rmSync } from "node:fs";

import { context } from "esbuild";

import { bundle, sheets, workbenches } from "./bundles.mjs";

rmSync("static/css", { recursive: true, force: true }); // a protocol whose sheet is gone has none

const builds = await Promise.all([
  context({ ...sheets, outdir: "static/css" }),
  context({ ...bundle, outfile: "static/build/pages.js", entryPoints: ["src/pages.ts"] }),
  context({ ...bundle, outfile: "static/build/media.js", entryPoints: ["src/media.ts"] }),
  context({ ...bundle, outfile: "static/build/service-worker.js", entryPoints: ["src/offline/service_worker.ts"] }),
  context({ ...bundle, outfile: "static/build/beside.js", entryPoints: ["src/beside/main.ts"] }),
  context({ ...bundle, outfile: "static/build/desk.js", entryPoints: ["src/desk/main.tsx"] }),
  context({ ...bundle, outfile: "static/build/practice.js", entryPoints: ["src/practice/main.tsx"] }),
  ...workbenches().map(({ name, stdin }) =>
    context({ ...bundle, outfile: `static/build/workbench-${name}.js`, stdin }),
  ),
]);

if (process.argv.includes("--watch")) {
  await Promise.all(builds.map((build) => build.watch()));
} else {
  await Promise.all(builds.map((build) => build.rebuild()));
  await Promise.all(builds.map((build) => build.dispose()));
}
