/** The anywidget model behind one view, narrowed to what a card does with it. */

import type { DraftWire, FromView } from "./wire.ts";

/** What every host gives a view; change callbacks carry no payload that can be relied on. */
export interface AnyModel {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  send(content: unknown): void;
  on(event: string, callback: (...args: unknown[]) => void): void;
  off(event: string, callback: (...args: unknown[]) => void): void;
}

export interface RenderProps {
  model: AnyModel;
  el: HTMLElement;
  /** Aborted when the view goes; hosts before anywidget 0.11 have only the returned function. */
  signal?: AbortSignal | undefined;
}

export type Factory = () => { render(props: RenderProps): () => void };

export class CardModel {
  readonly #model: AnyModel;
  readonly #signal: AbortSignal;

  constructor(model: AnyModel, signal: AbortSignal) {
    this.#model = model;
    this.#signal = signal;
  }

  get ask(): unknown {
    return this.#model.get("ask");
  }

  get phase(): unknown {
    return this.#model.get("phase");
  }

  get draft(): unknown {
    return this.#model.get("draft");
  }

  saveDraft(draft: DraftWire): void {
    this.#model.set("draft", draft);
    this.#model.save_changes();
  }

  send(message: FromView): void {
    this.#model.send(message);
  }

  /** Calls `changed` after each change of a trait; the caller reads the value again. */
  onChange(trait: "ask" | "phase" | "draft", changed: () => void): void {
    this.#listen(`change:${trait}`, () => changed());
  }

  onMessage(received: (message: unknown) => void): void {
    this.#listen("msg:custom", (message) => received(message));
  }

  #listen(event: string, callback: (...args: unknown[]) => void): void {
    this.#model.on(event, callback);
    this.#signal.addEventListener("abort", () => this.#model.off(event, callback), { once: true });
  }
}
