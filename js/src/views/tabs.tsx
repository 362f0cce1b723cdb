/** The tabs of a card with several questions, after the WAI-ARIA Authoring Practices. */

import { complete, labelOf } from "../store.ts";
import * as S from "../strings.ts";
import { type CardProps, idOf } from "./props.ts";

function step(key: string, at: number, count: number): number | null {
  switch (key) {
    case "ArrowRight":
      return (at + 1) % count;
    case "ArrowLeft":
      return (at + count - 1) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}

export function Tabs({ state, dispatch, view }: CardProps) {
  const { questions } = state.ask;
  const labels = [...questions.map(labelOf), S.review];
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    const to = step(event.key, state.tab, labels.length);
    if (to === null || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    dispatch({ type: "tab", to });
    event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")[to]?.focus();
  };
  return (
    <div class="nbask-tabs" role="tablist" aria-label={S.questions} onKeyDown={onKeyDown}>
      {labels.map((label, index) => {
        const question = questions[index];
        const done = question !== undefined && complete(state, question);
        const wrong = question !== undefined && question.id in state.errors;
        return (
          <button
            type="button"
            role="tab"
            key={question?.id ?? ""}
            id={idOf(view, "tab", String(index))}
            class="nbask-tab"
            title={label}
            aria-selected={index === state.tab}
            aria-controls={index === state.tab ? idOf(view, "panel") : undefined}
            tabindex={index === state.tab ? 0 : -1}
            onClick={() => dispatch({ type: "tab", to: index })}
          >
            <span class="nbask-mark" aria-hidden="true">
              {wrong ? "!" : done ? "✓" : ""}
            </span>
            <span class="nbask-short" dir="auto">
              {label}
            </span>
            {done && <span class="nbask-sr">, {S.answered}</span>}
          </button>
        );
      })}
    </div>
  );
}
