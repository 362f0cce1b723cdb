import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  ASK,
  answer,
  asking,
  EMPTY,
  FakeModel,
  golden,
  goldenAsk,
  one,
  open,
  options,
  Page,
  question,
} from "./helpers.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

describe("with the mouse", () => {
  it("A21: a click selects and does not submit", () => {
    const page = one();
    page.row("Postgres").click();
    expect(page.input("Postgres").checked).toBe(true);
    expect(page.model.replies).toEqual([]);
  });

  it("sends one whole reply at Submit, and then waits for the kernel", () => {
    const page = one();
    page.choose("SQLite");
    page.type(page.notes, "small data");
    page.press("Submit");
    expect(page.model.replies).toEqual([
      {
        type: "reply",
        ask: "a1b2c3d4e5f6",
        action: "submit",
        answers: { q1: { ...EMPTY, selected: ["o2"], notes: "small data" } },
        message: null,
      },
    ]);
    expect(page.button("Submit").getAttribute("aria-disabled")).toBe("true");
    expect(page.one(".nbask-status").textContent).toBe("Sending…");
    expect(page.has("Submit")).toBe(true);
  });

  it("ignores a second press while a reply is on its way", () => {
    const page = one();
    page.choose("SQLite");
    page.press("Submit");
    page.press("Submit");
    page.press("Decline");
    page.press("Cancel");
    expect(page.model.replies).toHaveLength(1);
  });

  it("A3: says at the question what is missing when nothing is picked", () => {
    const page = one();
    page.press("Submit");
    expect(page.model.replies).toEqual([]);
    expect(page.error).toBe("Choose an option.");
    expect(page.one(".nbask-error:not([hidden])").getAttribute("role")).toBe("alert");
    expect(page.one("fieldset").getAttribute("aria-describedby")).toBe(page.one(".nbask-error:not([hidden])").id);
  });

  it("declines at once", () => {
    const page = one();
    page.press("Decline");
    expect(page.model.replies).toEqual([golden("reply-decline")]);
  });

  it("asks before the X loses something, and can go back", () => {
    const page = one();
    page.choose("SQLite");
    page.button("Cancel").focus();
    page.press("Cancel");
    expect(page.text).toContain("Cancel and lose what you typed?");
    expect(page.focus?.textContent).toBe("Keep answering");
    expect(page.has("Submit")).toBe(false);
    page.press("Keep answering");
    expect(page.input("SQLite").checked).toBe(true);
    page.press("Cancel");
    page.press("Cancel the question");
    expect(page.model.replies).toEqual([golden("reply-cancel")]);
  });

  it("A26: sends what is typed under Discuss as a discussion and not as an answer", () => {
    const page = one();
    page.choose("SQLite");
    page.press("Discuss first");
    expect(page.has("Submit")).toBe(false);
    expect(page.text).toContain("What should be said or explained first?");
    page.type(page.one<HTMLTextAreaElement>("textarea"), "How big will the wide table get?");
    page.press("Send");
    expect(page.model.replies).toEqual([golden("reply-discuss")]);
  });
});

describe("the Other row", () => {
  it("is picked by typing, keeps its text when another option is picked, and comes back with it", () => {
    const page = one();
    page.type(page.other, "DuckDB");
    expect(page.input("Other").checked).toBe(true);
    page.choose("Postgres");
    expect(page.other.value).toBe("DuckDB");
    expect(page.input("Other").checked).toBe(false);
    page.choose("Other");
    page.press("Submit");
    expect(answer(page)).toEqual({ ...EMPTY, other: "DuckDB" });
  });

  it("A4, A6: in many, typed text and ticks are a union", () => {
    const page = one({ many: true, options: options("Lint", "Types") });
    page.choose("Lint");
    page.choose("Types");
    page.type(page.other, "also run on ARM");
    page.press("Submit");
    expect(answer(page)).toEqual({ ...EMPTY, selected: ["o1", "o2"], other: "also run on ARM" });
  });

  it("in many, unticked, keeps its text in the field and does not send it", () => {
    const page = one({ many: true, options: options("Lint", "Types") });
    page.choose("Lint");
    page.type(page.other, "ARM");
    page.choose("Other");
    expect(page.other.value).toBe("ARM");
    vi.advanceTimersByTime(300);
    expect(page.other.value).toBe("ARM");
    page.press("Submit");
    expect(answer(page)).toEqual({ ...EMPTY, selected: ["o1"] });
  });

  it("A10: is there beside previews, numbered after the options", () => {
    const page = open(goldenAsk("choice-previews"));
    expect(page.one("kbd", page.row("Other")).textContent).toBe("5");
    page.type(page.other, "three columns");
    page.press("Submit");
    expect(answer(page)).toEqual({ ...EMPTY, other: "three columns" });
  });

  it("is not there when the caller turned it off", () => {
    expect(one({ other: false }).all(".nbask-other")).toEqual([]);
  });
});

describe("a choice of many", () => {
  it("counts, and says what is too many at the question", () => {
    const page = open(goldenAsk("many"));
    expect(page.text).toContain("choose 1 to 3 · 0 chosen");
    for (const label of ["Gaps", "Units", "Outliers", "Duplicates"]) page.choose(label);
    expect(page.one("[aria-live]").textContent).toBe("4 chosen");
    page.press("Submit");
    expect(page.model.replies).toEqual([]);
    expect(page.error).toBe("Choose at most 3; 4 are chosen.");
    page.choose("Gaps");
    expect(page.error).toBe("");
    page.press("Submit");
    expect(answer(page)).toMatchObject({ selected: ["o2", "o3", "o4"] });
  });
});

