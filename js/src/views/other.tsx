/** The Other row: a radio or checkbox, and the text that goes with it. */

import { otherOf } from "../rules/choice.ts";
import { isBlank } from "../rules/rules.ts";
import { locked } from "../store.ts";
import * as S from "../strings.ts";
import { Digit } from "./choice.tsx";
import { idOf, type QuestionProps } from "./props.ts";

export function OtherRow(props: QuestionProps & { number: number }) {
  const { state, question, entry, view, dispatch, error } = props;
  const label = otherOf(question);
  const hint = question.placeholder ?? S.otherHint;
  const id = idOf(view, question.id, "other");
  const toText = (event: MouseEvent) => {
    // Only a real click (detail > 0) goes on to the text: arrow keys on the radios must not be trapped there.
    const row = event.currentTarget;
    if (event.detail > 0 && row instanceof HTMLElement) row.querySelector<HTMLElement>(".nbask-in")?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the row only widens the target of the input in it
    <div class="nbask-opt nbask-other" key="other" onClick={toText}>
      <input
        type={question.many ? "checkbox" : "radio"}
        name={idOf(view, question.id)}
        id={id}
        checked={entry.otherOn}
        aria-disabled={locked(state) || undefined}
        onChange={(event) => dispatch({ type: "other", question: question.id, on: event.currentTarget.checked })}
      />
      <label class="nbask-label" for={id} dir="auto">
        {label}
      </label>
      <input
        class="nbask-in"
        type="text"
        dir="auto"
        autocomplete="off"
        aria-label={`${label}: ${hint}`}
        aria-invalid={error && entry.otherOn && isBlank(entry.otherText) ? "true" : undefined}
        placeholder={hint}
        value={entry.otherText}
        readonly={locked(state)}
        data-focus={`other:${question.id}`}
        onInput={(event) => dispatch({ type: "otherText", question: question.id, text: event.currentTarget.value })}
      />
      <Digit {...props} />
    </div>
  );
}
