/* Decompresses what the package brings: the browser, and archives of its libraries and fonts. */

import { createReadStream, createWriteStream, mkdirSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";

const packed = "node_modules/@sparticuz/chromium/bin";
mkdirSync("unpacked", { recursive: true });

for (const name of ["chromium", "al2023.tar", "fonts.tar", "swiftshader.tar"]) {
  await pipeline(
    createReadStream(`${packed}/${name}.br`),
    createBrotliDecompress(),
    createWriteStream(`unpacked/${name}`),
  );
}
