/** The bottom line: what can be done with the card, one thing at a time. */

import { asButtons, canDraw, complete, inView, onReview, several } from "../store.ts";
import { S } from "../strings.ts";
import { Hint } from "./help.tsx";
import { type CardProps, idOf } from "./props.ts";

interface ButtonProps {
  label: string;
  press: () => void;
  off?: boolean;
  name?: string;
  focus?: string;
}

/** Off is said with `aria-disabled`: `disabled` would throw the focus out of the card. */
export function Button({ label, press, off = false, name = "", focus }: ButtonProps) {
  return (
    <button
      type="button"
      class={`nbask-btn ${name}`}
      aria-disabled={off}
      data-focus={focus}
      dir="auto"
      onClick={() => !off && press()}
    >
      {label}
    </button>
  );
}

function Primary({ state, dispatch, off }: CardProps & { off: boolean }) {
  const question = inView(state);
  if (asButtons(state) && question) {
    const first = question.default?.selected[0] ?? question.options[0]?.id;
    return (
      <>
        {question.options.map((option) => (
          <Button
            key={option.id}
            label={option.label}
            name={option.id === first ? "nbask-primary" : ""}
            off={off}
            focus={`o:${question.id}:${option.id}`}
            press={() => dispatch({ type: "choose", question: question.id, option: option.id })}
          />
        ))}
        <span class="nbask-gap" />
      </>
    );
  }
  const back = (
    <Button label={S.back} off={off} press={() => dispatch({ type: "tab", to: state.tab - 1, focus: true })} />
  );
  if (several(state) && !onReview(state)) {
    return (
      <>
        <Button label={S.next} name="nbask-primary" off={off} press={() => dispatch({ type: "enter" })} />
        {state.tab > 0 && back}
      </>
    );
  }
  const count = state.ask.questions.filter((q) => complete(state, q)).length;
  return (
    <>
      <Button
        label={several(state) ? S.submitMany(count) : S.submit}
        name="nbask-primary"
        off={off}
        focus="submit"
        press={() => dispatch({ type: "submit" })}
      />
      {several(state) && back}
    </>
  );
}

export function Foot(props: CardProps) {
  const { state, dispatch } = props;
  const off = state.sending !== null || state.closed;
  const drawn = canDraw(state);
  return (
    <div class="nbask-foot">
      {drawn && <Primary key={String(onReview(state))} {...props} off={off} />}
      {drawn && <Button label={S.discuss} off={off} press={() => dispatch({ type: "mode", mode: "discuss" })} />}
      <Button label={S.decline} name="nbask-quiet" off={off} press={() => dispatch({ type: "decline" })} />
      {state.sending === null ? <Hint {...props} /> : null}
      <span class="nbask-status nbask-small nbask-muted" role="status">
        {state.sending === null ? "" : S.sending}
      </span>
    </div>
  );
}

/** A word before the answer. What is typed here is never taken as consent. */
export function Discuss({ state, dispatch, view }: CardProps) {
  const off = state.sending !== null || state.closed;
  const id = idOf(view, "discuss");
  return (
    <div class="nbask-foot nbask-ask">
      <label for={id} dir="auto">
        {S.discussLabel}
      </label>
      <textarea
        class="nbask-in"
        id={id}
        rows={2}
        dir="auto"
        data-focus="discuss"
        value={state.message}
        readOnly={off}
        onInput={(event) => dispatch({ type: "message", text: event.currentTarget.value })}
      />
      <Button label={S.send} name="nbask-primary" off={off} press={() => dispatch({ type: "discuss" })} />
      <Button label={S.back} off={off} press={() => dispatch({ type: "mode", mode: "answer" })} />
      <span class="nbask-status nbask-small nbask-muted" role="status">
        {state.sending === null ? "" : S.sending}
      </span>
    </div>
  );
}

/** Asked before a cancel that would lose something; the focus goes to the safe choice. */
export function Leave({ state, dispatch, view }: CardProps) {
  const off = state.sending !== null || state.closed;
  const id = idOf(view, "leave");
  return (
    <div class="nbask-foot nbask-leave" role="alertdialog" aria-labelledby={id}>
      <span id={id}>{S.leave}</span>
      <Button
        label={S.keep}
        name="nbask-primary"
        focus="leave"
        off={off}
        press={() => dispatch({ type: "mode", mode: "answer" })}
      />
      <Button label={S.leaveYes} off={off} press={() => dispatch({ type: "leave" })} />
    </div>
  );
}
