/** A text, in one line or several. */

import { S } from "../strings.ts";
import { isBlank, type Rules } from "./rules.ts";

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

export const textRules: Rules = {
  answered: (_question, entry) => !isBlank(textOf(entry.value)),
  problem: () => null,
  missing: () => S.needText,
  summary: (_question, entry) => (isBlank(textOf(entry.value)) ? [] : [textOf(entry.value)]),
};
