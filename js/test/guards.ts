/** What each golden must have, key by key: tsc fails when a key of the wire is left out here. */

import type {
  AnswerWire,
  AskerWire,
  AskWire,
  CallWire,
  CodeWire,
  DraftWire,
  EndedWire,
  FrameWire,
  HtmlWire,
  ImageWire,
  OpenWire,
  OptionWire,
  PhaseWire,
  QuestionWire,
  RefusedWire,
  RichWire,
} from "../src/wire.ts";
import { VERSION } from "../src/wire.ts";

type Guard<T> = (value: unknown) => value is T;

const isObject: Guard<Record<string, unknown>> = (value): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isString: Guard<string> = (value): value is string => typeof value === "string";
const isNumber: Guard<number> = (value): value is number => typeof value === "number";
const isBoolean: Guard<boolean> = (value): value is boolean => typeof value === "boolean";
const isAnything: Guard<unknown> = (_value): _value is unknown => true;

const oneOf =
  <T extends string>(...words: T[]): Guard<T> =>
  (value): value is T =>
    words.some((word) => word === value);
const nullOr =
  <T>(guard: Guard<T>): Guard<T | null> =>
  (value): value is T | null =>
    value === null || guard(value);
const listOf =
  <T>(guard: Guard<T>): Guard<T[]> =>
  (value): value is T[] =>
    Array.isArray(value) && value.every(guard);
const recordOf =
  <T>(guard: Guard<T>): Guard<Record<string, T>> =>
  (value): value is Record<string, T> =>
    isObject(value) && Object.values(value).every(guard);
const either =
  <A, B>(a: Guard<A>, b: Guard<B>): Guard<A | B> =>
  (value): value is A | B =>
    a(value) || b(value);

/** An object with exactly these checks; tsc fails when a key of `T` is left out. */
const shape =
  <T>(fields: { [K in keyof T]: Guard<T[K]> }): Guard<T> =>
  (value): value is T =>
    isObject(value) &&
    Object.keys(value).every((key) => key in fields) &&
    Object.keys(fields).every((key) => fields[key as keyof T](value[key]));

const isHtml = shape<HtmlWire>({ kind: oneOf("html"), html: isString });
const isRich: Guard<RichWire> = either(
  isHtml,
  either(
    shape<ImageWire>({ kind: oneOf("image"), src: isString, alt: isString }),
    shape<FrameWire>({ kind: oneOf("frame"), srcdoc: isString, title: isString }),
  ),
);

export const isAnswer = shape<AnswerWire>({
  selected: listOf(isString),
  other: nullOr(isString),
  value: isAnything,
  notes: nullOr(isString),
});

const isQuestion = shape<QuestionWire>({
  id: isString,
  kind: isString,
  text: isString,
  header: nullOr(isString),
  required: isBoolean,
  many: isBoolean,
  min: nullOr(isNumber),
  max: nullOr(isNumber),
  other: isBoolean,
  notes: isBoolean,
  options: listOf(
    shape<OptionWire>({
      id: isString,
      label: isString,
      description: nullOr(isString),
      recommended: isBoolean,
      preview: nullOr(isRich),
    }),
  ),
  default: nullOr(isAnswer),
  placeholder: nullOr(isString),
  multiline: isBoolean,
  description: nullOr(isString),
  format: nullOr(oneOf("email", "uri")),
  pattern: nullOr(isString),
  secret: isBoolean,
  other_label: nullOr(isString),
  danger: isBoolean,
  url: nullOr(isString),
  warnings: listOf(isString),
});

export const isAsk = shape<AskWire>({
  v: (value): value is number => value === VERSION,
  id: isString,
  asker: shape<AskerWire>({ label: isString, detail: nullOr(isString) }),
  message: nullOr(isRich),
  opened: isNumber,
  deadline: nullOr(isNumber),
  layout: oneOf("tabs", "form"),
  submit: nullOr(isString),
  notify: isBoolean,
  pausable: isBoolean,
  questions: (value): value is QuestionWire[] => listOf(isQuestion)(value) && value.length > 0,
});

export const isEnded = shape<EndedWire>({
  state: oneOf("ended"),
  kind: oneOf("answered", "discussed", "declined", "cancelled", "timed_out", "unavailable", "withdrawn"),
  receipt: isHtml,
});

export const isPhase: Guard<PhaseWire> = either(
  shape<OpenWire>({ state: oneOf("open"), deadline: nullOr(isNumber), paused_until: nullOr(isNumber) }),
  isEnded,
);

export const isDraft = shape<DraftWire>({ answers: recordOf(isAnswer), message: nullOr(isString) });

export const isRefused = shape<RefusedWire>({
  type: oneOf("refused"),
  ask: isString,
  code: oneOf("malformed", "foreign", "late", "invalid"),
  message: isString,
  errors: recordOf(isString),
});

export const isCall = shape<CallWire>({ type: oneOf("call") });
export const isCode = shape<CodeWire>({ type: oneOf("code"), build: isString, esm: isString, css: isString });
