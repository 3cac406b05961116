/* The data the server wrote into the page: annotator, languages, protocol. */

import type { Protocol } from "../protocols/protocol";
import type { Api } from "./api";
import type { StoredTexts } from "./offline";
import type { Storage } from "./storage";
import type { components } from "../generated/api";
import type { Catalogue } from "./words";

type Schemas = components["schemas"];

export interface Language {
  language: string;
  name: string;
  direction: "ltr" | "rtl" | "auto";
}

/** What is new in the guidelines: paragraphs of pieces that are the same, removed or added. */
export interface Reading {
  /** Where it is said that they were read, as they were at `seen_at`. */
  read: string;
  seen_at: string;
  /** The day on which they were read last. */
  since: string;
  changes: readonly (readonly (readonly [kind: "same" | "removed" | "added", text: string])[])[];
  /** null where the campaign has no practice. */
  practice: string | null;
}

/** One's own pace in the campaign: items and their working time; the seconds expected of one; texts of the task. */
export interface Pace {
  items: number;
  ms: number;
  expected: number;
  texts: number;
}

/** As this person set the desk: keys by those that the help names, and the size of the texts. */
export interface DeskSettings {
  keys: Record<string, string>;
  text_size: "small" | "medium" | "large" | "larger";
}

/** Which pauses count as work: seconds of thinking, and words read in a minute. */
export type Pauses = readonly [seconds: number, wordsPerMinute: number];

export interface PageData {
  assignment: string;
  account: string;
  campaign: {
    name: string;
    slug: string;
    planning: string;
    protocol: string;
    title: string;
    options: Record<string, unknown>;
  };
  source: Language;
  target: Language;
  guidelines: string;
  single_keys: boolean;
  /** Absent in pages that a device stored before. */
  desk_settings?: DeskSettings;
  /** Absent in a preview, and in pages that a device stored before. */
  reading?: Reading;
  pace?: Pace;
  pauses: Pauses;
  /** Answers are to be looked through from the first. */
  review: boolean;
  /** A screen to be judged again, and why; null while there is none. */
  redo?: { items: string[]; title: string; text: string } | null;
  /** `done`: the page at the end of the task; null where there is no task, in practice and in a preview. */
  urls: {
    api: string;
    home: string;
    sign_in: string;
    settings: string;
    /** Where `desk_settings` are stored. */
    desk?: string;
    guidelines: string;
    done: string | null;
    /** What lies beside the texts is below it; null where nothing does. */
    media?: string | null;
  };
  reasons: { cannot_judge: Record<string, string>; report: Record<string, string> };
  catalogue: Catalogue;
  /** Script and style for texts that something is told about. */
  beside?: readonly [string, string];
  /** Script and style of what is needed now and then: guidelines, keys, a report. */
  desk?: readonly [string, string];
  /** The script that stores the page on this device; null where it may not be stored. */
  service_worker?: string | null;
  /** Where an item of practice is skipped; in a preview, where the texts after it are. Absent elsewhere. */
  practice?: { skip: string | null; texts?: string };
  /** Items of a preview: answers are stored nowhere. */
  preview?: Schemas["ItemsPage"];
}

export function readPageData(root: Document): PageData {
  const written = root.getElementById("workbench-data")?.textContent;
  if (!written) throw new Error("The page contains no workbench data.");
  const data = JSON.parse(written) as PageData;
  return { ...data, assignment: String(data.assignment), account: String(data.account) };
}

/** What a workbench is made of. */
export interface WorkbenchSetup {
  page: PageData;
  protocol: Protocol;
  api: Api;
  storage: Storage;
  newId: () => string;
  /** Whether another account is signed in in this browser now. */
  session: { readonly isOtherAccount: boolean };
  /** null where this device stores no texts: in practice, when answers are reviewed, without a service worker. */
  texts: StoredTexts | null;
  /** Consent was withdrawn: opens the page that says so, and removes what is stored on this device. */
  onWithdrawn: () => void;
}
