/**
 * What crosses between the kernel and a card's view: the twin of `nbask/wire.py`.
 *
 * The goldens under `tests/wire/` are decoded by both sides. The kernel's messages come from code of the
 * same wheel and the wire has a version, so the guards here look only at what tells them apart and at what
 * would break the view; `test/guards.ts` holds the goldens to every key. A draft may come from another
 * page: it is read part by part.
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
  /** Of picks in a choice, characters in a text, entries in a list; the value itself of a number. */
  min: number | null;
  max: number | null;
  other: boolean;
  notes: boolean;
  options: OptionWire[];
  default: AnswerWire | null;
  placeholder: string | null;
  multiline: boolean;
  /** Help under the label. */
  description: string | null;
  format: "email" | "uri" | null;
  /** A JSON Schema pattern: ECMA, and unanchored. */
  pattern: string | null;
  secret: boolean;
  /** What the Other row is called instead. */
  other_label: string | null;
  /** Of a confirm: its first option cannot be undone. */
  danger: boolean;
  /** Of a consent: the address that submitting opens. */
  url: string | null;
  /** Sentences to show above the field. */
  warnings: string[];
}

export interface AskWire {
  v: number;
  id: string;
  asker: AskerWire;
  message: RichWire | null;
  opened: number;
  deadline: number | null;
  layout: "tabs" | "form";
  /** Words on the submit button, instead of Submit. */
  submit: string | null;
  /** Whether the person wants a desktop notification. */
  notify: boolean;
  /** Whether typing pauses the deadline. */
  pausable: boolean;
  questions: QuestionWire[];
}

/** An open ask; typing moves its deadline, and pauses the countdown for a while. */
export interface OpenWire {
  state: "open";
  deadline: number | null;
  paused_until: number | null;
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

/** A secret is being typed, which no draft may tell of. */
export interface TypingWire {
  type: "typing";
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

export interface CallWire {
  type: "call";
}

export interface RefusedWire {
  type: "refused";
  ask: string;
  code: "malformed" | "foreign" | "late" | "invalid";
  message: string;
  /** By question id; under `""` what is wrong with the reply as a whole. */
  errors: Record<string, string>;
}

export type FromView = ReplyWire | AttachedWire | DetachedWire | TypingWire | CodeRequestWire;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isString = (value: unknown): value is string => typeof value === "string";
const isStrings = (value: unknown): value is string[] => Array.isArray(value) && value.every(isString);
const isTextOrNull = (value: unknown): value is string | null => value === null || isString(value);

export const isAsk = (value: unknown): value is AskWire =>
  isObject(value) &&
  value.v === VERSION &&
  isString(value.id) &&
  isObject(value.asker) &&
  Array.isArray(value.questions) &&
  value.questions.length > 0 &&
  value.questions.every((q) => isObject(q) && isString(q.id) && Array.isArray(q.options) && Array.isArray(q.warnings));

/** Whether a value is an ask of another wire version, which must be said rather than guessed at. */
export const isOtherVersion = (value: unknown): boolean => isObject(value) && "v" in value && value.v !== VERSION;

export const isOpen = (value: unknown): value is OpenWire => isObject(value) && value.state === "open";

export const isEnded = (value: unknown): value is EndedWire =>
  isObject(value) && value.state === "ended" && isObject(value.receipt);

export const isRefused = (value: unknown): value is RefusedWire =>
  isObject(value) && value.type === "refused" && isObject(value.errors);

export const isCall = (value: unknown): value is CallWire => isObject(value) && value.type === "call";

const isAnswer = (value: unknown): value is AnswerWire =>
  isObject(value) && isStrings(value.selected) && isTextOrNull(value.other) && isTextOrNull(value.notes);

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
