/** A card's state and what follows from it: pure, so that every rule of the card is a test without a DOM. */

import { answerOf, draftOf, entryOf, sameEntry } from "./entries.ts";
import { isBlocked } from "./rules/consent.ts";
import type { Entry, Rules, RulesByKind } from "./rules/rules.ts";
import * as S from "./strings.ts";
import type { Action, AnswerWire, AskWire, DraftWire, OpenWire, QuestionWire, ReplyWire } from "./wire.ts";

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
  /** When the time is up, and until when it stands still because somebody types. */
  readonly deadline: number | null;
  readonly pausedUntil: number | null;
  /** What is typed to filter the options, by question id. */
  readonly filters: Readonly<Record<string, string>>;
  /** The option whose preview is looked at. */
  readonly looked: string | null;
  readonly sending: Action | null;
  /** Set when the kernel has been silent for long after a reply: it may be sent again. */
  readonly stalled: boolean;
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
    deadline: ask.deadline,
    pausedUntil: null,
    filters: {},
    looked: null,
    sending: null,
    stalled: false,
    closed: false,
    errors: {},
    notice: null,
    focus: null,
  };
}

export const isForm = (state: State): boolean => state.ask.layout === "form";
/** Whether the questions come one at a time, on tabs. */
export const tabbed = (state: State): boolean => several(state) && !isForm(state);
export const several = (state: State): boolean => state.ask.questions.length > 1;
/** Whether nothing can be changed: a reply is on its way, or none counts any more. */
export const locked = (state: State): boolean => state.sending !== null || state.closed;
export const inView = (state: State): QuestionWire | undefined => state.ask.questions[state.tab];
export const onReview = (state: State): boolean => tabbed(state) && state.tab === state.ask.questions.length;
export const canDraw = (state: State): boolean => state.ask.questions.every((q) => q.kind in state.rules);
/** Whether a press on the button is the answer, and only that: no key typed elsewhere may consent. */
export const isConsent = (state: State): boolean => inView(state)?.kind === "consent";
/** Whether there is anything to submit; what is not can still be declined. */
export const canSubmit = (state: State): boolean => canDraw(state) && !state.ask.questions.some(isBlocked);
export const labelOf = (question: QuestionWire, index: number): string => question.header || S.question(index + 1);

export function entry(state: State, question: QuestionWire): Entry {
  return state.entries[question.id] ?? entryOf(question, question.default);
}

const rulesOf = (state: State, question: QuestionWire): Rules | undefined => state.rules[question.kind];

/** Whether a choice is so short that it is laid out in one row: a yes or no among other fields. */
export const choiceInRow = (state: State, { options, other, many }: QuestionWire): boolean =>
  isForm(state) &&
  several(state) &&
  !other &&
  !many &&
  options.length === 2 &&
  options.every(({ label, description, preview }) => label.length <= 16 && !description && !preview);

/** Whether a digit picks: one option in view at a time, and none that cannot be undone. */
export function digitsPick(state: State): boolean {
  const question = inView(state);
  return question !== undefined && !question.danger && !(isForm(state) && several(state));
}

/** What names the card beside its asker, as the parts of an id: the question in view, or what stands above them all. */
export function nameOf(state: State): string[] {
  if (isForm(state) && state.ask.message) return ["message"];
  const question = inView(state);
  return question ? [question.id, "text"] : ["panel"];
}

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

const changed = (state: State, question: QuestionWire): boolean =>
  !sameEntry(entry(state, question), entryOf(question, question.default));

/** What was typed and picked beyond the defaults. A secret is only ever in the reply. */
export function draft(state: State): DraftWire {
  const answers: Record<string, AnswerWire> = {};
  for (const question of state.ask.questions) {
    if (!question.secret && changed(state, question)) answers[question.id] = draftOf(question, entry(state, question));
  }
  return { answers, message: state.message === "" ? null : state.message };
}

export const touched = (state: State): boolean =>
  state.message !== "" || state.ask.questions.some((question) => changed(state, question));

/** The countdown at a moment: what is left, and whether it stands still. */
export function countdown({ deadline, pausedUntil }: State, now: number): { left: number; paused: boolean } | null {
  if (deadline === null) return null;
  const paused = pausedUntil !== null && now < pausedUntil;
  return { left: deadline - (paused ? pausedUntil : now), paused };
}

/** The phase's times; a phase that has none leaves the ask's. */
export const timed = (state: State, phase: OpenWire): State => ({
  ...state,
  deadline: phase.deadline ?? state.ask.deadline,
  pausedUntil: phase.paused_until ?? null,
});

/** The one message that may end the ask. Only a submit carries answers: nothing else is a decision. */
export function replyOf(state: State, action: Action): ReplyWire {
  const answers: Record<string, AnswerWire> = {};
  if (action === "submit") {
    for (const question of state.ask.questions) {
      const rules = rulesOf(state, question);
      if (rules) answers[question.id] = answerOf(entry(state, question), rules);
    }
  }
  const message = action === "discuss" && state.message.trim() !== "" ? state.message.trim() : null;
  return { type: "reply", ask: state.ask.id, action, answers, message };
}
