/** Between the wire's answers and the entries a card holds. */

import { type Entry, isBlank, type Rules, textOf } from "./rules/rules.ts";
import type { AnswerWire, QuestionWire } from "./wire.ts";

const EMPTY: Entry = { selected: [], otherOn: false, otherText: "", value: null, notes: "" };

/**
 * The entry a draft or a default stands for. In a single choice `other` beside a pick is text that
 * was typed and then left for that pick; without one, Other itself is the pick.
 */
export function entryOf(question: QuestionWire, answer: AnswerWire | null | undefined): Entry {
  if (!answer) return EMPTY;
  const known = question.options.map((option) => option.id).filter((id) => answer.selected.includes(id));
  const selected = question.many ? known : known.slice(0, 1);
  return {
    selected,
    otherOn: question.other && answer.other !== null && (question.many || selected.length === 0),
    otherText: answer.other ?? "",
    // A list is held as it is typed, an entry a line.
    value: Array.isArray(answer.value) ? answer.value.join("\n") : (answer.value ?? null),
    notes: answer.notes ?? "",
  };
}

/** The entry as a draft, from which `entryOf` makes it again. */
export function draftOf(question: QuestionWire, entry: Entry): AnswerWire {
  const kept = !question.many && entry.otherText !== "";
  return {
    selected: [...entry.selected],
    other: entry.otherOn || kept ? entry.otherText : null,
    value: question.kind === "list" && typeof entry.value === "string" ? entry.value.split("\n") : entry.value,
    notes: entry.notes === "" ? null : entry.notes,
  };
}

/** The entry as an answer: only what is picked, and blank text is nothing said. */
export function answerOf(entry: Entry, rules: Rules): AnswerWire {
  return {
    selected: [...entry.selected],
    other: entry.otherOn && !isBlank(entry.otherText) ? entry.otherText.trim() : null,
    value: rules.wire?.(textOf(entry.value)) ?? null,
    notes: isBlank(entry.notes) ? null : entry.notes.trim(),
  };
}

export const sameEntry = (a: Entry, b: Entry): boolean => JSON.stringify(a) === JSON.stringify(b);
