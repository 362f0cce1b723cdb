/** A list of texts: an area with one entry on each line. */

import { Field, fieldOf } from "./field.tsx";
import type { QuestionProps } from "./props.ts";

export function ListView(props: QuestionProps) {
  const { min, max, placeholder } = props.question;
  const rows = Math.min(8, Math.max(3, min ?? 0, max ?? 0));
  return (
    <Field {...props}>
      <textarea {...fieldOf(props)} rows={rows} placeholder={placeholder} />
    </Field>
  );
}
