/** A text, in one line or several. */

import * as S from "../strings.ts";
import { fieldRules, isBlank, outside, textOf } from "./rules.ts";

const DOTS = "••••••";

/** `name@host.domain`, and a scheme with something behind it: as `nbask/kinds/text.py` has them. */
const EMAIL = /^[^@\s]+@[^@\s.]+(\.[^@\s.]+)+$/;
const URI = /^[a-z][a-z\d+.-]*:(?!\/\/([?#]|$))[^?# ][^ ]*$/i;
/** What Python reads in another way: escapes that are only its own, counts without a least one. */
const PYTHONS = /\\[AaNUZz]|\{,/;

/** Whether a text fits a pattern, as far as both languages agree on it; the kernel has the last word. */
function fits(pattern: string, text: string): boolean {
  // Python's classes know the letters of all scripts, and its `$` passes over a line's end.
  if (PYTHONS.test(pattern) || /\P{ASCII}|\n/u.test(text)) return true;
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(pattern, flags).test(text);
    } catch {
      // The other flags may take it: escapes such as \- are errors with `u` only.
    }
  }
  return true;
}

export const textRules = fieldRules(
  (text, question) => {
    const { format, pattern } = question;
    const said = format ? text.trim() : text;
    if (format === "email" && !EMAIL.test(said)) return S.notEmail;
    if (format === "uri" && !URI.test(said)) return S.notUri;
    if (pattern !== null && !fits(pattern, said)) return S.notPattern(pattern);
    // A schema counts code points, and not the halves that JavaScript counts.
    return outside(question, [...said].length, S.characters);
  },
  {
    hint: ({ secret }) => (secret ? S.secretHint : null),
    summary: ({ secret }, { value }) => (isBlank(textOf(value)) ? [] : [secret ? DOTS : textOf(value)]),
  },
);
