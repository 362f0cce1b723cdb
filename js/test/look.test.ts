import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { answer, asking, drawn, EMPTY, goldenAsk, one, open, options, type Page, question } from "./helpers.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

describe("its text", () => {
  const long = `${"word ".repeat(150)}LAST`;

  it("A11: question, label and description are there to their last word, and no style cuts them", () => {
    const page = one({
      text: long,
      options: [{ id: "o1", label: long, description: long, recommended: false, preview: null }],
    });
    for (const selector of [".nbask-q", ".nbask-label", ".nbask-text"]) {
      expect(page.one(selector).textContent?.endsWith("LAST")).toBe(true);
      expect(page.one(selector).className).not.toContain("nbask-short");
    }
    const css = readFileSync(join(import.meta.dirname, "../src/style.css"), "utf8");
    expect(css).not.toContain("line-clamp");
    expect(css.split("\n").filter((line) => line.includes("ellipsis"))).toEqual([
      expect.stringContaining(".nbask-short"),
    ]);
  });

  it("A24: says its direction text by text", () => {
    const page = one({ text: "هل نستخدم pandas 2.2؟", options: options("نعم", "לא") });
    expect(page.one(".nbask-q [dir=auto]").textContent).toBe("هل نستخدم pandas 2.2؟");
    expect(page.one("[dir=auto]", page.row("לא")).textContent).toBe("לא");
  });

  it("agent text is never HTML", () => {
    const evil = "<img src=x onerror=alert(1)>";
    const page = one({ text: evil, header: evil, options: options(evil), placeholder: evil });
    expect(page.all("img")).toEqual([]);
    expect(page.one(".nbask-q").textContent).toBe(evil);
  });

  it("a header is whole on hover and in the text", () => {
    const page = one({ header: "A header that is much too long" });
    expect(page.one(".nbask-chip").title).toBe("A header that is much too long");
    expect(page.one(".nbask-chip").textContent).toBe("A header that is much too long");
  });

  it("the group is named by who asks and what", () => {
    const page = one();
    const names = page.root.getAttribute("aria-labelledby")?.split(" ") ?? [];
    expect(names.map((id) => document.getElementById(id)?.textContent)).toEqual(["Claude", "Which DB?"]);
    expect(page.root.getAttribute("role")).toBe("group");
    expect(page.root.hasAttribute("aria-modal")).toBe(false);
  });

  it("the clock counts up from when it opened, never below zero, and down to a deadline", async () => {
    const ask = { ...asking(question({})), opened: Date.now() - 41_000 };
    const page = open(ask);
    vi.advanceTimersByTime(1000);
    await drawn();
    expect(page.one(".nbask-wait").textContent).toBe("waiting 0:42");
    vi.advanceTimersByTime(3_600_000);
    await drawn();
    expect(page.one(".nbask-wait").textContent).toBe("waiting 1:00:42");
    const early = open({ ...asking(question({})), opened: Date.now() + 60_000 });
    expect(early.one(".nbask-wait").textContent).toBe("waiting 0:00");
    const timed = open({ ...asking(question({})), deadline: Date.now() + 252_500 });
    expect(timed.one(".nbask-wait").textContent).toBe("4:12 left");
  });
});

describe("previews", () => {
  const shown = (page: Page) => page.one(".nbask-pane:not(.nbask-off)").getAttribute("aria-label");

  it("shows the first at first, the one hovered, the one focused last, else the one picked", async () => {
    const page = open(goldenAsk("choice-previews"));
    expect(shown(page)).toBe("Preview: Wide table");
    page.row("Long table").dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
    await drawn();
    expect(shown(page)).toBe("Preview: Long table");
    page.input("Parquet").focus();
    await drawn();
    expect(shown(page)).toBe("Preview: Parquet by day");
    page.choose("Long table");
    page.input("Parquet").blur();
    page.one(".nbask-cols").dispatchEvent(new MouseEvent("mouseleave"));
    await drawn();
    expect(shown(page)).toBe("Preview: Long table");
  });

  it("are reachable by keys when they scroll, and a document is in a frame that can do nothing", async () => {
    expect(open(goldenAsk("choice-previews")).one(".nbask-pane:not(.nbask-off)").tabIndex).toBe(-1);
    vi.spyOn(Element.prototype, "scrollHeight", "get").mockReturnValue(900);
    const page = open(goldenAsk("choice-previews"));
    expect(page.one(".nbask-pane:not(.nbask-off)").tabIndex).toBe(0);
    page.choose("Parquet");
    await drawn();
    const frame = page.one<HTMLIFrameElement>("iframe");
    expect([frame.getAttribute("sandbox"), frame.title]).toEqual(["", "Parquet by day"]);
    expect(frame.getAttribute("srcdoc")).toContain("parquet");
  });

  it("A9: a note and Enter keep the option picked beside a preview", () => {
    const page = open(goldenAsk("choice-previews"));
    page.choose("Wide table");
    page.type(page.notes, "wider");
    page.key("Enter");
    expect(answer(page)).toEqual({ ...EMPTY, selected: ["o1"], notes: "wider" });
  });
});
