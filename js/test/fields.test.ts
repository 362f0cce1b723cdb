import { describe, expect, it } from "vitest";
import { RULES } from "../src/kinds.ts";
import { type Act, reduce } from "../src/reduce.ts";
import { isBlocked } from "../src/rules/consent.ts";
import { draft, initial, problem, replyOf, type State, summary, touched } from "../src/store.ts";
import type { QuestionWire } from "../src/wire.ts";
import { asking, EMPTY, golden, options, question } from "./helpers.ts";

const NOTHING = { answers: {}, message: null };
const field = (kind: string, given: Partial<QuestionWire> = {}): QuestionWire =>
  question({ kind, options: [], other: false, notes: false, ...given });
const start = (...questions: QuestionWire[]): State =>
  initial({ ...asking(...questions), layout: "form" }, RULES, NOTHING);
const value = (text: string, id = "q1"): Act => ({ type: "value", question: id, value: text });
const typed = (asked: QuestionWire, text: string): State => reduce(start(asked), value(text));
/** What is wrong with a text typed into a field, in words. */
const wrong = (asked: QuestionWire, text: string): string | null => problem(typed(asked, text), asked);
const sent = (asked: QuestionWire, text: string): unknown => replyOf(typed(asked, text), "submit").answers.q1?.value;

const WHOLE = "Type a whole number, like 3.";
const NUMBER = "Type a number, like 2.5.";

describe("whole numbers", () => {
  it.each(["42abc", "1e400", "NaN", "4.5", "0x10", "1_000", "--3", "1 2", "Infinity"])("B14: %s is not one", (text) => {
    expect(wrong(field("integer"), text)).toBe(WHOLE);
  });

  it.each(["-3", "0", "+7", " 12 ", "900719925474099312345"])(
    "B14: %s is one, and goes out as it was typed",
    (text) => {
      expect(wrong(field("integer"), text)).toBeNull();
      expect(sent(field("integer"), text)).toBe(text.trim());
    },
  );

  it.each<[string, string | null]>([
    ["0", "At least 1."],
    ["4", "At most 3."],
    ["1.5", WHOLE],
    ["2", null],
    ["", "Type an answer."],
  ])("B1: %j for one from 1 to 3 that is required: %s", (text, words) => {
    expect(wrong(field("integer", { min: 1, max: 3 }), text)).toBe(words);
  });
});

describe("numbers", () => {
  it.each(["1e400", "NaN", "Infinity", "-Infinity", "1,5", "2.5.1", "abc", "."])("%s is not one", (text) => {
    expect(wrong(field("number"), text)).toBe(NUMBER);
  });

  it.each(["-3", "2.5", "1e3", ".5", "5.", "-1.5E-3"])("%s is one", (text) => {
    expect(wrong(field("number"), text)).toBeNull();
    expect(sent(field("number"), text)).toBe(text);
  });

  it("says its bounds", () => {
    expect(wrong(field("number", { min: 0.5 }), "0.4")).toBe("At least 0.5.");
    expect(wrong(field("number", { max: 1000 }), "1e4")).toBe("At most 1000.");
    expect([
      RULES.number?.hint?.(field("number", { min: 1, max: 14 })),
      RULES.number?.hint?.(field("number", { min: 0 })),
      RULES.number?.hint?.(field("number")),
    ]).toEqual(["1 to 14", "at least 0", null]);
  });
});

describe("texts", () => {
  it.each<[Partial<QuestionWire>, string, string | null]>([
    [{ min: 3 }, "ab", "At least 3 characters."],
    [{ max: 2 }, "a𝒳", null],
    [{ max: 2 }, "a𝒳b", "At most 2 characters."],
    [{ format: "email" }, "a@b.org", null],
    [{ format: "email" }, "a b@c", "Type an email address, like name@example.org."],
    [{ format: "email" }, "nobody", "Type an email address, like name@example.org."],
    [{ format: "uri" }, "https://example.org/x", null],
    [{ format: "uri" }, "urn:isbn:0451450523", null],
    [{ format: "uri" }, "example.org", "Type a whole address, like https://example.org."],
    [{ pattern: "[0-9]" }, "a1b", null],
    [{ pattern: "^[A-Z]{3}-[0-9]+$" }, "cap-12", "This does not fit the pattern ^[A-Z]{3}-[0-9]+$"],
    [{ pattern: "^\\p{Lu}" }, "Ä", null],
    [{ pattern: "^a\\-b$" }, "a-b", null],
    [{ pattern: "([" }, "anything", null],
  ])("with %j, %j: %s", (given, text, words) => {
    expect(wrong(field("text", given), text)).toBe(words);
  });
});

describe("dates", () => {
  it("are a day, or a day and a time, and not half of one", () => {
    expect(wrong(field("date"), "2026-12-01")).toBeNull();
    expect(wrong(field("date"), "?")).toBe("Choose a whole date.");
    expect(wrong(field("datetime"), "2026-12-01T09:30")).toBeNull();
    expect(wrong(field("datetime"), "2026-12-01T09:30:15")).toBeNull();
    expect(wrong(field("datetime"), "2026-12-01")).toBe("Choose a date and a time.");
    expect(sent(field("date"), "2026-12-01")).toBe("2026-12-01");
  });
});

