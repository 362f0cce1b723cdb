/** A choice of one or many options, with Other as a row of its own. */

import * as S from "../strings.ts";
import type { QuestionWire } from "../wire.ts";
import { isBlank, type Rules } from "./rules.ts";

/** What the Other row is called. */
export const otherOf = (question: QuestionWire): string => question.other_label ?? S.other;

export const choiceRules: Rules = {
  answered: (_question, entry) => entry.selected.length > 0 || entry.otherOn,

  problem(question, entry) {
    if (entry.otherOn && isBlank(entry.otherText))
      return question.many ? S.needOtherTicked(otherOf(question)) : S.needOther;
    if (!question.many) return null;
    const chosen = entry.selected.length + Number(entry.otherOn);
    if (question.min !== null && chosen < question.min) return S.atLeast(question.min);
    if (question.max !== null && chosen > question.max) return S.atMost(question.max, chosen);
    return null;
  },

  missing(question) {
    if (!question.many) return S.needOption;
    if (question.min === 0) return null;
    return question.min !== null && question.min > 1 ? S.atLeast(question.min) : S.needOptions;
  },

  summary(question, entry) {
    const labels = question.options
      .filter((option) => entry.selected.includes(option.id))
      .map((option) => option.label);
    return entry.otherOn && !isBlank(entry.otherText) ? [...labels, S.quoted(entry.otherText.trim())] : labels;
  },
};
