/** What the views are given. */

import type { Dispatch } from "../reduce.ts";
import type { Entry } from "../rules/rules.ts";
import type { State } from "../store.ts";
import type { QuestionWire } from "../wire.ts";

export interface CardProps {
  state: State;
  dispatch: Dispatch;
  /** Unique in the page: one model may have several views. */
  view: string;
  /** The moment that is drawn. */
  now: number;
}

export interface QuestionProps extends CardProps {
  question: QuestionWire;
  entry: Entry;
  error: string | undefined;
}

/** Ids of the parts of a card, so that they can name and describe one another. */
export const idOf = (view: string, ...parts: string[]): string => ["nbask", view, ...parts].join("-");
