/* The protocols by name. Adding one is a line here. */

import { cesa } from "./cesa";
import { directAssessment } from "./direct_assessment";
import { esa } from "./esa";
import { gisting } from "./gisting";
import { likert } from "./likert";
import { mqm } from "./mqm";
import { postEditing } from "./post_editing";
import type { ProtocolModule } from "./protocol";
import { ranking } from "./ranking";

export const PROTOCOLS: Readonly<Record<string, ProtocolModule>> = {
  cesa,
  direct_assessment: directAssessment,
  esa,
  gisting,
  likert,
  mqm,
  post_editing: postEditing,
  ranking,
};
