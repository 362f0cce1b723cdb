/** A card's state and what follows from it: pure, so that every rule of the card is a test without a DOM. */

import { answerOf, draftOf, entryOf, sameEntry } from "./entries.ts";
import type { Entry, Rules, RulesByKind } from "./rules/rules.ts";
import { S } from "./strings.ts";
import type { Action, AnswerWire, AskWire, DraftWire, QuestionWire, ReplyWire } from "./wire.ts";

/** What the footer is about: the answer, a word before it, or whether to drop it. */
export type Mode = "answer" | "discuss" | "leave";

/** Where the focus should go next; a new object each time, so that the same place can be asked for twice. */
export interface Focus {
  at: string;
}

export interface State {
  readonly ask: AskWire;
  readonly rules: RulesByKind;
  readonly entries: Readonly<Record<string, Entry>>;
  /** The question in view; one past the last is the review. */
  readonly tab: number;
  readonly mode: Mode;
  readonly message: string;
  readonly help: boolean;
  readonly sending: Action | null;
  /** Set once the kernel has said that no reply of this card counts any more. */
  readonly closed: boolean;
  readonly errors: Readonly<Record<string, string>>;
  readonly notice: string | null;
  readonly focus: Focus | null;
}

/** The key under which the discuss message is tracked beside the question ids, which are never empty. */
export const MESSAGE = "";

export function initial(ask: AskWire, rules: RulesByKind, draft: DraftWire): State {
  return {
    ask,
    rules,
    entries: Object.fromEntries(ask.questions.map((q) => [q.id, entryOf(q, draft.answers[q.id] ?? q.default)])),
    tab: 0,
    mode: "answer",
    message: draft.message ?? "",
    help: false,
    sending: null,
    closed: false,
    errors: {},
    notice: null,
    focus: null,
  };
}

export const several = (state: State): boolean => state.ask.questions.length > 1;
export const inView = (state: State): QuestionWire | undefined => state.ask.questions[state.tab];
export const onReview = (state: State): boolean => several(state) && state.tab === state.ask.questions.length;
export const canDraw = (state: State): boolean => state.ask.questions.every((q) => q.kind in state.rules);
export const labelOf = (question: QuestionWire, index: number): string => question.header || S.question(index + 1);

export function entry(state: State, question: QuestionWire): Entry {
  return state.entries[question.id] ?? entryOf(question, question.default);
}

const rulesOf = (state: State, question: QuestionWire): Rules | undefined => state.rules[question.kind];

/** Whether the question has an answer that could be sent as it is. */
export function complete(state: State, question: QuestionWire): boolean {
  const rules = rulesOf(state, question);
  const said = entry(state, question);
  return rules?.answered(question, said) === true && rules.problem(question, said) === null;
}

/** Why the question keeps the card from being sent, in words, or null. */
export function problem(state: State, question: QuestionWire): string | null {
  const rules = rulesOf(state, question);
  if (!rules) return S.unknownKind(question.kind);
  const said = entry(state, question);
  if (rules.answered(question, said)) return rules.problem(question, said);
  return question.required ? rules.missing(question) : null;
}

export function summary(state: State, question: QuestionWire): string[] {
  return rulesOf(state, question)?.summary(question, entry(state, question)) ?? [];
}

/** Whether a card without a Submit asks its one yes-or-no question: a press answers and sends. */
export function asButtons(state: State): boolean {
  const [only, more] = state.ask.questions;
  return only?.kind === "confirm" && !more && only.options.every((option) => !option.description && !option.preview);
}

/** What was typed and picked beyond the defaults. */
export function draft(state: State): DraftWire {
  const answers: Record<string, AnswerWire> = {};
  for (const question of state.ask.questions) {
    const said = entry(state, question);
    if (!sameEntry(said, entryOf(question, question.default))) answers[question.id] = draftOf(question, said);
  }
  return { answers, message: state.message === "" ? null : state.message };
}

export function touched(state: State): boolean {
  const { answers, message } = draft(state);
  return message !== null || Object.keys(answers).length > 0;
}

/** The one message that may end the ask. Only a submit carries answers: nothing else is a decision. */
export function replyOf(state: State, action: Action): ReplyWire {
  const answers: Record<string, AnswerWire> = {};
  if (action === "submit") {
    for (const question of state.ask.questions) answers[question.id] = answerOf(entry(state, question));
  }
  const message = action === "discuss" && state.message.trim() !== "" ? state.message.trim() : null;
  return { type: "reply", ask: state.ask.id, action, answers, message };
}
