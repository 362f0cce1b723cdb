/** The last step of several questions: every answer, each with a way to change it. */

import { complete, entry, labelOf, summary } from "../store.ts";
import * as S from "../strings.ts";
import type { CardProps } from "./props.ts";

export function Review({ state, dispatch }: CardProps) {
  return (
    <ul class="nbask-review">
      {state.ask.questions.map((question, index) => {
        const said = summary(state, question);
        const { notes } = entry(state, question);
        const label = labelOf(question, index);
        return (
          <li key={question.id}>
            <span class="nbask-muted" dir="auto">
              {label}
            </span>
            <span class="nbask-said" dir="auto">
              {said.length > 0 ? <b>{S.list(said)}</b> : <i>{S.notAnswered}</i>}
              {notes && <span class="nbask-muted"> – {S.noteSaid(notes)}</span>}
              {said.length > 0 && !complete(state, question) && <span class="nbask-muted"> – {S.unfinished}</span>}
            </span>
            <button
              type="button"
              class="nbask-link"
              aria-label={S.changeOf(label)}
              onClick={() => dispatch({ type: "tab", to: index, focus: true })}
            >
              {S.change}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
