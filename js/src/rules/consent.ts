/** A consent: submitting is the answer, to a message or to an address that is opened then. */

import type { QuestionWire } from "../wire.ts";
import type { Rules } from "./rules.ts";

/** What hides how an address reads, and how one begins that leads anywhere: as `may_open` in `nbask/kinds/consent.py`. */
const HIDING = /[\\\p{C}\p{Z}]/u;
const WEB = /^https?:\/\/[^/]/i;

/** The address in its parts, if a browser may be sent there. */
export function addressOf(question: QuestionWire): URL | null {
  const address = question.url ?? "";
  try {
    return HIDING.test(address) || !WEB.test(address) ? null : new URL(address);
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
