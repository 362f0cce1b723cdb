/** The bottom line: what can be done with the card, one thing at a time. */

import type { Child } from "../dom/h.ts";
import { canEnable, enable } from "../notify.ts";
import { asButtons, canSubmit, complete, inView, locked, onReview, tabbed } from "../store.ts";
import * as S from "../strings.ts";
import { Hint } from "./help.tsx";
import { type CardProps, idOf } from "./props.ts";

interface ButtonProps {
  label: string;
  press: () => void;
  off: boolean;
  name?: string;
  focus?: string;
}

/** Off is said with `aria-disabled`: `disabled` would throw the focus out of the card. */
export function Button({ label, press, off, name = "", focus }: ButtonProps) {
  return (
    <button
      type="button"
      // Another button is another element: a press that is repeated must not meet the next one in its place.
      key={focus ?? label}
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

/** The buttons of a yes-or-no: what cannot be undone comes last, and is never what stands out to be pressed. */
function YesNo({ state, dispatch, off }: CardProps & { off: boolean }) {
  const question = inView(state);
  if (!question) return null;
  const { danger, options } = question;
  const first = question.default?.selected[0] ?? options[0]?.id;
  return (danger ? [...options].reverse() : options).map((option) => {
    const yes = option.id === options[0]?.id;
    return (
      <Button
        label={option.label}
        name={danger ? (yes ? "nbask-danger" : "nbask-safe") : option.id === first ? "nbask-primary" : ""}
        off={off}
        focus={`o:${question.id}:${option.id}`}
        press={() => dispatch({ type: "choose", question: question.id, option: option.id })}
      />
    );
  });
}

function Primary(props: CardProps & { off: boolean }): Child {
  const { state, dispatch, off } = props;
  if (asButtons(state)) return [<YesNo {...props} />, <span key="gap" class="nbask-gap" />];
  const to = state.tab - 1;
  const back = <Button label={S.back} off={off} press={() => dispatch({ type: "tab", to, focus: true })} />;
  if (tabbed(state) && !onReview(state)) {
    const next = <Button label={S.next} name="nbask-primary" off={off} press={() => dispatch({ type: "enter" })} />;
    return [next, state.tab > 0 && back];
  }
  const { questions, submit } = state.ask;
  const [only] = questions;
  const consent = only?.kind === "consent" ? (only.url === null ? S.accept : S.open) : S.submit;
  const count = questions.filter((q) => complete(state, q)).length;
  return [
    <Button
      label={submit ?? (tabbed(state) ? S.submitMany(count) : consent)}
      name="nbask-primary"
      off={off}
      focus="submit"
      press={() => dispatch({ type: "submit" })}
    />,
    tabbed(state) && back,
  ];
}

/** What has become of the reply. */
const Status = ({ state }: CardProps) => (
  <span class="nbask-status nbask-small nbask-muted" role="status" key="status">
    {state.sending ? S.sending : state.stalled ? S.stalled : ""}
  </span>
);

export function Foot(props: CardProps) {
  const { state, dispatch } = props;
  const off = locked(state);
  const able = canSubmit(state);
  const redraw = () =>
    dispatch({ type: "open", phase: { state: "open", deadline: state.deadline, paused_until: state.pausedUntil } });
  return (
    <div class="nbask-foot" key="foot">
      {able && <Primary {...props} off={off} />}
      {able && <Button label={S.discuss} off={off} press={() => dispatch({ type: "mode", mode: "discuss" })} />}
      <Button
        label={S.decline}
        name={able ? "nbask-quiet" : ""}
        off={off}
        press={() => dispatch({ type: "decline" })}
      />
      {state.ask.notify && canEnable() && (
        <button
          type="button"
          key="notify"
          class="nbask-keys nbask-small nbask-muted"
          title={S.notifyHint}
          onClick={() => enable(redraw)}
        >
          {S.notify}
        </button>
      )}
      {!off && !state.stalled && <Hint {...props} />}
      <Status {...props} />
    </div>
  );
}

/** A word before the answer. What is typed here is never taken as consent. */
export function Discuss(props: CardProps) {
  const { state, dispatch, view } = props;
  const off = locked(state);
  const id = idOf(view, "discuss");
  return (
    <div class="nbask-foot nbask-ask" key="discuss">
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
        readonly={off}
        onInput={(event) => dispatch({ type: "message", text: event.currentTarget.value })}
      />
      <Button label={S.send} name="nbask-primary" off={off} press={() => dispatch({ type: "discuss" })} />
      <Button label={S.back} off={off} press={() => dispatch({ type: "mode", mode: "answer" })} />
      <Status {...props} />
    </div>
  );
}

/** Asked before a cancel that would lose something; the focus goes to the safe choice. */
export function Leave({ state, dispatch, view }: CardProps) {
  const off = locked(state);
  const id = idOf(view, "leave");
  return (
    <div class="nbask-foot nbask-leave" key="leave" role="alertdialog" aria-labelledby={id}>
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
