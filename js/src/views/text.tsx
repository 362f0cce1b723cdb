/** A text question: one line, or several. */

import { textOf } from "../rules/text.ts";
import { S } from "../strings.ts";
import { idOf, type QuestionProps } from "./props.ts";
import { describedBy, Words } from "./question.tsx";

export function TextView(props: QuestionProps) {
  const { state, question, entry, view, dispatch, error } = props;
  const id = idOf(view, question.id);
  const field = {
    id,
    class: "nbask-in",
    dir: "auto" as const,
    placeholder: question.placeholder ?? S.textHint,
    value: textOf(entry.value),
    readOnly: state.sending !== null,
    "data-focus": `q:${question.id}`,
    "aria-describedby": describedBy(props),
    "aria-invalid": error ? ("true" as const) : undefined,
    onInput: (event: Event & { currentTarget: { value: string } }) =>
      dispatch({ type: "value", question: question.id, value: event.currentTarget.value }),
  };
  return (
    <div class="nbask-field">
      <label class="nbask-q" for={id}>
        <Words {...props} />
      </label>
      {question.multiline ? <textarea rows={4} {...field} /> : <input type="text" autocomplete="off" {...field} />}
    </div>
  );
}
