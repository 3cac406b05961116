/* The protocols with the options the server sends by default (annotation/protocols/*.py), for tests. */

import { cesa as makeCesa } from "../protocols/cesa";
import type { CesaOptions } from "../protocols/cesa/cell_answer";
import { directAssessment as makeDirectAssessment, type DirectAssessmentOptions } from "../protocols/direct_assessment";
import { esa as makeEsa, type EsaOptions } from "../protocols/esa";
import { gisting } from "../protocols/gisting";
import { likert as makeLikert, type LikertOptions } from "../protocols/likert";
import { mqm } from "../protocols/mqm";
import { postEditing } from "../protocols/post_editing";
import type { Protocol } from "../protocols/protocol";
import { ranking as makeRanking, type RankingOptions } from "../protocols/ranking";
import { OPTIONS } from "./sample_typology";

export const directAssessment = (options: Partial<DirectAssessmentOptions> = {}) =>
  makeDirectAssessment({
    judge_against: "source",
    show_number: true,
    document_scores: false,
    anchors: [
      [0, "Nothing"],
      [33, "Some of it"],
      [66, "Most of it"],
      [100, "All of it"],
    ],
    question: "",
    systems_per_screen: 1,
    ...options,
  });

export const cesa = (options: Partial<CesaOptions> = {}) =>
  makeCesa({
    systems_per_screen: 3,
    order: "mark_then_score",
    marks_below: 85,
    tags: [
      { name: "missing", title: "missing" },
      { name: "instructions_fault", title: "instructions fault" },
    ],
    mark_source: false,
    ...options,
  });

export const esa = (options: Partial<EsaOptions> = {}) =>
  makeEsa({
    severities: ["minor", "major"],
    mark_source: false,
    missing_content: true,
    anchors: [
      [0, "No meaning kept"],
      [33, "Some meaning kept"],
      [66, "Most meaning kept, few grammar errors"],
      [100, "Perfect meaning and grammar"],
    ],
    question: "",
    ask_below: 66,
    systems_per_screen: 1,
    ...options,
  });

export const likert = (options: Partial<LikertOptions> = {}) =>
  makeLikert({
    judge_against: "source",
    scales: [
      {
        name: "adequacy",
        title: "Adequacy",
        question: "Meaning kept",
        points: [
          [1, "none"],
          [2, "little meaning"],
          [3, "much meaning"],
          [4, "most meaning"],
          [5, "all meaning"],
        ],
      },
      {
        name: "fluency",
        title: "Fluency",
        question: "{language} alone",
        points: [
          [1, "incomprehensible"],
          [2, "disfluent"],
          [3, "non-native"],
          [4, "good"],
          [5, "flawless"],
        ],
      },
    ],
    fluency_first: false,
    systems_per_screen: 1,
    ...options,
  });

export const ranking = (options: Partial<RankingOptions> = {}) =>
  makeRanking({ systems_per_item: 5, judge_against: "source", show_differences: true, ...options });

export const SAMPLES: Record<string, () => Protocol> = {
  cesa,
  direct_assessment: directAssessment,
  esa,
  gisting: () => gisting({ when_asked: "while_reading" }),
  likert,
  mqm: () => mqm(OPTIONS),
  post_editing: () => postEditing({ show_source: true }),
  ranking,
};
