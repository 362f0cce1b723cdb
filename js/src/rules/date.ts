/** A day, or a day and a time, as the browser's own field gives them. */

import * as S from "../strings.ts";
import { fieldRules, type Rules } from "./rules.ts";

const rules = (shape: RegExp, words: string): Rules =>
  fieldRules((text) => (shape.test(text) ? null : words), { missing: () => words });

export const dateRules = rules(/^\d{4}-\d\d-\d\d$/, S.notDate);
export const datetimeRules = rules(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/, S.notDatetime);
