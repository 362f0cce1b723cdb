import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import inbox from "../src/inbox.ts";
import type { AnyModel } from "../src/model.ts";
import * as S from "../src/strings.ts";
import { FakeModel } from "./helpers.ts";

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
    return Object.assign(new FakeModel(null), { id });
  }

  async create_view(model: AnyModel) {
    const id = String(Reflect.get(model, "id"));
    this.made.push(id);
    const el = document.createElement("button");
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
  const texts = () => [...el.querySelectorAll("button")].map((button) => button.textContent);
  const one = (selector: string) => el.querySelector<HTMLElement>(selector);
  return { manager, model, el, end, list, texts, one };
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
    const b = el.querySelectorAll("button")[1];
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
    el.querySelector("button")?.focus();
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
