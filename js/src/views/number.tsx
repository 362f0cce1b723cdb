/** A number, as a text: a browser's number field drops what it cannot read, and changes on a turn of the wheel. */

import { Field, fieldOf } from "./field.tsx";
import type { QuestionProps } from "./props.ts";

export function NumberView(props: QuestionProps) {
  return (
    <Field {...props}>
      <input type="text" {...fieldOf(props)} inputmode={props.question.kind === "integer" ? "numeric" : "decimal"} />
    </Field>
  );
}
