/** The key hint in the footer, and behind `?` the whole list of keys that do something in this card. */

import {
  asButtons,
  canSubmit,
  digitsPick,
  inView,
  isConsent,
  isForm,
  onReview,
  type State,
  several,
  tabbed,
} from "../store.ts";
import * as S from "../strings.ts";
import type { QuestionWire } from "../wire.ts";
import { type CardProps, idOf } from "./props.ts";

const isArea = (question: QuestionWire): boolean => question.multiline || question.kind === "list";

/** How many options a digit can reach. */
function reach(state: State): number {
  const question = inView(state);
  return question && digitsPick(state) ? Math.min(9, question.options.length + Number(question.other)) : 0;
}

/** The keys that do something with what is in view. */
function hints(state: State): string[] {
  if (!canSubmit(state)) return [S.hintEscape];
  if (isForm(state) && several(state)) {
    // Where the words on the button name another party, it matters what that party gets to see.
    const { asker, questions, submit } = state.ask;
    return [submit === null ? S.hintEscape : S.onlyFields(asker.label, questions.length)];
  }
  const question = inView(state);
  const rows = reach(state);
  const area = question !== undefined && isArea(question);
  // On a card with one single choice a digit is the whole answer, and the hint must say so.
  const digit = several(state) || question?.many ? S.hintChoose : S.hintAnswer;
  const next = tabbed(state) && !onReview(state);
  const enter = next ? (area ? S.hintNextArea : S.hintNext) : area ? S.hintEnterArea : S.hintEnter;
  return [...(rows > 0 ? [digit(rows)] : []), ...(asButtons(state) || isConsent(state) ? [] : [enter]), S.hintEscape];
}

export function Hint({ state, dispatch, view }: CardProps) {
  return (
    <span class="nbask-hint nbask-small nbask-muted" key="hint">
      <span dir="auto">{hints(state).join(" · ")}</span> ·{" "}
      <button
        type="button"
        class="nbask-keys"
        aria-expanded={state.help}
        aria-controls={state.help ? idOf(view, "keys") : undefined}
        onClick={() => dispatch({ type: "help" })}
      >
        {S.hintKeys}
      </button>
    </span>
  );
}

/** Each key with what it does, for this card: one that does nothing here is not listed. */
function keys(state: State): [string, string][] {
  const { questions } = state.ask;
  const rows = Math.max(0, ...questions.map((_, tab) => reach({ ...state, tab })));
  const choices = questions.filter((question) => question.options.length > 0);
  const list: [boolean, string, string][] = [
    [rows > 0, rows > 1 ? `1–${rows}` : "1", S.keyDigit],
    [!asButtons(state) && choices.length > 0, "↑ ↓", S.keyArrows],
    [choices.some((question) => question.many), "Space", S.keySpace],
    [canSubmit(state) && !asButtons(state) && !isConsent(state), "Enter", tabbed(state) ? S.keyEnter : S.keySubmit],
    [questions.some(isArea), "Ctrl+Enter", S.keyArea],
    [tabbed(state), "← →", S.keyTabs],
    [true, "Esc", S.keyEscape],
    [true, "?", S.keyHelp],
  ];
  return list.flatMap(([valid, key, does]) => (valid ? [[key, does] as [string, string]] : []));
}

export function Help({ state, view }: CardProps) {
  return (
    <section
      role="group"
      class="nbask-help nbask-small nbask-muted"
      key="help"
      id={idOf(view, "keys")}
      aria-label={S.keysTitle}
    >
      <p>{S.keysTitle}</p>
      <dl>
        {keys(state).map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
