/** What every question has around its own view: help, warnings, the error, and the note to the asker. */

import { RULES } from "../kinds.ts";
import { isForm, locked, several } from "../store.ts";
import * as S from "../strings.ts";
import type { QuestionWire } from "../wire.ts";
import { idOf, type QuestionProps } from "./props.ts";

export function Problem({ state, view, question, error }: QuestionProps) {
  // Many at once in a form would be read over one another: there the footer says it, and the focus goes to the first.
  const role = isForm(state) && several(state) ? undefined : "alert";
  return (
    <p class="nbask-error" role={role} id={idOf(view, question.id, "error")} hidden={!error} dir="auto">
      {error}
    </p>
  );
}

export function Notes({ state, dispatch, question, entry }: QuestionProps) {
  const label = S.note;
  return (
    <input
      class="nbask-in nbask-notes"
      type="text"
      dir="auto"
      autocomplete="off"
      aria-label={label}
      placeholder={label}
      value={entry.notes}
      readonly={locked(state)}
      onInput={(event) => dispatch({ type: "notes", question: question.id, text: event.currentTarget.value })}
    />
  );
}

/** The question's own words; `id` names the group or the field they belong to. */
export function Words({ view, question, state }: QuestionProps) {
  return (
    <>
      <span id={idOf(view, question.id, "text")} dir="auto">
        {question.text}
      </span>
      {!question.required && several(state) && <span class="nbask-small nbask-muted"> {S.optional}</span>}
    </>
  );
}

/** What fits, in the kind's words, after the caller's. */
const helpOf = (question: QuestionWire): string[] =>
  [question.description, RULES[question.kind]?.hint?.(question)].filter((text) => typeof text === "string");

/** The caller's help and warnings, between the label and the field. */
export function Help({ view, question }: QuestionProps) {
  const help = helpOf(question);
  return (
    <>
      {question.warnings.length > 0 && (
        <div key="warn" class="nbask-warn" id={idOf(view, question.id, "warn")}>
          {question.warnings.map((text, index) => (
            <p key={index} dir="auto">
              {text}
            </p>
          ))}
        </div>
      )}
      {help.length > 0 && (
        <p key="help" class="nbask-desc nbask-muted" id={idOf(view, question.id, "help")} dir="auto">
          {help.join(" · ")}
        </p>
      )}
    </>
  );
}

export function describedBy({ view, question, error }: QuestionProps): string | undefined {
  const parts = [question.warnings.length > 0 && "warn", helpOf(question).length > 0 && "help", error && "error"];
  const ids = parts
    .filter((part) => typeof part === "string" && part !== "")
    .map((part) => idOf(view, question.id, String(part)));
  return ids.join(" ") || undefined;
}
