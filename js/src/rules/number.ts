/** A number or a whole number, typed; the kernel reads the same text exactly. */

import * as S from "../strings.ts";
import type { QuestionWire } from "../wire.ts";
import { fieldRules, outside, type Rules } from "./rules.ts";

const rules = (shape: RegExp, words: string): Rules =>
  fieldRules(
    (text, question) => {
      const typed = text.trim();
      return shape.test(typed) && Number.isFinite(Number(typed)) ? outside(question, Number(typed), String) : words;
    },
    { wire: (text) => text.trim() || null, hint: ({ min, max }: QuestionWire) => S.bounds(min, max) },
  );

export const numberRules = rules(/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,4})?$/i, S.notNumber);
export const integerRules = rules(/^[+-]?\d+$/, S.notInteger);
