/** A consent: a message, or an address shown whole, as text and never as a link. */

import { addressOf } from "../rules/consent.ts";
import * as S from "../strings.ts";
import { Confirm } from "./confirm.tsx";
import type { QuestionProps } from "./props.ts";

/** The address with its host in bold; beside it where the browser reads another host than is written. */
function Address({ question }: QuestionProps) {
  const text = question.url ?? "";
  const host = addressOf(question)?.host ?? "";
  const [before = "", after, more] = text.split(host);
  const once = host !== "" && after !== undefined && more === undefined;
  return (
    <p class="nbask-url" dir="ltr">
      {once ? (
        <>
          {before}
          <b>{host}</b>
          {after}
        </>
      ) : (
        <>
          {text}
          {host && <b class="nbask-host">{S.host(host)}</b>}
        </>
      )}
    </p>
  );
}

export function ConsentView(props: QuestionProps) {
  const { question } = props;
  return (
    <>
      <Confirm {...props} />
      {question.url !== null && (
        <>
          <p class="nbask-small nbask-muted">{addressOf(question) ? S.opens : S.noOpening}</p>
          <Address {...props} />
        </>
      )}
    </>
  );
}
