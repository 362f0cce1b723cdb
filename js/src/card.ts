/** One view of a card: ties the store to the model, the keys and the DOM, and ends with its signal. */

import { type ComponentChild, h, render } from "preact";
import { focusReceipt } from "./dom/receipt.ts";
import { keyAct, placeOf } from "./keys.ts";
import { RULES } from "./kinds.ts";
import type { CardModel } from "./model.ts";
import { type Act, isFinal, reduce } from "./reduce.ts";
import { draft, initial, inView, MESSAGE, type Mode, replyOf, type State } from "./store.ts";
import { S } from "./strings.ts";
import { Card } from "./views/card.tsx";
import { Ended } from "./views/ended.tsx";
import { idOf } from "./views/props.ts";
import { isAsk, isEnded, isOtherVersion, isRefused, readDraft } from "./wire.ts";

/** How long a card that has just appeared ignores keys and presses that were meant for something else. */
const SETTLE = 300;
const DEBOUNCE = 250;

export class CardView {
  readonly #model: CardModel;
  readonly #root: HTMLElement;
  readonly #view = Math.random().toString(36).slice(2, 10);
  readonly #appeared = performance.now();
  #state: State | null = null;
  #ended = false;
  /** What changed here and is not in the draft yet, by question id: another view's draft must not undo it. */
  readonly #dirty = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(model: CardModel, el: HTMLElement, signal: AbortSignal) {
    this.#model = model;
    this.#root = document.createElement("div");
    this.#root.className = "nbask";
    this.#root.tabIndex = -1;
    // JupyterLab takes single keys from whatever is not an input, unless told not to.
    this.#root.dataset.lmSuppressShortcuts = "true";
    el.append(this.#root);
    this.#listen(signal);
    this.#readAsk();
    this.#announce("attached");
    // A page that goes away ends no view; a message is all that is left to say so.
    window.addEventListener("pagehide", () => this.#announce("detached"), { signal });
    window.addEventListener("pageshow", (event) => event.persisted && this.#announce("attached"), { signal });
    signal.addEventListener("abort", () => this.#end(), { once: true });
  }

  readonly dispatch = (act: Act): void => {
    const before = this.#state;
    if (!before || (isFinal(act) && !this.#settled)) return;
    const after = reduce(before, act);
    if (after === before) return;
    this.#state = after;
    if (act.type !== "draft") this.#markDirty(before, after);
    const held = this.#hasFocus;
    this.#draw();
    // Asked before drawing, as what had the focus may be gone now; a card without the focus never takes it.
    if (held && after.focus && after.focus !== before.focus) this.#focus(after.focus.at);
    if (held && !this.#hasFocus) this.#root.focus({ preventScroll: true });
    if (after.sending && !before.sending) {
      this.#flush();
      this.#model.send(replyOf(after, after.sending));
    }
  };

  get #settled(): boolean {
    return performance.now() - this.#appeared >= SETTLE;
  }

  get #hasFocus(): boolean {
    return this.#root.contains(document.activeElement);
  }

  #listen(signal: AbortSignal): void {
    const root = this.#root;
    for (const type of ["keydown", "keypress", "keyup"] as const) {
      root.addEventListener(
        type,
        (event) => {
          if (type === "keydown") this.#onKey(event);
          // Nothing typed in a card may reach the notebook around it.
          event.stopPropagation();
        },
        { signal },
      );
    }
    root.addEventListener("focusout", () => this.#flush(), { signal });
    // While a reply is on its way, or none counts any more, what is shown is what was sent.
    for (const type of ["click", "beforeinput"] as const) {
      root.addEventListener(
        type,
        (event) => {
          const locked = this.#state?.sending || this.#state?.closed;
          if (locked && (type === "beforeinput" || event.target instanceof HTMLInputElement)) event.preventDefault();
        },
        { signal, capture: true },
      );
    }
    this.#model.onChange("ask", () => this.#readAsk());
    this.#model.onChange("phase", () => this.#readPhase());
    this.#model.onChange("draft", () => this.#readDraft());
    this.#model.onMessage((message) => {
      if (isRefused(message) && !this.#ended) this.dispatch({ type: "refused", refused: message });
    });
  }

  #onKey(event: KeyboardEvent): void {
    const place = placeOf(event.target);
    // A held Enter would press a button again and again, and so run through the questions.
    if (event.key === "Enter" && event.repeat && place !== "lines") event.preventDefault();
    const act = keyAct(event, place);
    if (!act || event.defaultPrevented) return;
    if (act.type === "enter" && !this.#enterCounts(event.target)) return;
    event.preventDefault();
    if (act.type === "out") this.#root.focus();
    else this.dispatch(act);
  }

  /** Enter sends the words to discuss only from the field they are typed in. */
  #enterCounts(target: EventTarget | null): boolean {
    const mode: Mode = this.#state?.mode ?? "answer";
    return mode === "answer" || (target instanceof Element && target.getAttribute("data-focus") === mode);
  }

  #readAsk(): void {
    const ask = this.#model.ask;
    this.#state = isAsk(ask) ? initial(ask, RULES, readDraft(this.#model.draft)) : null;
    this.#readPhase();
  }

  /** Takes over what another view of this model, or the kernel, put in the draft. */
  #readDraft(): void {
    const now = readDraft(this.#model.draft);
    if (this.#state && JSON.stringify(now) === JSON.stringify(draft(this.#state))) return;
    this.dispatch({ type: "draft", draft: now, except: this.#dirty });
  }

  #readPhase(): void {
    const wasOpen = !this.#ended && this.#state !== null;
    this.#ended = isEnded(this.#model.phase);
    const held = this.#hasFocus;
    this.#draw();
    if (!this.#ended || !wasOpen) return;
    // The kernel closes the model unless a view says that it is still there (after a reload, it will be).
    this.#announce("attached");
    if (!held) return;
    this.#root.focus({ preventScroll: true });
    if (this.#state) focusReceipt(this.#state.ask.id, this.#root);
  }

  #markDirty(before: State, after: State): void {
    for (const { id } of after.ask.questions) {
      if (before.entries[id] !== after.entries[id]) this.#dirty.add(id);
    }
    if (before.message !== after.message) this.#dirty.add(MESSAGE);
    if (this.#dirty.size === 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#flush(), DEBOUNCE);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    if (!this.#state || this.#ended || this.#dirty.size === 0) return;
    const now = draft(this.#state);
    // Other views of this model hear of it at once; this one's own echo then finds nothing newer to undo.
    this.#dirty.clear();
    this.#model.saveDraft(now);
  }

  #draw(): void {
    const root = this.#root;
    const ask = this.#model.ask;
    const phase = this.#model.phase;
    let content: ComponentChild;
    const open = this.#state && !isEnded(phase) ? this.#state : null;
    if (isEnded(phase)) content = h(Ended, { phase });
    else if (open) content = h(Card, { state: open, dispatch: this.dispatch, view: this.#view });
    else content = h("p", { class: "nbask-error" }, isOtherVersion(ask) ? S.otherVersion : S.unreadable);
    root.classList.toggle("nbask-over", !open);
    if (open) {
      const named = inView(open)?.id;
      const text = named === undefined ? idOf(this.#view, "panel") : idOf(this.#view, named, "text");
      root.setAttribute("role", "group");
      root.setAttribute("aria-labelledby", `${idOf(this.#view, "asker")} ${text}`);
    } else {
      root.removeAttribute("role");
      root.removeAttribute("aria-labelledby");
    }
    render(content, root);
  }

  #focus(at: string): void {
    const places = [...this.#root.querySelectorAll<HTMLElement>("[data-focus]")];
    const place = places.find((element) => element.dataset.focus === at);
    const inside = place?.matches("fieldset")
      ? (place.querySelector<HTMLElement>("input:checked") ?? place.querySelector<HTMLElement>("input"))
      : null;
    (inside ?? place)?.focus();
  }

  #end(): void {
    this.#flush();
    clearTimeout(this.#timer);
    render(null, this.#root);
    this.#root.remove();
    this.#announce("detached");
  }

  #announce(type: "attached" | "detached"): void {
    this.#model.send({ type, view: this.#view });
  }
}
