/** What a kind of question knows about its answers; pure, so that the store needs no view. */

import type { QuestionWire } from "../wire.ts";

/** One question's answer as the card holds it: text typed under Other survives another pick. */
export interface Entry {
  selected: readonly string[];
  otherOn: boolean;
  otherText: string;
  value: unknown;
  notes: string;
}

export interface Rules {
  /** Whether the person has said anything here. */
  answered(question: QuestionWire, entry: Entry): boolean;
  /** What is wrong with what was said, in words; null when it can be sent. */
  problem(question: QuestionWire, entry: Entry): string | null;
  /** What to say when a required question was left out; null when nothing is a fair answer to it. */
  missing(question: QuestionWire): string | null;
  /** What was said, part by part, for the review. */
  summary(question: QuestionWire, entry: Entry): string[];
}

export type RulesByKind = Readonly<Record<string, Rules>>;

export const isBlank = (text: string): boolean => text.trim() === "";
