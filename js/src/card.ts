/** One view of a card: ties the store to the model, the keys and the DOM, and ends with its signal. */

import { attend } from "./attention.ts";
import { drawer, h } from "./dom/h.ts";
import { focusReceipt } from "./dom/receipt.ts";
import { keyAct, placeOf } from "./keys.ts";
import { RULES } from "./kinds.ts";
import { type ViewModel, viewId } from "./model.ts";
import { notify } from "./notify.ts";
import { type Act, isFinal, reduce } from "./reduce.ts";
import { addressOf } from "./rules/consent.ts";
import { draft, initial, locked, MESSAGE, type Mode, nameOf, replyOf, type State } from "./store.ts";
import * as S from "./strings.ts";
import { Card } from "./views/card.tsx";
import { Ended } from "./views/ended.tsx";
import { idOf } from "./views/props.ts";
import { isAsk, isCall, isEnded, isOpen, isOtherVersion, isRefused, readDraft } from "./wire.ts";

/** How long a card that has just appeared ignores keys and presses that were meant for something else. */
const SETTLE = 300;
const DEBOUNCE = 250;
/** How long the kernel may be silent after a reply before it may be sent again. */
const PATIENCE = 10_000;
const HALF = "?";
/** Stands for every secret among what has changed: none of them is in the draft. */
const SECRET = "\0";

export class CardView {
  readonly #model: ViewModel;
  readonly #root: HTMLElement;
  readonly #show: ReturnType<typeof drawer>;
  readonly #view = viewId();
  readonly #appeared = performance.now();
  readonly #clock: ReturnType<typeof setInterval>;
  #state: State | null = null;
  #ended = false;
  #sentAt = 0;
  /** What ends the mark on the tab and the notification, while there are any. */
  #calling: (() => void)[] | null = null;
  /** What changed here and is not in the draft yet, by question id: another view's draft must not undo it. */
  readonly #dirty = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(model: ViewModel, el: HTMLElement, signal: AbortSignal) {
    this.#model = model;
    this.#root = document.createElement("div");
    this.#show = drawer(this.#root);
    this.#root.className = "nbask";
    this.#root.tabIndex = -1;
    // JupyterLab takes single keys from whatever is not an input, unless told not to.
    this.#root.dataset.lmSuppressShortcuts = "true";
    el.append(this.#root);
    this.#clock = setInterval(() => this.#tick(), 1000);
    this.#listen(signal);
    this.#readAsk();
    this.#attached(true);
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
    if (after.sending && !before.sending) this.#send(after, before.stalled);
  };

