/** The previews, one on top of the other: the one looked at shows, and the tallest of them is the height of all. */

import type { Child } from "../dom/h.ts";
import { scrolls } from "../dom/size.ts";
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
  const leave = () => dispatch({ type: "look", option: optionAt(around.querySelector(":focus")) });
  const focusOut = ({ relatedTarget: to }: FocusEvent) => {
    if (!(to instanceof Node && around.contains(to))) dispatch({ type: "look", option: null });
  };
  around.addEventListener("mouseover", look);
  around.addEventListener("focusin", look);
  around.addEventListener("mouseleave", leave);
  around.addEventListener("focusout", focusOut);
  return undefined;
};

export function Previews({ state, question, entry, dispatch, children }: QuestionProps & { children?: Child }) {
  const withPreview = question.options.filter((option) => option.preview);
  const wanted = [state.looked, ...entry.selected];
  const shown =
    wanted.map((id) => withPreview.find((option) => option.id === id)).find((option) => option) ?? withPreview[0];
  return (
    <div class="nbask-cols" use={watch(dispatch)}>
      {children}
      <div class="nbask-panes">
        {withPreview.map(
          ({ id, label, preview }) =>
            preview && (
              <section
                key={id}
                role="group"
                class={`nbask-pane ${id === shown?.id ? "" : "nbask-off"}`}
                use={scrolls}
                aria-label={S.preview(label)}
              >
                <div class="nbask-cap nbask-short nbask-small nbask-muted" aria-hidden="true" dir="auto">
                  {S.preview(label)}
                </div>
                <Rich rich={preview} name="nbask-html" />
              </section>
            ),
        )}
      </div>
    </div>
  );
}
