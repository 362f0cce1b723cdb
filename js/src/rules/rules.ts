/** What a kind of question knows about its answers; pure, so that the store needs no view. */

import * as S from "../strings.ts";
import type { QuestionWire } from "../wire.ts";

/** One question's answer as the card holds it: text typed under Other survives another pick. */
export interface Entry {
  selected: readonly string[];
  otherOn: boolean;
  otherText: string;
  /** What a field holds, as it is typed. */
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
  /** The value as it is sent, for what is typed in a field; null is nothing said. */
  wire?(text: string): unknown;
  /** What fits, in words, where the caller's own help does not say it. */
  hint?(question: QuestionWire): string | null;
}

export type RulesByKind = Readonly<Record<string, Rules>>;

export const isBlank = (text: string): boolean => text.trim() === "";

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Why `count` of something does not fit the question's bounds, in words. */
export function outside({ min, max }: QuestionWire, count: number, what: (count: number) => string): string | null {
  if (min !== null && count < min) return S.least(what(min));
  return max !== null && count > max ? S.most(what(max)) : null;
}

/** The rules of a kind that holds one text, with what is wrong with the text once there is one. */
export const fieldRules = (
  problem: (text: string, question: QuestionWire) => string | null,
  more: Partial<Rules> = {},
): Rules => ({
  answered: (_question, entry) => !isBlank(textOf(entry.value)),
  problem: (question, entry) => problem(textOf(entry.value), question),
  missing: () => S.needText,
  summary: (_question, entry) => (isBlank(textOf(entry.value)) ? [] : [textOf(entry.value).trim()]),
  wire: (text) => (isBlank(text) ? null : text),
  ...more,
});
