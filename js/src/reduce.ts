/** How a card's state changes: one pure function of the state and what was done. */

import { entryOf } from "./entries.ts";
import type { Entry } from "./rules/rules.ts";
import {
  canDraw,
  canSubmit,
  digitsPick,
  entry,
  inView,
  isConsent,
  isForm,
  labelOf,
  locked,
  MESSAGE,
  type Mode,
  problem,
  type State,
  several,
  tabbed,
  timed,
  touched,
} from "./store.ts";
import * as S from "./strings.ts";
import type { Action, DraftWire, OpenWire, QuestionWire, RefusedWire } from "./wire.ts";

/** A change the person made to one question's entry. */
export type Edit =
  | { type: "pick"; question: string; option: string }
  | { type: "toggle"; question: string; option: string }
  | { type: "other"; question: string; on: boolean }
  | { type: "otherText"; question: string; text: string }
  | { type: "value"; question: string; value: unknown }
  | { type: "notes"; question: string; text: string };

/** What may end the ask, or start to. */
export type Final =
  | { type: "submit" }
  | { type: "choose"; question: string; option: string }
  | { type: "discuss" }
  | { type: "decline" }
  | { type: "cancel" }
  | { type: "leave" }
  | { type: "enter" }
  | { type: "escape" }
  | { type: "digit"; number: number };

export type Act =
  | Edit
  | Final
  | { type: "tab"; to: number; focus?: boolean }
  | { type: "mode"; mode: Mode }
  | { type: "message"; text: string }
  | { type: "help" }
  | { type: "filter"; question: string; text: string }
  | { type: "look"; option: string | null }
  /** A field was left: what is wrong with it is said now. */
  | { type: "check"; question: string }
  | { type: "open"; phase: OpenWire }
  | { type: "stalled" }
  | { type: "gone" }
  | { type: "refused"; refused: RefusedWire }
  | { type: "draft"; draft: DraftWire; except: ReadonlySet<string> };

export type Dispatch = (act: Act) => void;

const FINAL: Record<Final["type"], true> = {
  submit: true,
  choose: true,
  discuss: true,
  decline: true,
  cancel: true,
  leave: true,
  enter: true,
  escape: true,
  digit: true,
};

/** Whether an act may end the ask, or start to: a card that has only just appeared ignores those. */
export const isFinal = (act: Act): act is Final => act.type in FINAL;

function edited(state: State, id: string, change: Partial<Entry>): State {
  const question = state.ask.questions.find((q) => q.id === id);
  if (!question) return state;
  const { [id]: _mended, ...errors } = state.errors;
  return {
    ...state,
    entries: { ...state.entries, [id]: { ...entry(state, question), ...change } },
    errors,
    notice: null,
  };
}

function edit(state: State, act: Edit): State {
  const question = state.ask.questions.find((q) => q.id === act.question);
  if (!question) return state;
  const { selected, otherOn } = entry(state, question);
  switch (act.type) {
    case "pick":
      return edited(state, act.question, { selected: [act.option], otherOn: false });
    case "toggle":
      return edited(state, act.question, {
        selected: question.options
          .map((option) => option.id)
          .filter((id) => selected.includes(id) !== (id === act.option)),
      });
    case "other":
      return edited(state, act.question, { otherOn: act.on, ...(act.on && !question.many && { selected: [] }) });
    case "otherText": {
      const on = otherOn || act.text !== "";
      return edited(state, act.question, {
        otherText: act.text,
        otherOn: on,
        ...(on && !question.many && { selected: [] }),
      });
    }
    case "value":
      return edited(state, act.question, { value: act.value });
    case "notes":
      return edited(state, act.question, { notes: act.text });
  }
}

/** Shows what is wrong at each question named, and goes to the first. */
function showErrors(state: State, errors: Readonly<Record<string, string>>, notice: string | null): State {
  const first = state.ask.questions.findIndex((q) => q.id in errors);
  const question = state.ask.questions[first];
  if (!question) return { ...state, errors, notice };
  const tab = isForm(state) ? 0 : first;
  return { ...state, errors, notice, mode: "answer", tab, focus: { at: `q:${question.id}` } };
}

function problems(state: State, questions: QuestionWire[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const question of questions) {
    const words = problem(state, question);
    if (words === null) continue;
    const label = labelOf(question, state.ask.questions.indexOf(question));
    found[question.id] = tabbed(state) ? S.at(label, words) : words;
  }
  return found;
}

function sent(state: State, action: Action): State {
  return { ...state, sending: action, stalled: false, errors: {}, notice: null };
}

function submit(state: State): State {
  if (!canSubmit(state)) return state;
  const found = problems(state, state.ask.questions);
  const count = Object.keys(found).length;
  if (count === 0) return sent(state, "submit");
  // In a form the faulty field can be out of sight; that there is one is said where Submit is.
  return showErrors(state, found, isForm(state) && several(state) ? S.mend(count) : null);
}

