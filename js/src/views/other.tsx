/** The Other row: a radio or checkbox, and the text that goes with it. */

import { isBlank } from "../rules/rules.ts";
import { S } from "../strings.ts";
import { Digit } from "./choice.tsx";
import { idOf, type QuestionProps } from "./props.ts";

export function OtherRow(props: QuestionProps & { number: number }) {
  const { state, question, entry, view, dispatch, number, error } = props;
  const id = idOf(view, question.id, "other");
  const toText = (event: MouseEvent) => {
    // Only a real click (detail > 0) goes on to the text: arrow keys on the radios must not be trapped there.
    const row = event.currentTarget;
    if (event.detail > 0 && row instanceof HTMLElement) row.querySelector<HTMLElement>(".nbask-in")?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the row only widens the target of the input in it
    <div class="nbask-opt nbask-other" onClick={toText}>
      <input
        type={question.many ? "checkbox" : "radio"}
        name={idOf(view, question.id)}
        id={id}
        checked={entry.otherOn}
        onChange={(event) => dispatch({ type: "other", question: question.id, on: event.currentTarget.checked })}
      />
      <label class="nbask-label" for={id}>
        {S.other}
      </label>
      <input
        class="nbask-in"
        type="text"
        dir="auto"
        autocomplete="off"
        aria-label={`${S.other}: ${S.otherHint}`}
        aria-invalid={error && entry.otherOn && isBlank(entry.otherText) ? "true" : undefined}
        placeholder={S.otherHint}
        value={entry.otherText}
        readOnly={state.sending !== null}
        data-focus={`other:${question.id}`}
        onInput={(event) => dispatch({ type: "otherText", question: question.id, text: event.currentTarget.value })}
      />
      <Digit number={number} />
    </div>
  );
}
