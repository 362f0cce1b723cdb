/** The preview pane: follows the option looked at, and keeps its size while what it shows changes. */

import type { Child } from "../dom/h.ts";
import { keepsHeight, scrolls } from "../dom/size.ts";
import type { Dispatch } from "../reduce.ts";
import * as S from "../strings.ts";
import type { QuestionProps } from "./props.ts";
import { Rich } from "./rich.tsx";

const optionAt = (target: EventTarget | null): string | null =>
  target instanceof Element ? (target.closest("[data-option]")?.getAttribute("data-option") ?? null) : null;

/** Watches where the person looks. What was looked at last stays while pointer or focus is on its way to the pane. */
const watch = (dispatch: Dispatch) => (around: HTMLElement) => {
  const look = (event: Event) => {
    const option = optionAt(event.target);
    if (option !== null) dispatch({ type: "look", option });
  };
  const leave = () => {
    const focus = document.activeElement;
    dispatch({ type: "look", option: around.contains(focus) ? optionAt(focus) : null });
  };
  const focusOut = ({ relatedTarget: to }: FocusEvent) => {
    if (!(to instanceof Node && around.contains(to))) dispatch({ type: "look", option: null });
  };
  around.addEventListener("mouseover", look);
  around.addEventListener("focusin", look);
  around.addEventListener("mouseleave", leave);
  around.addEventListener("focusout", focusOut);
  return undefined;
};

const pane = (element: HTMLElement) => {
  const ends = [keepsHeight(element), scrolls(element)];
  return () => {
    for (const end of ends) end();
  };
};

export function Previews({ state, question, entry, dispatch, children }: QuestionProps & { children?: Child }) {
  const withPreview = question.options.filter((option) => option.preview);
  const wanted = [state.looked, ...entry.selected];
  const shown =
    wanted.map((id) => withPreview.find((option) => option.id === id)).find((option) => option) ?? withPreview[0];
  return (
    <div class="nbask-cols" use={watch(dispatch)}>
      {children}
      {shown?.preview && (
        <section role="group" class="nbask-pane" use={pane} aria-label={S.preview(shown.label)}>
          <div class="nbask-cap nbask-short nbask-small nbask-muted" aria-hidden="true" dir="auto">
            {S.preview(shown.label)}
          </div>
          <Rich key={shown.id} rich={shown.preview} name="nbask-html" />
        </section>
      )}
    </div>
  );
}
