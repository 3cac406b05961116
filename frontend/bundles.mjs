/* What is bundled, and how: the annotator's page has a script for each protocol, with that protocol alone. */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const SOURCES = resolve(import.meta.dirname, "src");

export const bundle = {
  bundle: true,
  minify: true,
  format: "iife",
  target: ["es2022"],
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  logLevel: "warning",
};

export const sheets = { entryPoints: ["./src/css/**/*.css"], outbase: "src/css", minify: true, logLevel: "warning" };

/** From the imports of `protocols/index.ts`. */
export function workbenches() {
  const index = readFileSync(resolve(SOURCES, "protocols/index.ts"), "utf8");
  return [...index.matchAll(/^import \{ (\w+) \} from "\.\/(\w+)";$/gm)].map(([, make, name]) => ({
    name,
    stdin: {
      contents: [
        `import { ${make} } from "./protocols/${name}";`,
        `import { openWorkbench } from "./workbench/main";`,
        `openWorkbench(${make});`,
      ].join(" "),
      resolveDir: SOURCES,
      sourcefile: `workbench-${name}.ts`,
    },
  }));
}
