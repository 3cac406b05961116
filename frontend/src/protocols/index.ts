/* The protocols by name. Adding one is a line here. */

import { directAssessment } from "./direct_assessment";
import { postEditing } from "./post_editing";
import type { Protocol, ProtocolModule } from "./protocol";

export const PROTOCOLS: Readonly<Record<string, ProtocolModule>> = {
  direct_assessment: directAssessment,
  post_editing: postEditing,
};

export function protocolFor(name: string, options: Readonly<Record<string, unknown>>): Protocol {
  const make = PROTOCOLS[name];
  if (!make) throw new Error(`There is no protocol called ${name}.`);
  return make(options);
}
