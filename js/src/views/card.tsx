/** The whole card: bar, tabs, the question in view or the review or the form, and the footer. */

import { scrolls } from "../dom/size.ts";
import { viewOf } from "../kinds.ts";
import { asButtons, canDraw, entry, inView, isForm, onReview, several, tabbed } from "../store.ts";
import * as S from "../strings.ts";
import type { QuestionWire } from "../wire.ts";
import { Bar, Close } from "./bar.tsx";
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
  if (!View) return null;
  const given = { ...props, question, entry: entry(state, question), error: state.errors[question.id] };
  return (
    <div class="nbask-field">
      {question.header && !several(state) && (
        <span key="chip" class="nbask-chip nbask-short" title={question.header} dir="auto">
          {question.header}
        </span>
      )}
      <View {...given} />
      <Problem {...given} />
      {question.notes && <Notes {...given} />}
    </div>
  );
}

function Body(props: CardProps) {
  const { state, view } = props;
  const { questions } = state.ask;
  const shown = isForm(state) ? questions : [inView(state)];
  const panel = tabbed(state)
    ? { role: "tabpanel", id: idOf(view, "panel"), "aria-labelledby": idOf(view, "tab", String(state.tab)) }
    : {};
  return (
    <div class={`nbask-body ${isForm(state) && several(state) ? "nbask-form" : ""}`} {...panel}>
      {shown.map((question) => question && <Question key={question.id} {...props} question={question} />)}
      {onReview(state) && <Review {...props} />}
    </div>
  );
}

/** What the asker says above its questions: a plan can be long, and scrolls in its box. */
function Message({ state, view }: CardProps) {
  const { message, asker } = state.ask;
  if (!message) return null;
  return (
    <section
      role="group"
      class={`nbask-message ${isForm(state) ? "nbask-title" : ""}`}
      id={idOf(view, "message")}
      aria-label={S.messageFrom(asker.label)}
      use={scrolls}
    >
      <Rich rich={message} name="nbask-html" />
    </section>
  );
}

export function Card(props: CardProps) {
  const { state } = props;
  const unknown = state.ask.questions.find((question) => viewOf(question.kind) === undefined);
  return (
    <>
      <Bar {...props} />
      <Message {...props} />
      {canDraw(state) && tabbed(state) && <Tabs {...props} />}
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
      <p key="notice" class="nbask-error nbask-notice" role="alert" hidden={!state.notice} dir="auto">
        {state.notice}
      </p>
      {state.mode === "answer" && <Foot {...props} />}
      {state.mode === "discuss" && <Discuss {...props} />}
      {state.mode === "leave" && <Leave {...props} />}
      {state.help && <Help {...props} />}
      <Close {...props} />
    </>
  );
}
