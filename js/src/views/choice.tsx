/** A choice: native radios or checkboxes, Other as a row of its own, previews beside or below. */

import { choiceInRow, digitsPick, locked } from "../store.ts";
import * as S from "../strings.ts";
import type { OptionWire } from "../wire.ts";
import { Filter, shownOptions } from "./filter.tsx";
import { OtherRow } from "./other.tsx";
import { Previews } from "./preview.tsx";
import { idOf, type QuestionProps } from "./props.ts";
import { describedBy, Help, Words } from "./question.tsx";

/** The key that picks a row; for the eye only, so that it is not read as part of the label. */
export const Digit = ({ state, number }: QuestionProps & { number: number }) =>
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a kbd takes no focus
  digitsPick(state) && number <= 9 ? <kbd aria-hidden="true">{number}</kbd> : null;

function OptionRow(props: QuestionProps & { option: OptionWire; number: number }) {
  const { state, question, entry, view, dispatch, option } = props;
  const id = idOf(view, question.id, option.id);
  return (
    <label class="nbask-opt" data-option={option.id}>
      <input
        type={question.many ? "checkbox" : "radio"}
        name={idOf(view, question.id)}
        checked={entry.selected.includes(option.id)}
        data-focus={`o:${question.id}:${option.id}`}
        aria-disabled={locked(state) || undefined}
        aria-labelledby={option.recommended ? `${id}-label ${id}-rec` : `${id}-label`}
        aria-describedby={option.description ? `${id}-text` : undefined}
        onChange={() => dispatch({ type: question.many ? "toggle" : "pick", question: question.id, option: option.id })}
      />
      <span class="nbask-label">
        <span id={`${id}-label`} dir="auto">
          {option.label}
        </span>
        {option.recommended && (
          <span class="nbask-rec" id={`${id}-rec`}>
            {S.recommended}
          </span>
        )}
      </span>
      <Digit {...props} />
      {option.description && (
        <span class="nbask-text nbask-muted" id={`${id}-text`} dir="auto">
          {option.description}
        </span>
      )}
    </label>
  );
}

/** "choose 1 to 3 · 2 chosen" */
function Counter({ question, entry }: QuestionProps) {
  const chosen = entry.selected.length + Number(entry.otherOn);
  const min = question.min ?? (question.required ? 1 : null);
  return (
    <p class="nbask-count nbask-small nbask-muted">
      {S.range(min, question.max)} · <span aria-live="polite">{S.chosen(chosen)}</span>
    </p>
  );
}

export function ChoiceView(props: QuestionProps) {
  const { state, question } = props;
  const options = (
    <div class={`nbask-opts ${choiceInRow(state, question) ? "nbask-row" : ""}`} key="opts">
      {shownOptions(props).map((option) => (
        <OptionRow key={option.id} {...props} option={option} number={question.options.indexOf(option) + 1} />
      ))}
      {question.other && <OtherRow {...props} number={question.options.length + 1} />}
    </div>
  );
  return (
    <fieldset class="nbask-fieldset" data-focus={`q:${question.id}`} aria-describedby={describedBy(props)}>
      <legend class="nbask-q">
        <Words {...props} />
      </legend>
      <Help {...props} />
      {question.many && <Counter {...props} />}
      <Filter {...props} />
      {question.options.some((option) => option.preview) ? <Previews {...props}>{options}</Previews> : options}
    </fieldset>
  );
}
