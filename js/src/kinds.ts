/** Every kind of question the card can draw: adding one is a file of rules, a file with its view, and a row here. */

import type { ComponentType } from "preact";
import { choiceRules } from "./rules/choice.ts";
import type { Rules } from "./rules/rules.ts";
import { textRules } from "./rules/text.ts";
import { ChoiceView } from "./views/choice.tsx";
import type { QuestionProps } from "./views/props.ts";
import { TextView } from "./views/text.tsx";

interface Kind {
  rules: Rules;
  View: ComponentType<QuestionProps>;
}

const KINDS: Record<string, Kind> = {
  choice: { rules: choiceRules, View: ChoiceView },
  confirm: { rules: choiceRules, View: ChoiceView },
  text: { rules: textRules, View: TextView },
};

export const RULES: Record<string, Rules> = Object.fromEntries(
  Object.entries(KINDS).map(([kind, { rules }]) => [kind, rules]),
);

export const viewOf = (kind: string): ComponentType<QuestionProps> | undefined => KINDS[kind]?.View;
