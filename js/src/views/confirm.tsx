/** A yes-or-no question alone on its card: its words here, its options as the footer's buttons. */

import { idOf, type QuestionProps } from "./props.ts";
import { Help, Words } from "./question.tsx";

export function Confirm(props: QuestionProps) {
  return (
    <>
      <p class="nbask-q" id={idOf(props.view, props.question.id)} data-focus={`q:${props.question.id}`} tabindex={-1}>
        <Words {...props} />
      </p>
      <Help {...props} />
    </>
  );
}
