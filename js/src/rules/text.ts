/** A text, in one line or several. */

import * as S from "../strings.ts";
import { fieldRules, isBlank, outside, textOf } from "./rules.ts";

const DOTS = "••••••";

/** Whether a text fits a JSON Schema pattern; one that cannot be compiled is left to the kernel. */
function fits(pattern: string, text: string): boolean {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(pattern, flags).test(text);
    } catch {
      // The other flags may take it: escapes such as \- are errors with `u` only.
    }
  }
  return true;
}

function isUri(text: string): boolean {
  try {
    return Boolean(new URL(text));
  } catch {
    return false;
  }
}

export const textRules = fieldRules(
  (text, question) => {
    const { format, pattern } = question;
    if (format === "email" && !/^[^\s@]+@[^\s@]+$/.test(text.trim())) return S.notEmail;
    if (format === "uri" && !isUri(text.trim())) return S.notUri;
    if (pattern !== null && !fits(pattern, text)) return S.notPattern(pattern);
    // A schema counts code points, and not the halves that JavaScript counts.
    return outside(question, [...text].length, S.characters);
  },
  {
    hint: ({ secret }) => (secret ? S.secretHint : null),
    summary: ({ secret }, { value }) => (isBlank(textOf(value)) ? [] : [secret ? DOTS : textOf(value)]),
  },
);
