/** The box that filters a long list of options. */

import * as S from "../strings.ts";
import type { OptionWire } from "../wire.ts";
import type { QuestionProps } from "./props.ts";

const LONG = 12;

/** The options whose words hold what is typed, and the picked ones whatever is typed. */
export function shownOptions({ state, question, entry }: QuestionProps): OptionWire[] {
  const typed = (state.filters[question.id] ?? "").trim().toLowerCase();
  return question.options.filter(
    ({ id, label, description }) =>
      entry.selected.includes(id) || `${label}\n${description ?? ""}`.toLowerCase().includes(typed),
  );
}

export function Filter(props: QuestionProps) {
  const { state, question, dispatch } = props;
  const { id, options } = question;
  if (options.length < LONG) return null;
  const typed = state.filters[id] ?? "";
  const set = (text: string) => dispatch({ type: "filter", question: id, text });
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    const clear = event.key === "Escape" && typed !== "";
    // Enter goes on to what was found: a filter is no answer that could be submitted.
    const go = event.key === "Enter" && !event.isComposing;
    if (clear || go) event.preventDefault();
    if (clear) set("");
    if (go) event.currentTarget.closest("fieldset")?.querySelector<HTMLElement>(".nbask-opt input")?.focus();
  };
  return (
    <div class="nbask-filter" key="filter">
      <input
        class="nbask-in"
        type="text"
        dir="auto"
        autocomplete="off"
        aria-label={S.filter(options.length)}
        placeholder={S.filter(options.length)}
        value={typed}
        onInput={(event) => set(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <span class="nbask-small nbask-muted" role="status">
        {typed && S.matches(shownOptions(props).length, options.length)}
      </span>
    </div>
  );
}
