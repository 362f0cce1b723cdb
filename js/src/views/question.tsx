/** What every question has around its own view: the error, and the note to the asker. */

import { S } from "../strings.ts";
import { idOf, type QuestionProps } from "./props.ts";

export function Problem({ view, question, error }: QuestionProps) {
  return (
    <p class="nbask-error" role="alert" id={idOf(view, question.id, "error")} hidden={!error} dir="auto">
      {error}
    </p>
  );
}

export function Notes({ state, dispatch, question, entry }: QuestionProps) {
  const label = S.note;
  return (
    <input
      class="nbask-in nbask-notes"
      type="text"
      dir="auto"
      autocomplete="off"
      aria-label={label}
      placeholder={label}
      value={entry.notes}
      readOnly={state.sending !== null}
      onInput={(event) => dispatch({ type: "notes", question: question.id, text: event.currentTarget.value })}
    />
  );
}

/** The question's own words; `id` names the group or the field they belong to. */
export function Words({ view, question, state }: QuestionProps) {
  const optional = !question.required && state.ask.questions.length > 1;
  return (
    <>
      <span id={idOf(view, question.id, "text")} dir="auto">
        {question.text}
      </span>
      {optional && <span class="nbask-small nbask-muted"> {S.optional}</span>}
    </>
  );
}

export const describedBy = ({ view, question, error }: QuestionProps): string | undefined =>
  error ? idOf(view, question.id, "error") : undefined;