/** Says of a field that was left what is wrong with it; that it is still empty is said at Submit. */
function check(state: State, id: string): State {
  const question = state.ask.questions.find((q) => q.id === id);
  const words = question && problem(state, { ...question, required: false });
  return words ? { ...state, errors: { ...state.errors, [id]: words } } : state;
}

function goTo(state: State, to: number, focus: boolean): State {
  const tab = Math.max(0, Math.min(to, state.ask.questions.length));
  const question = state.ask.questions[tab];
  const at = question ? `q:${question.id}` : "submit";
  return { ...state, tab, looked: null, mode: "answer", focus: focus ? { at } : state.focus };
}

function enter(state: State): State {
  if (state.mode === "discuss") return sent(state, "discuss");
  if (state.mode === "leave" || isConsent(state)) return state;
  const question = inView(state);
  if (!tabbed(state) || !question) return submit(state);
  const found = problems(state, [question]);
  return question.id in found ? showErrors(state, found, null) : goTo(state, state.tab + 1, true);
}

function digit(state: State, number: number): State {
  const question = inView(state);
  if (!question || state.mode !== "answer" || !digitsPick(state)) return state;
  const option = question.options[number - 1];
  if (!option) {
    return question.other && number === question.options.length + 1
      ? { ...state, focus: { at: `other:${question.id}` } }
      : state;
  }
  const picked = edit(state, { type: question.many ? "toggle" : "pick", question: question.id, option: option.id });
  // The option may be filtered out of view: it is picked, and so comes back into it.
  const focused = { ...picked, focus: { at: `o:${question.id}:${option.id}` } };
  return several(state) || question.many ? focused : submit(focused);
}

/** Cancels, but asks first when something would be lost. */
function cancel(state: State): State {
  if (!touched(state) || !canDraw(state)) return sent(state, "cancel");
  return { ...state, mode: "leave", focus: { at: "leave" } };
}

function stepBack(state: State): State {
  if (state.help) return { ...state, help: false };
  if (state.mode !== "answer") return goTo(state, state.tab, true);
  return cancel(state);
}

function adopt(state: State, from: DraftWire, except: ReadonlySet<string>): State {
  const entries = { ...state.entries };
  for (const question of state.ask.questions) {
    // A secret is in no draft, so that no draft says anything of it.
    if (except.has(question.id) || question.secret) continue;
    const said = entryOf(question, from.answers[question.id] ?? question.default);
    // An unticked Other keeps its text on this side only; a draft that says nothing of it must not erase it.
    const kept = entry(state, question).otherText;
    entries[question.id] =
      question.many && !said.otherOn && said.otherText === "" ? { ...said, otherText: kept } : said;
  }
  return { ...state, entries, message: except.has(MESSAGE) ? state.message : (from.message ?? "") };
}

function refused(state: State, { ask, code, message, errors }: RefusedWire): State {
  if (ask !== state.ask.id || state.closed) return state;
  const closed = code === "late" || code === "foreign";
  const { [MESSAGE]: general, ...mend } = closed ? {} : errors;
  const named = state.ask.questions.some((q) => q.id in mend);
  const notice = general ?? (named ? null : message || S.late);
  return showErrors({ ...state, sending: null, stalled: false, closed }, mend, notice);
}

/** What happens to the card whether or not it can be answered now. */
function always(state: State, act: Act): State | null {
  switch (act.type) {
    case "draft":
      return adopt(state, act.draft, act.except);
    case "refused":
      return refused(state, act.refused);
    case "help":
      return { ...state, help: !state.help };
    case "filter":
      return { ...state, filters: { ...state.filters, [act.question]: act.text } };
    case "look":
      return act.option === state.looked ? state : { ...state, looked: act.option };
    case "open":
      return timed(state, act.phase);
    case "stalled":
      return { ...state, sending: null, stalled: true };
    case "gone":
      return { ...state, sending: null, stalled: false, closed: true, mode: "answer", notice: S.gone };
    default:
      return null;
  }
}

export function reduce(state: State, act: Act): State {
  const anyway = always(state, act);
  if (anyway) return anyway;
  // One reply at a time: until the kernel has spoken, nothing else acts.
  if (locked(state)) return state;
  if (act.type === "cancel") return cancel(state);
  if (act.type === "leave") return sent(state, "cancel");
  if (act.type === "decline") return sent(state, "decline");
  if (act.type === "escape") return stepBack(state);
  if (!canDraw(state)) return state;
  switch (act.type) {
    case "tab":
      return goTo(state, act.to, act.focus === true);
    case "mode":
      return act.mode === "answer"
        ? goTo(state, state.tab, true)
        : { ...state, mode: act.mode, focus: { at: act.mode } };
    case "message":
      return { ...state, message: act.text };
    case "submit":
      return submit(state);
    case "choose":
      return submit(edit(state, { type: "pick", question: act.question, option: act.option }));
    case "discuss":
      return sent(state, "discuss");
    case "enter":
      return enter(state);
    case "digit":
      return digit(state, act.number);
    case "check":
      return check(state, act.question);
    default:
      return edit(state, act as Edit);
  }
}
