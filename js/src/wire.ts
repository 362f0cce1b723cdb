/**
 * What crosses between the kernel and a card's view: the twin of `nbask/wire.py`.
 *
 * The goldens under `tests/wire/` are decoded by both sides. What arrives is
 * checked by the guards below and never cast: a page can outlive a kernel.
 */

export const VERSION = 1;

export type Action = "submit" | "discuss" | "decline" | "cancel";

export interface HtmlWire {
  kind: "html";
  html: string;
}

export interface ImageWire {
  kind: "image";
  src: string;
  alt: string;
}

export interface FrameWire {
  kind: "frame";
  srcdoc: string;
  title: string;
}

export type RichWire = HtmlWire | ImageWire | FrameWire;

export interface AskerWire {
  label: string;
  detail: string | null;
}

export interface OptionWire {
  id: string;
  label: string;
  description: string | null;
  recommended: boolean;
  preview: RichWire | null;
}

export interface AnswerWire {
  selected: string[];
  other: string | null;
  value: unknown;
  notes: string | null;
}

export interface QuestionWire {
  id: string;
  kind: string;
  text: string;
  header: string | null;
  required: boolean;
  many: boolean;
  min: number | null;
  max: number | null;
  other: boolean;
  notes: boolean;
  options: OptionWire[];
  default: AnswerWire | null;
  placeholder: string | null;
  multiline: boolean;
}

export interface AskWire {
  v: number;
  id: string;
  asker: AskerWire;
  message: RichWire | null;
  opened: number;
  deadline: number | null;
  questions: QuestionWire[];
}

export interface OpenWire {
  state: "open";
}

export type ReplyKind = "answered" | "discussed" | "declined" | "cancelled" | "timed_out" | "unavailable" | "withdrawn";

export interface EndedWire {
  state: "ended";
  kind: ReplyKind;
  receipt: HtmlWire;
}

export type PhaseWire = OpenWire | EndedWire;

export interface DraftWire {
  answers: Record<string, AnswerWire>;
  message: string | null;
}

export interface ReplyWire {
  type: "reply";
  ask: string;
  action: Action;
  answers: Record<string, AnswerWire>;
  message: string | null;
}

export interface AttachedWire {
  type: "attached";
  view: string;
}

export interface DetachedWire {
  type: "detached";
  view: string;
}

export interface CodeRequestWire {
  type: "code";
}

export interface CodeWire {
  type: "code";
  build: string;
  esm: string;
  css: string;
}

export interface RefusedWire {
  type: "refused";
  ask: string;
  code: "malformed" | "foreign" | "late" | "invalid";
  message: string;
  errors: Record<string, string>;
}

export type FromView = ReplyWire | AttachedWire | DetachedWire | CodeRequestWire;

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
    isObject(value) && Object.keys(fields).every((key) => fields[key as keyof T](value[key]));

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
});

export const isAsk = shape<AskWire>({
  v: (value): value is number => value === VERSION,
  id: isString,
  asker: shape<AskerWire>({ label: isString, detail: nullOr(isString) }),
  message: nullOr(isRich),
  opened: isNumber,
  deadline: nullOr(isNumber),
  questions: (value): value is QuestionWire[] => listOf(isQuestion)(value) && value.length > 0,
});

/** Whether a value is an ask of another wire version, which must be said rather than guessed at. */
export const isOtherVersion = (value: unknown): boolean => isObject(value) && "v" in value && value.v !== VERSION;

export const isEnded = shape<EndedWire>({
  state: oneOf("ended"),
  kind: oneOf("answered", "discussed", "declined", "cancelled", "timed_out", "unavailable", "withdrawn"),
  receipt: isHtml,
});

export const isPhase: Guard<PhaseWire> = either(shape<OpenWire>({ state: oneOf("open") }), isEnded);

export const isDraft = shape<DraftWire>({ answers: recordOf(isAnswer), message: nullOr(isString) });

export const isRefused = shape<RefusedWire>({
  type: oneOf("refused"),
  ask: isString,
  code: oneOf("malformed", "foreign", "late", "invalid"),
  message: isString,
  errors: recordOf(isString),
});

export const isCode = shape<CodeWire>({ type: oneOf("code"), build: isString, esm: isString, css: isString });

/** As much of a draft as can be read: a broken part must not cost the person the rest of it. */
export function readDraft(value: unknown): DraftWire {
  const draft: DraftWire = { answers: {}, message: null };
  if (!isObject(value)) return draft;
  if (isString(value.message)) draft.message = value.message;
  if (isObject(value.answers)) {
    for (const [id, answer] of Object.entries(value.answers)) {
      if (isAnswer(answer)) draft.answers[id] = answer;
    }
  }
  return draft;
}
