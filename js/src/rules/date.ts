/** A day, or a day and a time, as the browser's own field gives them. */

import * as S from "../strings.ts";
import { fieldRules, type Rules } from "./rules.ts";

/** A day that the calendar has, in years that Python has, and a time of day: in UTC, where no hour is left out. */
function isReal(text: string): boolean {
  const at = new Date(`${text.slice(0, 10)}T${text.slice(11) || "00:00"}Z`);
  return text >= "0001" && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

const rules = (shape: RegExp, words: string): Rules =>
  fieldRules((text) => (shape.test(text) && isReal(text) ? null : words), { missing: () => words });

export const dateRules = rules(/^\d{4}-\d\d-\d\d$/, S.notDate);
export const datetimeRules = rules(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/, S.notDatetime);
