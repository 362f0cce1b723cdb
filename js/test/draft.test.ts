import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { answer, asking, EMPTY, golden, goldenAsk, one, open, Page, question } from "./helpers.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

describe("the draft", () => {
  it("is written once a quarter of a second after the last change, and at Submit", () => {
    const page = one();
    page.type(page.other, "Du");
    vi.advanceTimersByTime(200);
    page.type(page.other, "Duck");
    vi.advanceTimersByTime(249);
    expect(page.model.saves).toBe(0);
    vi.advanceTimersByTime(1);
    expect(page.model.saves).toBe(1);
    expect(page.model.get("draft")).toEqual({ answers: { q1: { ...EMPTY, other: "Duck" } }, message: null });
    page.type(page.other, "DuckDB");
    page.press("Submit");
    expect(page.model.get("draft")).toMatchObject({ answers: { q1: { other: "DuckDB" } } });
  });

  it("is written when the field is left and when the view goes", () => {
    const page = one();
    page.type(page.notes, "a");
    page.notes.blur();
    expect(page.model.saves).toBe(1);
    page.type(page.notes, "ab");
    page.end();
    expect(page.model.get("draft")).toMatchObject({ answers: { q1: { notes: "ab" } } });
  });

  it("A19: is restored when a page comes back", () => {
    const page = open(goldenAsk("several"), golden("draft"));
    expect(page.input("Wide table").checked).toBe(true);
    expect(page.other.value).toBe("a column store");
    expect(page.notes.value).toBe("keep raw");
    page.press("Next");
    expect([page.input("Units").checked, page.input("Other").checked, page.other.value]).toEqual([
      true,
      true,
      "clock drift",
    ]);
  });

  it("A14: of a secret is never written, but its typing is told of, so that the deadline waits", () => {
    const page = open(asking(question({ kind: "text", options: [], other: false, secret: true })));
    page.type(page.one("input"), "hunter2");
    vi.advanceTimersByTime(250);
    page.type(page.one("input"), "hunter22");
    vi.advanceTimersByTime(250);
    expect(page.model.sent.filter(({ type }) => type === "typing")).toHaveLength(2);
    expect(page.model.saves).toBe(0);
    expect(JSON.stringify(page.model.sent)).not.toContain("hunter2");
    expect(page.text).toContain("Shown as dots, and never saved");
  });

  it.each([[1], ["x"], { answers: 1 }, { answers: { q1: { selected: 1 } } }, { answers: { q1: null }, message: 1 }])(
    "%j, which is malformed, does not break the card",
    (broken) => {
      const page = open(asking(question({})), broken);
      page.model.set("draft", broken);
      page.choose("SQLite");
      page.press("Submit");
      expect(answer(page)).toEqual({ ...EMPTY, selected: ["o2"] });
    },
  );

  it("keeps two views of one model in step", () => {
    const page = one();
    const other = new Page(page.model);
    page.choose("SQLite");
    vi.advanceTimersByTime(250);
    expect(other.input("SQLite").checked).toBe(true);
    other.type(other.notes, "from the other view");
    vi.advanceTimersByTime(250);
    expect(page.notes.value).toBe("from the other view");
    expect(page.input("SQLite").checked).toBe(true);
  });

  it("from elsewhere does not undo newer typing here", () => {
    const page = one();
    page.type(page.notes, "newer");
    page.model.set("draft", { answers: { q1: { ...EMPTY, notes: "ne" } }, message: null });
    expect(page.notes.value).toBe("newer");
    vi.advanceTimersByTime(250);
    expect(page.model.get("draft")).toMatchObject({ answers: { q1: { notes: "newer" } } });
  });
});
