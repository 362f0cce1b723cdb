/** The key hint in the footer, and the whole list behind `?`. */

import { asButtons, inView, onReview, type State, several } from "../store.ts";
import { S } from "../strings.ts";
import { type CardProps, idOf } from "./props.ts";

/** The keys that do something with what is in view. */
function hints(state: State): string[] {
  const question = inView(state);
  const rows = Math.min(9, question ? question.options.length + Number(question.other) : 0);
  const area = question?.multiline === true;
  // On a card with one single choice a digit is the whole answer, and the hint must say so.
  const digit = several(state) || question?.many ? S.hintChoose : S.hintAnswer;
  const next = several(state) && !onReview(state);
  const enter = next ? (area ? S.hintNextArea : S.hintNext) : area ? S.hintEnterArea : S.hintEnter;
  return [...(rows > 0 ? [digit(rows)] : []), ...(asButtons(state) ? [] : [enter]), S.hintEscape];
}

export function Hint({ state, dispatch, view }: CardProps) {
  return (
    <span class="nbask-hint nbask-small nbask-muted">
      {hints(state).join(" · ")} ·{" "}
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

export function Help({ view }: CardProps) {
  return (
    <section class="nbask-help nbask-small nbask-muted" id={idOf(view, "keys")} aria-label={S.keysTitle}>
      <p>{S.keysTitle}</p>
      <dl>
        {S.keys.map(([key, does]) => (
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
