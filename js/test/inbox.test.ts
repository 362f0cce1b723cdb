import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import inbox from "../src/inbox.ts";
import type { AnyModel } from "../src/model.ts";
import * as S from "../src/strings.ts";
import { asking, FakeModel, question } from "./helpers.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  for (const end of ends.splice(0)) end();
  vi.useRealTimers();
  document.body.replaceChildren();
});

const ends: (() => void)[] = [];

/** A page's widgets: models by id, and a view of each that only says whose it is. */
class Manager {
  readonly known = new Set<string>();
  readonly made: string[] = [];
  readonly removed: string[] = [];

  async get_model(id: string): Promise<AnyModel> {
    if (!this.known.has(id)) throw new Error("widget model not found");
    return Object.assign(new FakeModel({ ...asking(question({ text: `${id}?` })), id }), { id });
  }

  async create_view(model: AnyModel) {
    const id = String(Reflect.get(model, "id"));
    this.made.push(id);
    const el = shownCard(id);
    el.textContent = id;
    return {
      el,
      remove: () => {
        this.removed.push(id);
        el.remove();
      },
    };
  }
}

/** What a card's view looks like to who looks for it. */
function shownCard(ask: string): HTMLElement {
  const el = document.createElement("div");
  el.className = "nbask";
  el.dataset.ask = ask;
  el.tabIndex = -1;
  return el;
}

async function shown(cards: string[], signal?: AbortSignal) {
  const manager = new Manager();
  for (const id of ["a", "b", "c"]) manager.known.add(id);
  const model = Object.assign(new FakeModel(null), { widget_manager: manager });
  model.set("cards", cards);
  model.set("recent", []);
  const el = document.body.appendChild(document.createElement("div"));
  const end = inbox().render({ model, el, signal });
  ends.push(end);
  await vi.advanceTimersByTimeAsync(0);
  const list = async (...ids: string[]) => {
    model.set("cards", ids);
    await vi.advanceTimersByTimeAsync(0);
  };
  const texts = () => [...el.querySelectorAll(".nbask")].map((card) => card.textContent);
  const one = (selector: string) => el.querySelector<HTMLElement>(selector);
  const links = () => [...el.querySelectorAll<HTMLElement>(".nbask-inbox-link:not([hidden])")];
  return { manager, model, el, end, list, texts, one, links };
}

const types = (model: FakeModel) => model.sent.map((message) => message.type);

