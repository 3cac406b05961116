/* Bundles each page's script into static/build; `node build.mjs --watch` does so on every change. */

import { context } from "esbuild";

import { bundle, workbenches } from "./bundles.mjs";

const builds = await Promise.all([
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