describe("lists", () => {
  it("are sent entry by entry, without blank lines", () => {
    expect(sent(field("list"), " red \n\n green\nblue ")).toEqual(["red", "green", "blue"]);
    expect(sent(field("list"), " \n ")).toBeNull();
  });

  it("say their bounds in words", () => {
    const asked = field("list", { min: 2, max: 3 });
    expect(wrong(asked, "a")).toBe("At least 2 entries.");
    expect(wrong(asked, "a\nb\nc\nd")).toBe("At most 3 entries.");
    expect(wrong(asked, "")).toBe("Type at least one entry.");
    expect(RULES.list?.hint?.(asked)).toBe("one on each line, 2 to 3");
  });

  it("come back from a draft line by line as they were typed, and take a list as default", () => {
    const state = typed(field("list"), "red\n\n gre");
    expect(draft(state).answers.q1?.value).toEqual(["red", "", " gre"]);
    expect(initial(state.ask, RULES, JSON.parse(JSON.stringify(draft(state)))).entries).toEqual(state.entries);
    const preset = field("list", { default: { ...EMPTY, value: ["a", "b"] } });
    expect(replyOf(start(preset), "submit").answers.q1?.value).toEqual(["a", "b"]);
    expect(summary(start(preset), preset)).toEqual(["a", "b"]);
  });
});

describe("secrets", () => {
  const asked = field("text", { secret: true });
  const state = typed(asked, "hunter2");

  it("are in the reply and in no draft, but count as something to lose", () => {
    expect(replyOf(state, "submit").answers.q1?.value).toBe("hunter2");
    expect(JSON.stringify(draft(state))).not.toContain("hunter2");
    expect(draft(state).answers).toEqual({});
    expect(touched(state)).toBe(true);
  });

  it("are dots in the review, whatever their length", () => {
    expect(summary(state, asked)).toEqual(["••••••"]);
    expect(summary(typed(asked, "x"), asked)).toEqual(["••••••"]);
  });

  it("are not undone by a draft from elsewhere, which never has them", () => {
    const merged = reduce(state, { type: "draft", draft: NOTHING, except: new Set() });
    expect(merged.entries.q1?.value).toBe("hunter2");
  });
});

describe("what is left out", () => {
  it.each(["text", "number", "integer", "date", "datetime", "list"])("B25: a blank optional %s is null", (kind) => {
    const asked = field(kind, { required: false, default: { ...EMPTY, value: null } });
    for (const text of ["", "  "]) {
      const state = reduce(typed(asked, text), { type: "submit" });
      expect([state.sending, replyOf(state, "submit").answers.q1]).toEqual(["submit", EMPTY]);
    }
  });

  it("a default that was cleared is null too", () => {
    expect(sent(field("integer", { required: false, default: { ...EMPTY, value: "42" } }), "")).toBeNull();
  });
});

describe("a form", () => {
  const two = () => start(field("integer", { id: "a" }), field("text", { id: "b", format: "email" }));

  it("names every faulty field in words at Submit, goes to the first and sends nothing", () => {
    const state = reduce(reduce(two(), value("x", "b")), { type: "submit" });
    expect(state).toMatchObject({
      sending: null,
      tab: 0,
      focus: { at: "q:a" },
      errors: { a: "Type an answer.", b: "Type an email address, like name@example.org." },
      notice: "2 fields need another look.",
    });
  });

  it("says what is wrong with a field that is left, but not that it is empty", () => {
    expect(reduce(two(), { type: "check", question: "a" }).errors).toEqual({});
    const state = reduce(reduce(two(), value("42abc", "a")), { type: "check", question: "a" });
    expect(state.errors).toEqual({ a: WHOLE });
    expect(reduce(state, value("42", "a")).errors).toEqual({});
  });

  it("submits at Enter when it is complete", () => {
    const state = [value("1", "a"), value("a@b.org", "b"), { type: "enter" } as const].reduce<State>(reduce, two());
    expect(state.sending).toBe("submit");
  });

  it("B2, B3, B5, B20: a required yes or no is not answered until one of the two is chosen, and then by its id", () => {
    const asked = question({ options: options("Yes", "No"), other: false });
    const refused = reduce(start(asked, field("text", { id: "b", required: false })), { type: "submit" });
    expect(refused).toMatchObject({ sending: null, errors: { q1: "Choose an option." } });
    const state = reduce(reduce(refused, { type: "pick", question: "q1", option: "o2" }), { type: "submit" });
    expect(state.sending).toBe("submit");
    expect(replyOf(state, "submit").answers.q1).toEqual({ ...EMPTY, selected: ["o2"] });
  });

  it("B8, B10: a default is preselected by its id, and the label is never what is sent", () => {
    const asked = question({
      text: "Level",
      options: options("Low", "High"),
      other: false,
      default: { ...EMPTY, selected: ["o2"] },
    });
    expect(replyOf(start(asked), "submit").answers.q1).toEqual({ ...EMPTY, selected: ["o2"] });
    expect(summary(start(asked), asked)).toEqual(["High"]);
  });

  it("takes digits for options only where there is one question", () => {
    const asked = question({ options: options("Yes", "No"), other: false });
    const many = start(asked, question({ id: "b" }));
    expect(reduce(many, { type: "digit", number: 1 })).toBe(many);
    expect(reduce(start(asked), { type: "digit", number: 1 }).sending).toBe("submit");
  });
});

describe("what fits a field, to the page as to the kernel", () => {
  type Row = Partial<QuestionWire> & { kind: string; fits: string[]; misfits: string[] };
  const rows = (golden("fields") as Row[]).map(
    ({ fits, misfits, ...given }): [string, typeof given, string[], string[]] => [
      JSON.stringify(given),
      given,
      fits,
      misfits,
    ],
  );

  it.each(rows)("%s", (_name, { kind, ...given }, fits, misfits) => {
    const isFit = (text: string) =>
      kind === "consent" ? !isBlocked(field(kind, { url: text })) : wrong(field(kind, given), text) === null;
    expect([fits.filter((text) => !isFit(text)), misfits.filter(isFit)]).toEqual([[], []]);
  });
});