describe("the inbox", () => {
  it("shows the cards in the order of the list, and says how many wait", async () => {
    const { texts, one, list } = await shown(["b", "a"]);
    expect(texts()).toEqual(["b", "a"]);
    expect(one("[role=status]")?.textContent).toBe("2 questions wait for you");
    await list("b");
    expect(one("[role=status]")?.textContent).toBe("1 question waits for you");
    await list();
    expect(one("[role=status]")?.textContent).toBe(S.nothing);
    expect(texts()).toEqual([]);
  });

  it("leaves the cards that stay alone, and so what has the focus", async () => {
    const { manager, list, texts, el } = await shown(["a", "b"]);
    const b = el.querySelectorAll<HTMLElement>(".nbask")[1];
    b?.focus();
    await list("b", "c");
    expect(texts()).toEqual(["b", "c"]);
    expect(document.activeElement).toBe(b);
    expect([manager.made, manager.removed]).toEqual([["a", "b", "c"], ["a"]]);
  });

  it("takes the focus of a card that goes to its own head, and no other", async () => {
    const { list, el, one } = await shown(["a", "b"]);
    await list("b");
    expect(document.activeElement).toBe(document.body);
    el.querySelector<HTMLElement>(".nbask")?.focus();
    await list();
    expect(document.activeElement).toBe(one(".nbask-inbox-head"));
  });

  it("waits for a card whose model is on its way, and says so when none comes", async () => {
    const { manager, list, texts, el } = await shown([]);
    await list("late", "never");
    expect(texts()).toEqual([]);
    manager.known.add("late");
    await vi.advanceTimersByTimeAsync(250);
    expect(texts()).toEqual(["late"]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(el.textContent).toContain(S.notDrawn);
  });

  it("says that it is there when it comes, at each change, and when it goes", async () => {
    const { model, list, end } = await shown([]);
    expect(types(model)).toEqual(["attached"]);
    await list("a");
    expect(types(model)).toEqual(["attached", "attached"]);
    window.dispatchEvent(new Event("pagehide"));
    expect(types(model).at(-1)).toBe("detached");
    end();
    expect(new Set(model.sent.map((message) => message.view)).size).toBe(1);
    expect([model.listeners, vi.getTimerCount()]).toEqual([0, 0]);
    window.dispatchEvent(new Event("pagehide"));
    expect(model.sent).toHaveLength(4);
  });

  it("names what has ended and has no receipt in the page, as text", async () => {
    const { model, one } = await shown([]);
    const receipt = document.body.appendChild(document.createElement("div"));
    receipt.className = "nbask-receipt nbask-1";
    model.set("recent", [
      { ask: "1", text: "Which DB? → SQLite" },
      { ask: "2", text: "Name? → <img src=x onerror=alert(1)>" },
    ]);
    expect(one(".nbask-inbox-recent")?.textContent).toBe("EndedName? → <img src=x onerror=alert(1)>");
    expect(one("img")).toBeNull();
    receipt.remove();
    vi.advanceTimersByTime(1000);
    expect(one(".nbask-inbox-recent")?.textContent).toContain("Which DB? → SQLite");
  });

  it("says that its kernel is gone", async () => {
    const { model, one } = await shown(["a"]);
    model.emit("comm:close");
    vi.advanceTimersByTime(1000);
    expect(one("[role=status]")?.textContent).toBe(S.inboxGone);
  });

  it("ignores lists of no known shape", async () => {
    const { model, texts, one } = await shown(["a"]);
    model.set("cards", [1, 2]);
    model.set("recent", [null, { ask: 1 }]);
    expect(texts()).toEqual([]);
    expect(one(".nbask-inbox-recent")?.textContent).toBe("");
  });

  it("that goes before a card is drawn leaves nothing behind", async () => {
    const host = new AbortController();
    const { manager, model, el } = await shown([], host.signal);
    model.set("cards", ["a"]);
    host.abort();
    await vi.advanceTimersByTimeAsync(10_000);
    expect([manager.made, manager.removed, el.childElementCount]).toEqual([["a"], ["a"], 0]);
    expect([model.listeners, vi.getTimerCount()]).toEqual([0, 0]);
  });
});

describe("the way from the inbox to a card's cell", () => {
  /** A card under a cell, in a notebook as JupyterLab has it. */
  function inNotebook(ask: string) {
    const scroller = document.body.appendChild(document.createElement("div"));
    scroller.className = "jp-WindowedPanel-outer";
    const list = scroller.appendChild(document.createElement("div"));
    const cellAfter = () => {
      const one = list.appendChild(document.createElement("div"));
      one.className = "jp-Cell";
      return one;
    };
    const [cell, next] = [cellAfter(), cellAfter(), cellAfter()];
    const card = cell.appendChild(shownCard(ask));
    return { scroller, list, cell, next, card };
  }

  it("is there while the card is, says which question it leads to, and needs no change of the list", async () => {
    const { links } = await shown(["a", "b"]);
    expect(links()).toEqual([]);
    const { scroller } = inNotebook("b");
    vi.advanceTimersByTime(1000);
    expect(links().map((link) => [link.textContent, link.ariaLabel])).toEqual([
      ["Show in the notebook", "Show in the notebook: b?"],
    ]);
    scroller.remove();
    vi.advanceTimersByTime(1000);
    expect(links()).toEqual([]);
  });

  it("scrolls to the card and gives it the focus, and the host hears nothing of the keys", async () => {
    const { card } = inNotebook("a");
    const { links } = await shown(["a"]);
    const went = vi.spyOn(card, "scrollIntoView");
    const [link] = links();
    const heard = vi.fn();
    document.addEventListener("keydown", heard, { once: true });
    link?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    expect([heard.mock.calls, link?.dataset.lmSuppressShortcuts]).toEqual([[], "true"]);
    document.removeEventListener("keydown", heard);
    link?.click();
    expect(document.activeElement).toBe(card);
    expect(went.mock.calls).toEqual([[{ block: "center" }]]);
  });

  it.each(["nbask-inbox", "jp-LinkedOutputView"])("does not lead into another .%s", async (name) => {
    const { links } = await shown(["a"]);
    const around = document.body.appendChild(document.createElement("div"));
    around.className = name;
    around.append(shownCard("a"));
    vi.advanceTimersByTime(1000);
    expect(links()).toEqual([]);
  });

  it("does not lead to what is not in front: a notebook in another tab, an output that is folded away", async () => {
    const { scroller, cell, card } = inNotebook("a");
    const { links } = await shown(["a"]);
    expect(links()).toHaveLength(1);
    card.style.display = "none";
    vi.advanceTimersByTime(1000);
    expect(links()).toEqual([]);
    card.style.display = "";
    cell.style.display = "none";
    scroller.style.display = "none";
    vi.advanceTimersByTime(1000);
    expect(links()).toEqual([]);
  });

  it("goes with its focus to the card beside it when there is nothing to go to any more", async () => {
    const { scroller } = inNotebook("a");
    const { links, one } = await shown(["a"]);
    const [link] = links();
    link?.focus();
    scroller.remove();
    link?.click();
    expect([links(), document.activeElement]).toEqual([[], one(".nbask")]);
  });

  it.each([
    ["above", "display", "none", -600],
    ["below", "display", "none", 600],
    ["above", "opacity", "0", -600],
  ] as const)("scrolls until JupyterLab shows a cell that is far %s: %s %s", async (side, name, off, step) => {
    const { scroller, list, cell, next, card } = inNotebook("a");
    if (side === "below") list.append(cell);
    Object.defineProperty(scroller, "clientHeight", { value: 600 });
    cell.style[name] = off;
    const { links } = await shown(["a"]);
    const went = vi.spyOn(card, "scrollIntoView");
    scroller.scrollTop = 5000;
    links()[0]?.click();
    // What was in view is not, from the first screen on; the cell is from the second.
    next.style.display = "none";
    expect(scroller.scrollTop).toBe(5000 + step);
    expect(went).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(50);
    expect(scroller.scrollTop).toBe(5000 + 2 * step);
    cell.style[name] = "";
    await vi.advanceTimersByTimeAsync(50);
    expect([scroller.scrollTop, document.activeElement]).toEqual([5000 + 2 * step, card]);
    expect(went).toHaveBeenCalledTimes(1);
  });

  it("gives up a cell that never comes, and at once one that goes", async () => {
    const { scroller, cell, card } = inNotebook("a");
    Object.defineProperty(scroller, "clientHeight", { value: 600 });
    cell.style.display = "none";
    const { links } = await shown(["a"]);
    const went = vi.spyOn(card, "scrollIntoView");
    links()[0]?.click();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([scroller.scrollTop, went.mock.calls.length]).toEqual([-200 * 600, 1]);
    links()[0]?.click();
    scroller.remove();
    await vi.advanceTimersByTimeAsync(50);
    expect(went).toHaveBeenCalledTimes(2);
  });
});
