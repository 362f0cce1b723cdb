/** A text question: one line, or several, or a secret. */

import { Field, fieldOf } from "./field.tsx";
import type { QuestionProps } from "./props.ts";

export function TextView(props: QuestionProps) {
  const { multiline, secret, format } = props.question;
  const field = fieldOf(props);
  return (
    <Field {...props}>
      {multiline && !secret ? (
        <textarea rows={4} {...field} />
      ) : (
        // Never type=email or url: the browser's own bubbles and rules are not ours.
        <input type={secret ? "password" : "text"} inputmode={format === "uri" ? "url" : format} {...field} />
      )}
    </Field>
  );
}
