import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { asking, EMPTY, FakeModel, goldenAsk, one, open, Page, question } from "./helpers.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

const answers = (page: Page) => page.model.replies.at(-1)?.answers;

describe("a card that appears", () => {
  it("never takes the focus", () => {
    const cell = document.body.appendChild(document.createElement("textarea"));
    cell.focus();
    one();
    expect(document.activeElement).toBe(cell);
  });

  it("ignores keys and presses for 300 ms", () => {
    const page = new Page(new FakeModel(asking(question({}))));
    page.root.focus();
    page.key("1");
    page.key("Escape");
    page.press("Decline");
    vi.advanceTimersByTime(299);
    page.key("2");
    page.press("Submit");
    expect([page.model.replies, page.error]).toEqual([[], ""]);
    vi.advanceTimersByTime(1);
    page.key("2");
    expect(answers(page)).toEqual({ q1: { ...EMPTY, selected: ["o2"] } });
  });

  it("ignores a key that has been down since before", () => {
    const page = one();
    page.root.focus();
    page.key("1", { repeat: true });
    page.key("Escape", { repeat: true });
    page.key("Enter", { repeat: true });
    expect([page.model.replies, page.error]).toEqual([[], ""]);
  });

  it("acts on no key when the focus is elsewhere", () => {
    const page = one();
    page.key("1");
    expect(page.model.replies).toEqual([]);
  });
});

describe("keys in the card", () => {
  it("a digit submits a single choice at once, with the note that was typed", () => {
    const page = one();
    page.type(page.notes, "n");
    page.key("Escape");
    page.key("2");
    expect(answers(page)).toEqual({ q1: { ...EMPTY, selected: ["o2"], notes: "n" } });
  });

  it("the digit after the last option goes to Other and submits nothing", () => {
    const page = one();
    page.root.focus();
    page.key("3");
    expect(document.activeElement).toBe(page.other);
    expect(page.model.replies).toEqual([]);
  });

  it("digits in a text field are text", () => {
    const page = one();
    page.notes.focus();
    expect(page.key("1").defaultPrevented).toBe(false);
    expect(page.model.replies).toEqual([]);
  });

  it("A21: a pick by key and Enter submit", () => {
    const page = one();
    page.choose("SQLite");
    page.input("SQLite").focus();
    page.key("Enter");
    expect(answers(page)).toEqual({ q1: { ...EMPTY, selected: ["o2"] } });
  });

  it("Enter in Other submits its text", () => {
    const page = one();
    page.type(page.other, "DuckDB");
    page.key("Enter");
    expect(answers(page)).toEqual({ q1: { ...EMPTY, other: "DuckDB" } });
  });

  it("Enter in a text of several lines is a new line, and Ctrl+Enter submits", () => {
    const page = open(asking(question({ kind: "text", options: [], other: false, multiline: true })));
    page.type(page.one<HTMLTextAreaElement>("textarea"), "a");
    expect(page.key("Enter").defaultPrevented).toBe(false);
    expect(page.model.replies).toEqual([]);
    page.key("Enter", { ctrlKey: true });
    expect(answers(page)).toEqual({ q1: { ...EMPTY, value: "a" } });
  });

  it("Enter on a button is that button's own", () => {
    const page = one();
    page.choose("SQLite");
    page.button("Discuss first").focus();
    expect(page.key("Enter").defaultPrevented).toBe(false);
    expect(page.model.replies).toEqual([]);
  });

  it("Enter elsewhere sends no discussion while its box is open", () => {
    const page = one();
    page.choose("SQLite");
    page.press("Discuss first");
    page.input("SQLite").focus();
    page.key("Enter");
    expect(page.model.replies).toEqual([]);
    page.one("textarea").focus();
    page.key("Enter", { ctrlKey: true });
    expect(page.model.replies.at(-1)).toMatchObject({ action: "discuss", message: null });
  });

  it("Enter goes to the next question, and the focus with it", () => {
    const page = open(goldenAsk("several"));
    page.choose("Wide table");
    page.input("Wide table").focus();
    page.key("Enter");
    expect(page.one(".nbask-q").textContent).toBe("Which checks should run?");
    expect(document.activeElement).toBe(page.input("Gaps"));
    page.key("2");
    page.key("3");
    expect([page.input("Gaps").checked, page.input("Units").checked, page.input("Outliers").checked]).toEqual([
      false,
      true,
      true,
    ]);
    page.key("3");
    expect(page.input("Outliers").checked).toBe(false);
  });

  it("A26: Esc in a note only leaves the field, with the card open and the draft kept", () => {
    const page = one();
    page.type(page.notes, "x");
    page.key("Escape");
    expect(document.activeElement).toBe(page.root);
    expect([page.notes.value, page.model.replies]).toEqual(["x", []]);
    expect(page.model.get("draft")).toMatchObject({ answers: { q1: { notes: "x" } } });
  });

  it("Esc cancels at once when nothing was said, and asks first when something was", () => {
    const untouched = one();
    untouched.root.focus();
    untouched.key("Escape");
    expect(untouched.model.replies.at(-1)).toMatchObject({ action: "cancel" });
    const page = one();
    page.choose("SQLite");
    page.input("SQLite").focus();
    page.key("Escape");
    expect(page.model.replies).toEqual([]);
    expect(document.activeElement?.textContent).toBe("Keep answering");
    page.key("Escape");
    expect(page.has("Submit")).toBe(true);
    expect(document.activeElement).toBe(page.input("SQLite"));
  });

  it("? shows and hides the list of keys, but not from a text field", () => {
    const page = one();
    page.notes.focus();
    page.key("?");
    expect(page.all(".nbask-help")).toEqual([]);
    page.root.focus();
    page.key("?");
    expect(page.one(".nbask-help").textContent).toContain("Choose that option");
    page.key("?");
    expect(page.all(".nbask-help")).toEqual([]);
  });

  it.each(["keydown", "keypress", "keyup"])("no %s reaches the notebook", (type) => {
    const page = one();
    const heard = vi.fn();
    document.addEventListener(type, heard);
    for (const [key, init] of [
      ["d", {}],
      ["x", {}],
      ["Enter", { shiftKey: true }],
      ["Enter", { ctrlKey: true }],
    ] as const) {
      page.root.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true, ...init }));
      page.notes.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true, ...init }));
    }
    document.removeEventListener(type, heard);
    expect(heard).not.toHaveBeenCalled();
    expect(page.root.dataset.lmSuppressShortcuts).toBe("true");
  });
});

describe("lifetimes", () => {
  it("a host's signal ends a view like its returned function, and only once", () => {
    const host = new AbortController();
    const model = new FakeModel(asking(question({})));
    const page = new Page(model, host.signal);
    host.abort();
    page.end();
    expect(model.listeners).toBe(0);
    expect(model.sent.map((message) => message.type)).toEqual(["attached", "detached"]);
  });
});
