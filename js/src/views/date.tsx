/** A day, or a day and a time, in the browser's own field. */

import { Field, fieldOf } from "./field.tsx";
import type { QuestionProps } from "./props.ts";

export function DateView(props: QuestionProps) {
  const { kind } = props.question;
  const field = fieldOf(props);
  // What the field cannot hold is left to it: half a date that is being typed must not be wiped.
  const value = /^\d{4}-/.test(field.value) ? field.value : "";
  return (
    <Field {...props}>
      <input type={kind === "date" ? "date" : "datetime-local"} {...field} value={value} />
    </Field>
  );
}
