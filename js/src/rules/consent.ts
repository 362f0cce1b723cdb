/** A consent: submitting is the answer, to a message or to an address that is opened then. */

import type { QuestionWire } from "../wire.ts";
import type { Rules } from "./rules.ts";

/** What hides how an address reads; the twin of `may_open` in `nbask/kinds/consent.py`. */
const HIDING = /[\\\p{C}\p{Z}]/u;

/** The address in its parts, if a browser may be sent there. */
export function addressOf(question: QuestionWire): URL | null {
  if (HIDING.test(question.url ?? "")) return null;
  try {
    const url = new URL(question.url ?? "");
    return url.protocol === "https:" || url.protocol === "http:" ? url : null;
  } catch {
    return null;
  }
}

/** Whether there is nothing to consent to, only something to refuse. */
export const isBlocked = (question: QuestionWire): boolean => question.url !== null && !addressOf(question);

export const consentRules: Rules = {
  answered: () => true,
  problem: () => null,
  missing: () => null,
  summary: ({ url, text }) => [url ?? text],
  wire: () => true,
};
