/** The inbox: the cards of all open questions in one place, answered where they are; see `nbask/fronts/inbox.py`. */

import { cardInCell, goTo } from "./dom/cell.ts";
import { type AnyModel, lasting, ViewModel, viewId } from "./model.ts";
import * as S from "./strings.ts";
import { isAsk } from "./wire.ts";

/** What a Jupyter page has its widgets from. */
interface Manager {
  get_model(id: string): Promise<AnyModel>;
  create_view(model: AnyModel): Promise<ChildView>;
}
interface ChildView {
  el: HTMLElement;
  remove(): void;
}
interface Recent {
  ask: string;
  text: string;
}

/** A card's model may be on its way when the list that names it comes. */
const TRIES = 20;
const PAUSE = 250;

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");
const isRecents = (value: unknown): value is Recent[] =>
  Array.isArray(value) && value.every((one) => typeof one?.ask === "string" && typeof one?.text === "string");

function make(tag: string, name: string, parent: Node, text = ""): HTMLElement {
  const element = document.createElement(tag);
  element.className = name;
  element.textContent = text;
  parent.appendChild(element);
  return element;
}

/** One card's place in the list: it stays where it is while others come and go, and so keeps the focus. */
class Slot {
  readonly el = document.createElement("div");
  readonly #link = make("button", "nbask-inbox-link", this.el, S.show);
  #view: ChildView | null = null;
  #ask = "";
  #gone = false;

  constructor(manager: Manager | undefined, id: string) {
    const link = this.#link;
    link.hidden = true;
    // JupyterLab takes Enter and the space bar from a button, unless told not to; nbclassic takes what it hears.
    link.dataset.lmSuppressShortcuts = "true";
    link.onkeydown = (event) => event.stopPropagation();
    link.onclick = () => {
      const card = cardInCell(this.#ask);
      if (card) goTo(card);
      else this.tick();
    };
    this.#draw(manager, id).catch(() => {
      this.el.textContent = S.notDrawn;
    });
  }

  async #draw(manager: Manager | undefined, id: string): Promise<void> {
    if (!manager) throw new Error("this host shows no widget in another");
    const model = await this.#model(manager, id);
    const view = await manager.create_view(model);
    if (this.#gone) return view.remove();
    this.#view = view;
    this.el.prepend(view.el);
    const ask = model.get("ask");
    if (!isAsk(ask)) return;
    this.#ask = ask.id;
    this.#link.ariaLabel = S.showOf(ask.questions[0]?.text ?? "");
    this.tick();
  }

  /** The way to the card under its cell is there while that card is: the cell may come and go. */
  tick(): void {
    const hidden = !cardInCell(this.#ask);
    const held = document.activeElement === this.#link;
    this.#link.hidden = hidden;
    if (hidden && held) this.el.querySelector<HTMLElement>(".nbask")?.focus({ preventScroll: true });
  }

  async #model(manager: Manager, id: string): Promise<AnyModel> {
    for (let left = TRIES; ; left -= 1) {
      try {
        return await manager.get_model(id);
      } catch (fault) {
        if (left === 0 || this.#gone) throw fault;
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
      }
    }
  }

  end(): void {
    this.#gone = true;
    this.#view?.remove();
    this.el.remove();
  }
}

class InboxView {
  readonly #model: ViewModel;
  readonly #manager: Manager | undefined;
  readonly #root = document.createElement("div");
  readonly #head = make("p", "nbask-inbox-head", this.#root);
  readonly #status = make("span", "", this.#head);
  readonly #cards = make("div", "nbask-inbox-cards", this.#root);
  readonly #recent = make("div", "nbask-inbox-recent", this.#root);
  readonly #slots = new Map<string, Slot>();
  readonly #view = viewId();

  constructor(model: AnyModel, el: HTMLElement, signal: AbortSignal) {
    this.#model = new ViewModel(model, signal);
    this.#manager = model.widget_manager as Manager | undefined;
    this.#root.className = "nbask-inbox";
    this.#root.role = "group";
    this.#root.ariaLabel = S.inbox;
    this.#head.prepend(make("b", "", this.#head, S.inbox));
    this.#head.tabIndex = -1;
    this.#status.role = "status";
    el.append(this.#root);
    this.#model.onChange("cards", () => this.#readCards());
    this.#model.onChange("recent", () => this.#readRecent());
    window.addEventListener("pagehide", () => this.#attached(false), { signal });
    window.addEventListener("pageshow", (event) => event.persisted && this.#attached(true), { signal });
    const clock = setInterval(() => this.#tick(), 1000);
    signal.addEventListener("abort", () => this.#end(clock), { once: true });
    this.#readCards();
    this.#readRecent();
  }

  #readCards(): void {
    const ids = isTexts(this.#model.cards) ? this.#model.cards : [];
    // With this, too, a view says that it is still there.
    this.#attached(true);
    for (const [id, slot] of this.#slots) {
      if (ids.includes(id)) continue;
      const held = slot.el.contains(document.activeElement);
      slot.end();
      this.#slots.delete(id);
      if (held) this.#head.focus({ preventScroll: true });
    }
    for (const [index, id] of ids.entries()) {
      const slot = this.#slots.get(id) ?? new Slot(this.#manager, id);
      this.#slots.set(id, slot);
      if (this.#cards.children[index] !== slot.el) {
        this.#cards.insertBefore(slot.el, this.#cards.children[index] ?? null);
      }
    }
    this.#tick();
  }

  /** Names what has ended and has no receipt in this page: under a cell that a reload has made another. */
  #readRecent(): void {
    const all = isRecents(this.#model.recent) ? this.#model.recent : [];
    const seen = ({ ask }: Recent) => document.getElementsByClassName(`nbask-receipt nbask-${ask}`).length > 0;
    const left = all.filter((one) => !seen(one)).map(({ text }) => text);
    const now = JSON.stringify(left);
    if (now === this.#recent.dataset.shown) return;
    this.#recent.dataset.shown = now;
    this.#recent.replaceChildren();
    if (left.length > 0) make("b", "", this.#recent, S.ended);
    for (const text of left) make("div", "", this.#recent, text).dir = "auto";
  }

  #tick(): void {
    const count = this.#slots.size;
    const gone = this.#model.gone;
    const words = gone ? S.inboxGone : count > 0 ? S.wait(count) : S.nothing;
    if (this.#status.textContent !== words) this.#status.textContent = words;
    this.#root.classList.toggle("nbask-inbox-empty", gone || count === 0);
    for (const slot of this.#slots.values()) slot.tick();
    this.#readRecent();
  }

  #attached(here: boolean): void {
    this.#model.send({ type: here ? "attached" : "detached", view: this.#view });
  }

  #end(clock: ReturnType<typeof setInterval>): void {
    clearInterval(clock);
    this.#attached(false);
    for (const slot of this.#slots.values()) slot.end();
    this.#slots.clear();
    this.#root.remove();
  }
}

export default lasting((model, el, signal) => new InboxView(model, el, signal));
