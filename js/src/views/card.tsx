/** The whole card: bar, tabs, the question in view or the review, and the footer. */

import { viewOf } from "../kinds.ts";
import { asButtons, canDraw, entry, inView, onReview, several } from "../store.ts";
import { S } from "../strings.ts";
import type { QuestionWire } from "../wire.ts";
import { Bar } from "./bar.tsx";
import { Confirm } from "./confirm.tsx";
import { Discuss, Foot, Leave } from "./foot.tsx";
import { Help } from "./help.tsx";
import { type CardProps, idOf } from "./props.ts";
import { Notes, Problem } from "./question.tsx";
import { Review } from "./review.tsx";
import { Rich } from "./rich.tsx";
import { Tabs } from "./tabs.tsx";

function Question({ question, ...props }: CardProps & { question: QuestionWire }) {
  const { state } = props;
  const View = asButtons(state) ? Confirm : viewOf(question.kind);
  if (!View) return <p class="nbask-error">{S.unknownKind(question.kind)}</p>;
  const given = { ...props, question, entry: entry(state, question), error: state.errors[question.id] };
  return (
    <>
      {question.header && !several(state) && (
        <span class="nbask-chip nbask-short" title={question.header} dir="auto">
          {question.header}
        </span>
      )}
      <View {...given} />
      <Problem {...given} />
      {question.notes && <Notes {...given} />}
    </>
  );
}

function Body(props: CardProps) {
  const { state, view } = props;
  const question = inView(state);
  const panel = several(state)
    ? { role: "tabpanel" as const, id: idOf(view, "panel"), "aria-labelledby": idOf(view, "tab", String(state.tab)) }
    : {};
  return (
    <div class="nbask-body" {...panel}>
      {question && <Question key={question.id} {...props} question={question} />}
      {onReview(state) && <Review {...props} />}
    </div>
  );
}

export function Card(props: CardProps) {
  const { state } = props;
  const unknown = state.ask.questions.find((question) => viewOf(question.kind) === undefined);
  return (
    <>
      <Bar {...props} />
      {state.ask.message && (
        <div class="nbask-message">
          <Rich rich={state.ask.message} name="nbask-html" />
        </div>
      )}
      {canDraw(state) && several(state) && <Tabs {...props} />}
      {unknown ? (
        <div class="nbask-body">
          <p class="nbask-q" id={idOf(props.view, inView(state)?.id ?? "", "text")} dir="auto">
            {unknown.text}
          </p>
          <p class="nbask-error">{S.unknownKind(unknown.kind)}</p>
        </div>
      ) : (
        <Body {...props} />
      )}
      <p class="nbask-error nbask-notice" role="alert" hidden={!state.notice} dir="auto">
        {state.notice}
      </p>
      {state.mode === "answer" && <Foot {...props} />}
      {state.mode === "discuss" && <Discuss {...props} />}
      {state.mode === "leave" && <Leave {...props} />}
      {state.help && <Help {...props} />}
    </>
  );
}