  get #settled(): boolean {
    return performance.now() - this.#appeared >= SETTLE;
  }

  get #hasFocus(): boolean {
    // Not document.activeElement: in a shadow tree (marimo) that is the tree's host.
    return this.#root.matches(":focus-within");
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
    root.addEventListener("focusout", (event) => this.#onLeave(event), { signal });
    // While a reply is on its way, or none counts any more, what is shown is what was sent.
    for (const type of ["click", "beforeinput"] as const) {
      root.addEventListener(
        type,
        (event) => {
          // A press that was on its way to something else when the card appeared is no press of its buttons.
          if (!this.#settled && event.target instanceof HTMLButtonElement) event.stopPropagation();
          const field = type === "beforeinput" || event.target instanceof HTMLInputElement;
          if (field && this.#state && locked(this.#state)) event.preventDefault();
        },
        { signal, capture: true },
      );
    }
    // A page that is put aside, and may come back as it was, is no place to answer from meanwhile.
    window.addEventListener("pagehide", () => this.#attached(false), { signal });
    window.addEventListener("pageshow", (event) => event.persisted && this.#attached(true), { signal });
    this.#model.onChange("ask", () => this.#readAsk());
    this.#model.onChange("phase", () => this.#readPhase());
    this.#model.onChange("draft", () => this.#readDraft());
    this.#model.onMessage((message) => {
      if (isCall(message)) this.#attached(true);
      else if (isRefused(message) && !this.#ended) this.dispatch({ type: "refused", refused: message });
    });
  }

  #onKey(event: KeyboardEvent): void {
    const place = placeOf(event.target);
    // A held Enter would press a button again and again, and so run through the questions.
    if (event.key === "Enter" && event.repeat && place !== "lines") event.preventDefault();
    const act = keyAct(event, place);
    if (!act || event.defaultPrevented || !this.#settled) return;
    if (act.type === "enter" && !this.#enterCounts(event.target)) return;
    event.preventDefault();
    if (act.type === "enter") this.#readDate(event.target);
    if (act.type === "out") this.#root.focus();
    else this.dispatch(act);
  }

  /** Enter sends the words to discuss only from the field they are typed in. */
  #enterCounts(target: EventTarget | null): boolean {
    const mode: Mode = this.#state?.mode ?? "answer";
    return mode === "answer" || (target instanceof Element && target.getAttribute("data-focus") === mode);
  }

  #onLeave({ target, relatedTarget: to }: FocusEvent): void {
    this.#readDate(target);
    this.#flush();
    const id = fieldOf(target);
    // Words that come between a press and its release would move the button away from under the pointer.
    if (id !== null && !(to instanceof HTMLButtonElement) && to !== this.#root) {
      this.dispatch({ type: "check", question: id });
    }
  }

  /** Half a date is in the browser's field and not in its value: it must not pass for nothing typed. */
  #readDate(target: EventTarget | null): void {
    const id = fieldOf(target);
    if (id === null || !(target instanceof HTMLInputElement) || !target.type.startsWith("date")) return;
    const value = target.validity.badInput ? HALF : target.value;
    if (value !== (this.#state?.entries[id]?.value ?? "")) this.dispatch({ type: "value", question: id, value });
  }

  #readAsk(): void {
    const ask = this.#model.ask;
    this.#state = isAsk(ask) ? initial(ask, RULES, readDraft(this.#model.draft)) : null;
    // By this the inbox finds what is asked under its cell.
    if (this.#state) this.#root.dataset.ask = this.#state.ask.id;
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
    const phase = this.#model.phase;
    this.#ended = isEnded(phase);
    const held = this.#hasFocus;
    if (isOpen(phase)) this.dispatch({ type: "open", phase });
    this.#draw();
    if (!this.#ended || !wasOpen) return;
    // The kernel closes the model unless a view says that it is still there (after a reload, it will be).
    this.#attached(true);
    if (!held) return;
    this.#root.focus({ preventScroll: true });
    if (this.#state) focusReceipt(this.#state.ask.id, this.#root);
  }

  /** Once a second: the clock moves on, and a kernel that is gone or silent is noticed. */
  #tick(): void {
    const state = this.#state;
    if (!state || this.#ended) return;
    if (this.#model.gone && !state.closed) this.dispatch({ type: "gone" });
    else if (state.sending && performance.now() - this.#sentAt >= PATIENCE) this.dispatch({ type: "stalled" });
    else this.#draw();
  }

  #send(state: State, again: boolean): void {
    this.#flush();
    this.#sentAt = performance.now();
    if (!state.sending) return;
    this.#model.send(replyOf(state, state.sending));
    if (this.#model.gone) this.dispatch({ type: "gone" });
    else if (state.sending === "submit" && !again) {
      // Only now, in the press itself, and only once.
      const address = state.ask.questions.map(addressOf).find((url) => url);
      if (address) window.open(address.href, "_blank", "noopener,noreferrer");
    }
  }

  #markDirty(before: State, after: State): void {
    for (const { id, secret } of after.ask.questions) {
      if (before.entries[id] !== after.entries[id]) this.#dirty.add(secret ? SECRET : id);
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
    if (this.#dirty.delete(SECRET)) this.#model.send({ type: "typing" });
    if (this.#dirty.size === 0) return;
    // Other views of this model hear of it at once; this one's own echo then finds nothing newer to undo.
    this.#dirty.clear();
    this.#model.saveDraft(now);
  }

  #attached(here: boolean): void {
    if (!here) this.#flush();
    this.#model.send({ type: here ? "attached" : "detached", view: this.#view });
  }

  /** Calls for the person exactly while there is something to answer. */
  #call(open: State | null): void {
    if (open && !open.closed) this.#calling ??= [attend(), notify(open.ask)];
    else {
      for (const end of this.#calling ?? []) end();
      this.#calling = null;
    }
  }

  #draw(): void {
    const root = this.#root;
    const { ask, phase } = this.#model;
    const view = this.#view;
    const open = this.#state && !isEnded(phase) ? this.#state : null;
    this.#call(open);
    root.classList.toggle("nbask-over", !open);
    if (open) {
      root.setAttribute("role", "group");
      root.setAttribute("aria-labelledby", `${idOf(view, "asker")} ${idOf(view, ...nameOf(open))}`);
      this.#show(h(Card, { state: open, dispatch: this.dispatch, view, now: Date.now() }));
      return;
    }
    root.removeAttribute("role");
    root.removeAttribute("aria-labelledby");
    if (isEnded(phase)) this.#show(h(Ended, { phase }));
    else this.#show(h("p", { class: "nbask-error" }, isOtherVersion(ask) ? S.otherVersion : S.unreadable));
  }

  #focus(at: string): void {
    const places = [...this.#root.querySelectorAll<HTMLElement>("[data-focus]")];
    const place = places.find((element) => element.dataset.focus === at);
    const inside = place?.matches("fieldset")
      ? (place.querySelector<HTMLElement>("input:checked") ?? place.querySelector<HTMLElement>(".nbask-opt input"))
      : null;
    (inside ?? place)?.focus();
  }

  #end(): void {
    clearInterval(this.#clock);
    this.#call(null);
    this.#attached(false);
    clearTimeout(this.#timer);
    this.#show(null);
    this.#root.remove();
  }
}

/** The question whose field this is, if it is one that is typed in. */
function fieldOf(target: EventTarget | null): string | null {
  const typed = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
  const at = typed ? target.dataset.focus : undefined;
  return at?.startsWith("q:") ? at.slice(2) : null;
}