describe("confirm and text", () => {
  it("a press on one of a confirm's two buttons answers and sends", () => {
    const page = open(goldenAsk("confirm"));
    expect(page.button("Delete them").className).toContain("nbask-primary");
    expect(page.has("Submit")).toBe(false);
    page.press("Keep them");
    expect(answer(page)).toEqual({ ...EMPTY, selected: ["o2"] });
  });

  it("a text is prefilled with its default and sent as its value", () => {
    const page = open(goldenAsk("text"));
    const field = page.one<HTMLInputElement>(".nbask-field input");
    expect([field.value, field.placeholder]).toEqual(["sensor-baseline", "exp-1"]);
    page.type(field, "exp-7");
    page.press("Submit");
    expect(answer(page)).toEqual({ ...EMPTY, value: "exp-7" });
  });

  it("an empty required text is not sent", () => {
    const page = open(goldenAsk("text"));
    page.type(page.one<HTMLInputElement>(".nbask-field input"), "  ");
    page.press("Submit");
    expect(page.error).toBe("Type an answer.");
    expect(page.model.replies).toEqual([]);
  });
});

describe("several questions", () => {
  const several = () => open(goldenAsk("several"));
  const tabs = (page: Page) => page.all("[role=tab]");

  it("are tabs with one panel, a mark on the answered ones, and a review", () => {
    const page = several();
    expect(tabs(page).map((tab) => tab.textContent)).toEqual(["Layout", "Checks", "Overwrite", "Question 4", "Review"]);
    page.choose("Wide table");
    expect(tabs(page)[0]?.textContent).toBe("✓Layout, answered");
    const panel = page.one("[role=tabpanel]");
    expect(tabs(page)[0]?.getAttribute("aria-controls")).toBe(panel.id);
    expect(panel.getAttribute("aria-labelledby")).toBe(tabs(page)[0]?.id);
    expect(tabs(page).map((tab) => tab.tabIndex)).toEqual([0, -1, -1, -1, -1]);
  });

  it("Left, Right, Home and End move between the tabs, around the ends", () => {
    const page = several();
    tabs(page)[0]?.focus();
    const go = (key: string) => {
      page.key(key);
      return tabs(page).findIndex((tab) => tab.getAttribute("aria-selected") === "true" && tab === page.focus);
    };
    expect(["ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowRight", "End", "Home"].map(go)).toEqual([1, 0, 4, 0, 4, 0]);
  });

  it("the review lists every answer, each with a way to change it, and submits", () => {
    const page = several();
    page.choose("Wide table");
    page.type(page.notes, "keep raw values too");
    page.press("Next");
    page.choose("Gaps");
    page.choose("Units");
    page.type(page.other, "clock drift over 2 s");
    page.press("Next");
    page.choose("Keep both");
    page.press("Next");
    page.press("Next");
    expect(page.all(".nbask-review li").map((row) => row.textContent)).toEqual([
      "LayoutWide table – note: keep raw values tooChange",
      "ChecksGaps, Units and “clock drift over 2 s”Change",
      "OverwriteKeep bothChange",
      "Question 4not answeredChange",
    ]);
    page.press("Change the answer to Checks");
    expect(page.input("Gaps").checked).toBe(true);
    tabs(page)[4]?.click();
    page.press("Submit 3 answers");
    expect(page.model.replies.at(-1)).toEqual(golden("reply-submit"));
  });

  it("A17: Submit with a required question unanswered names it, goes to it and focuses it", () => {
    const page = several();
    page.choose("Wide table");
    tabs(page)[4]?.click();
    page.button("Submit 1 answer").focus();
    page.press("Submit 1 answer");
    expect(page.model.replies).toEqual([]);
    expect(page.error).toBe("Checks: Choose at least one option.");
    expect(page.focus).toBe(page.input("Gaps"));
  });

  it("A8: each has an Other of its own", () => {
    const page = open(asking(question({ id: "a", required: false }), question({ id: "b" })));
    tabs(page)[1]?.click();
    page.type(page.other, "abc");
    tabs(page)[0]?.click();
    expect(page.other.value).toBe("");
    tabs(page)[2]?.click();
    page.press("Submit 1 answer");
    expect(page.model.replies.at(-1)?.answers).toEqual({ a: EMPTY, b: { ...EMPTY, other: "abc" } });
  });

  it("A23: options with one label are kept apart by their ids", () => {
    const page = one({ options: options("Same", "Same") });
    page.all<HTMLInputElement>("input[type=radio]")[1]?.click();
    page.press("Submit");
    expect(answer(page)).toEqual({ ...EMPTY, selected: ["o2"] });
  });
});

describe("views and messages", () => {
  it("says that it came and that it went", () => {
    const model = new FakeModel(asking(question({})));
    const page = new Page(model);
    page.end();
    const [attached, detached] = model.sent;
    expect(attached).toEqual({ type: "attached", view: detached?.view });
    expect(detached?.type).toBe("detached");
  });

  it("says that it is there when the roll is called", () => {
    const page = one();
    page.model.emit("msg:custom", golden("call"));
    const [attached, again] = page.model.sent;
    expect([page.model.sent.length, again]).toEqual([2, attached]);
  });

  it("says which ask it shows, by which the inbox finds it", () => {
    expect(one().root.dataset.ask).toBe(ASK);
  });

  it("redraws when the ask changes", () => {
    const page = one();
    page.model.set("ask", asking(question({ text: "Which cache?" })));
    expect(page.one(".nbask-q").textContent).toBe("Which cache?");
  });
});
