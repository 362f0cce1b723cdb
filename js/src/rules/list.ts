/** A list of texts, one on each line. */

import * as S from "../strings.ts";
import { fieldRules, isBlank, outside, textOf } from "./rules.ts";

const entriesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => !isBlank(line));

export const listRules = fieldRules((text, question) => outside(question, entriesOf(text).length, S.entries), {
  missing: ({ min }) => (min === 0 ? null : S.needEntries),
  summary: (_question, { value }) => entriesOf(textOf(value)),
  wire: (text) => (isBlank(text) ? null : entriesOf(text)),
  hint: ({ min, max }) => S.lines(min, max),
});
