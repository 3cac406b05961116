/* Loaded before the workbench, which says when it is open. */

import { watch, type Watched } from "./media/beside";

addEventListener("workbench", (event) => watch((event as CustomEvent<Watched>).detail), { once: true });
