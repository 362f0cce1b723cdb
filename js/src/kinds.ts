/** Every kind of question the card can draw: adding one is a file of rules, a file with its view, and a row here. */

import type { Child } from "./dom/h.ts";
import { choiceRules } from "./rules/choice.ts";
import { consentRules } from "./rules/consent.ts";
import { dateRules, datetimeRules } from "./rules/date.ts";
import { listRules } from "./rules/list.ts";
import { integerRules, numberRules } from "./rules/number.ts";
import type { RulesByKind } from "./rules/rules.ts";
import { textRules } from "./rules/text.ts";
import { ChoiceView } from "./views/choice.tsx";
import { ConsentView } from "./views/consent.tsx";
import { DateView } from "./views/date.tsx";
import { ListView } from "./views/list.tsx";
import { NumberView } from "./views/number.tsx";
import type { QuestionProps } from "./views/props.ts";
import { TextView } from "./views/text.tsx";

type KindView = (props: QuestionProps) => Child;

export const RULES: RulesByKind = {
  choice: choiceRules,
  confirm: choiceRules,
  text: textRules,
  number: numberRules,
  integer: integerRules,
  date: dateRules,
  datetime: datetimeRules,
  list: listRules,
  consent: consentRules,
};

const VIEWS: Readonly<Record<string, KindView>> = {
  choice: ChoiceView,
  confirm: ChoiceView,
  text: TextView,
  number: NumberView,
  integer: NumberView,
  date: DateView,
  datetime: DateView,
  list: ListView,
  consent: ConsentView,
};

export const viewOf = (kind: string): KindView | undefined => VIEWS[kind];
