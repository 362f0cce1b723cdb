/** What every typed field shares: its label and help, and the attributes that tie it to its question. */

import type { Child } from "../dom/h.ts";
import { textOf } from "../rules/rules.ts";
import { isForm, locked } from "../store.ts";
import * as S from "../strings.ts";
import { idOf, type QuestionProps } from "./props.ts";
import { describedBy, Help, Words } from "./question.tsx";

export function Field({ children, ...props }: QuestionProps & { children?: Child }) {
  return (
    <>
      <label class="nbask-q" for={idOf(props.view, props.question.id)}>
        <Words {...props} />
      </label>
      <Help {...props} />
      {children}
    </>
  );
}

export function fieldOf(props: QuestionProps) {
  const { state, question, entry, view, dispatch, error } = props;
  return {
    id: idOf(view, question.id),
    class: "nbask-in",
    dir: "auto",
    autocomplete: "off",
    placeholder: question.placeholder ?? (isForm(state) ? undefined : S.textHint),
    value: textOf(entry.value),
    readonly: locked(state),
    "data-focus": `q:${question.id}`,
    "aria-describedby": describedBy(props),
    "aria-invalid": error ? "true" : undefined,
    "aria-required": question.required ? "true" : undefined,
    onInput: (event: Event & { currentTarget: { value: string } }) =>
      dispatch({ type: "value", question: question.id, value: event.currentTarget.value }),
  };
}
