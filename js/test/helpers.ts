/** What the tests share: the goldens, a model without a host, and a card a person can use. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { vi } from "vitest";
import factory from "../src/index.ts";
import type { AnyModel } from "../src/model.ts";
import type { AskWire, QuestionWire } from "../src/wire.ts";
import { isAsk } from "./guards.ts";

export const ASK = "a1b2c3d4e5f6";
export const EMPTY = { selected: [], other: null, value: null, notes: null };

export const golden = (name: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, "../../tests/wire", `${name}.json`), "utf8"));

export function goldenAsk(name: string): AskWire {
  const ask = golden(`ask-${name}`);
  if (!isAsk(ask)) throw new Error(`ask-${name}.json is no ask`);
  return ask;
}

export const question = (given: Partial<QuestionWire>): QuestionWire => ({
  id: "q1",
  kind: "choice",
  text: "Which DB?",
  header: null,
  required: true,
  many: false,
  min: null,
  max: null,
  other: true,
  notes: true,
  options: options("Postgres", "SQLite"),
  default: null,
  placeholder: null,
  multiline: false,
  description: null,
  format: null,
  pattern: null,
  secret: false,
  other_label: null,
  danger: false,
  url: null,
  warnings: [],
  ...given,
});

export const options = (...labels: string[]): QuestionWire["options"] =>
  labels.map((label, index) => ({
    id: `o${index + 1}`,
    label,
    description: null,
    recommended: false,
    preview: null,
  }));

export const asking = (...questions: QuestionWire[]): AskWire => ({
  v: 1,
  id: ASK,
  asker: { label: "Claude", detail: null },
  message: null,
  opened: Date.now(),
  deadline: null,
  layout: "tabs",
  submit: null,
  notify: false,
  pausable: true,
  questions,
});

/** A model as a host has it: a change is heard by every view, and nothing is passed with it. */
export class FakeModel implements AnyModel {
  readonly sent: Record<string, unknown>[] = [];
  saves = 0;
  readonly #state: Record<string, unknown>;
  readonly #heard: [string, (...args: unknown[]) => void][] = [];

  constructor(ask: unknown, draft: unknown = null, phase: unknown = { state: "open" }) {
    this.#state = { ask, draft, phase };
  }

  get listeners(): number {
    return this.#heard.length;
  }

  get replies(): Record<string, unknown>[] {
    return this.sent.filter((message) => message.type === "reply");
  }

  get(name: string): unknown {
    return this.#state[name];
  }

  set(name: string, value: unknown): void {
    this.#state[name] = value;
    this.emit(`change:${name}`);
  }

  save_changes(): void {
    this.saves += 1;
  }

  send(content: unknown): void {
    this.sent.push(JSON.parse(JSON.stringify(content)));
  }

  on(event: string, callback: (...args: unknown[]) => void): void {
    this.#heard.push([event, callback]);
  }

  off(event: string, callback: (...args: unknown[]) => void): void {
    const at = this.#heard.findIndex(([name, heard]) => name === event && heard === callback);
    if (at >= 0) this.#heard.splice(at, 1);
  }

  emit(event: string, ...args: unknown[]): void {
    for (const [name, callback] of [...this.#heard]) if (name === event) callback(...args);
  }
}

const pages = new Set<Page>();

/** Ends every view a test has left open: the mark on the tab is the whole page's. */
export function endAll(): void {
  for (const page of pages) page.end();
  pages.clear();
}

/** A mounted card, used as a person uses it. */
export class Page {
  readonly el = document.createElement("div");
  readonly end: () => void;

  constructor(
    readonly model: FakeModel,
    signal?: AbortSignal,
  ) {
    document.body.append(this.el);
    this.end = factory().render({ model, el: this.el, signal });
    pages.add(this);
  }

  get root(): HTMLElement {
    return this.one(".nbask", this.el);
  }

  get text(): string {
    return this.el.textContent ?? "";
  }

  get focus(): Element | null {
    return document.activeElement;
  }

  one<T extends Element = HTMLElement>(selector: string, within: ParentNode = this.el): T {
    const found = within.querySelector<T>(selector);
    if (!found) throw new Error(`nothing matches ${selector} in: ${this.el.innerHTML}`);
    return found;
  }

  all<T extends Element = HTMLElement>(selector: string): T[] {
    return [...this.el.querySelectorAll<T>(selector)];
  }

  button(name: string): HTMLElement {
    const found = this.all("button").find((b) => (b.getAttribute("aria-label") ?? b.textContent)?.trim() === name);
    if (!found) throw new Error(`no button ${name} in: ${this.text}`);
    return found;
  }

  has(name: string): boolean {
    return this.all("button").some((b) => (b.getAttribute("aria-label") ?? b.textContent)?.trim() === name);
  }

  press(name: string): void {
    this.button(name).click();
  }

  row(label: string): HTMLElement {
    const found = this.all(".nbask-opt").find((row) =>
      row.querySelector(".nbask-label")?.textContent?.startsWith(label),
    );
    if (!found) throw new Error(`no option ${label} in: ${this.text}`);
    return found;
  }

  input(label: string): HTMLInputElement {
    return this.one<HTMLInputElement>("input", this.row(label));
  }

  choose(label: string): void {
    this.input(label).click();
  }

  get other(): HTMLInputElement {
    return this.one<HTMLInputElement>(".nbask-other .nbask-in");
  }

  get notes(): HTMLInputElement {
    return this.one<HTMLInputElement>(".nbask-notes");
  }

  type(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
    field.focus();
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  key(key: string, init: KeyboardEventInit = {}): KeyboardEvent {
    const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init });
    (this.root.contains(document.activeElement) ? document.activeElement : document.body)?.dispatchEvent(event);
    return event;
  }

  get error(): string {
    return this.all(".nbask-error:not([hidden])")
      .map((error) => error.textContent)
      .join(" ");
  }

  refuse(refused: Record<string, unknown>): void {
    const base = {
      type: "refused",
      ask: ASK,
      code: "invalid",
      message: "Something is missing or does not fit.",
      errors: {},
    };
    this.model.emit("msg:custom", { ...base, ...refused });
  }
}

/** A card that is past the moment in which it ignores what was meant for something else. */
export function open(ask: unknown, draft: unknown = null, phase?: unknown): Page {
  const page = new Page(new FakeModel(ask, draft, phase));
  vi.advanceTimersByTime(300);
  return page;
}

/** The answer to a question in the last reply sent. */
export function answer(page: Page, id = "q1"): unknown {
  const answers = page.model.replies.at(-1)?.answers;
  return typeof answers === "object" && answers !== null ? Reflect.get(answers, id) : undefined;
}

export const one = (given: Partial<QuestionWire> = {}): Page => open(asking(question(given)));

/** Lets a component that changed by itself draw. */
export const drawn = () => vi.advanceTimersByTimeAsync(0);
