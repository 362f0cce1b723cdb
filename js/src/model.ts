/** The anywidget model behind one view, narrowed to what a card, or the inbox, does with it. */

import type { DraftWire, FromView } from "./wire.ts";

/** What every host gives a view; change callbacks carry no payload that can be relied on. */
export interface AnyModel {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  send(content: unknown): void;
  on(event: string, callback: (...args: unknown[]) => void): void;
  off(event: string, callback: (...args: unknown[]) => void): void;
  /** Jupyter's; knows the kernel. Other hosts have none, or another. */
  widget_manager?: unknown;
}

export interface RenderProps {
  model: AnyModel;
  el: HTMLElement;
  /** Aborted when the view goes; hosts before anywidget 0.11 have only the returned function. */
  signal?: AbortSignal | undefined;
}

export type Factory = () => { render(props: RenderProps): () => void };

/** A widget's module: what it shows lives as long as its view, which hosts end in two ways. */
export const lasting =
  (show: (model: AnyModel, el: HTMLElement, signal: AbortSignal) => void): Factory =>
  () => ({
    render({ model, el, signal }) {
      const life = new AbortController();
      const end = () => life.abort();
      if (signal?.aborted) return end;
      signal?.addEventListener("abort", end, { once: true, signal: life.signal });
      show(model, el, life.signal);
      return end;
    },
  });

/** A name for a view, which its kernel tells it from others by. */
export const viewId = (): string => Math.random().toString(36).slice(2, 10);

/**
 * Kernel states after which no comm of before is heard any more. A kernel that starts under a card is
 * another process than the one that asked: another client has restarted it.
 */
const OVER = ["restarting", "autorestarting", "starting", "terminating", "dead"];

/** What JupyterLab's kernels tell of their states by. */
interface Changes {
  connect(hear: (kernel: unknown, status: unknown) => void): void;
  disconnect(hear: (kernel: unknown, status: unknown) => void): void;
}
const isChanges = (value: unknown): value is Changes =>
  typeof get(value, "connect") === "function" && typeof get(value, "disconnect") === "function";

const get = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

export class ViewModel {
  readonly #model: AnyModel;
  readonly #signal: AbortSignal;
  readonly #kernel: unknown;
  #gone = false;

  constructor(model: AnyModel, signal: AbortSignal) {
    this.#model = model;
    this.#signal = signal;
    this.#kernel = get(this.#kernelNow, "id");
    this.#watch(get(this.#kernelNow, "statusChanged"));
    // Jupyter's manager cuts its models off when the kernel restarts, and a comm that is closed from there says so.
    for (const event of ["comm_live_update", "comm:close"]) {
      this.#listen(event, () => {
        this.#gone = true;
      });
    }
  }

  get cards(): unknown {
    return this.#model.get("cards");
  }

  get recent(): unknown {
    return this.#model.get("recent");
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

  /** Whether the kernel that asked is known to be gone; a host that cannot say has one that lives. */
  get gone(): boolean {
    const kernel = this.#kernelNow;
    const other = this.#kernel !== undefined && get(kernel, "id") !== this.#kernel;
    this.#gone ||= other || get(kernel, "isDisposed") === true || OVER.includes(String(get(kernel, "status")));
    return this.#gone;
  }

  saveDraft(draft: DraftWire): void {
    this.#model.set("draft", draft);
    this.#try(() => this.#model.save_changes());
  }

  send(message: FromView): void {
    this.#try(() => this.#model.send(message));
  }

  /** Calls `changed` after each change of a trait; the caller reads the value again. */
  onChange(trait: "ask" | "phase" | "draft" | "cards" | "recent", changed: () => void): void {
    this.#listen(`change:${trait}`, () => changed());
  }

  onMessage(received: (message: unknown) => void): void {
    this.#listen("msg:custom", (message) => received(message));
  }

  /** A kernel that another page restarts is through with these states before anybody has looked. */
  #watch(changes: unknown): void {
    if (!isChanges(changes)) return;
    const hear = (_kernel: unknown, status: unknown): void => {
      this.#gone ||= OVER.includes(String(status));
    };
    changes.connect(hear);
    this.#signal.addEventListener("abort", () => changes.disconnect(hear), { once: true });
  }

  get #kernelNow(): unknown {
    try {
      return get(this.#model.widget_manager, "kernel");
    } catch {
      return undefined;
    }
  }

  /** A comm whose kernel has gone throws. */
  #try(act: () => void): void {
    try {
      act();
    } catch {
      this.#gone = true;
    }
  }

  #listen(event: string, callback: (...args: unknown[]) => void): void {
    this.#model.on(event, callback);
    this.#signal.addEventListener("abort", () => this.#model.off(event, callback), { once: true });
  }
}
