import { describe, expect, it } from "vitest";
import { draftOf, entryOf } from "../src/entries.ts";
import { RULES } from "../src/kinds.ts";
import { type Act, reduce } from "../src/reduce.ts";
import { complete, draft, initial, problem, replyOf, type State, summary, touched } from "../src/store.ts";
import type { AnswerWire, QuestionWire } from "../src/wire.ts";
import { asking, EMPTY, golden, options, question } from "./helpers.ts";

const NOTHING = { answers: {}, message: null };
const start = (...questions: QuestionWire[]): State => initial(asking(...questions), RULES, NOTHING);
const play = (state: State, ...acts: Act[]): State => acts.reduce(reduce, state);
const pick = (option: string, id = "q1"): Act => ({ type: "pick", question: id, option });
const toggle = (option: string, id = "q1"): Act => ({ type: "toggle", question: id, option });
const other = (text: string, id = "q1"): Act => ({ type: "otherText", question: id, text });
const value = (text: unknown, id = "q1"): Act => ({ type: "value", question: id, value: text });
const answers = (state: State): Record<string, AnswerWire> => replyOf(state, "submit").answers;
const SUBMIT: Act = { type: "submit" };

const many = (given: Partial<QuestionWire> = {}): QuestionWire =>
  question({ many: true, options: options("Lint", "Types", "Docs"), ...given });

describe("a single choice", () => {
  it("A3: a submit with nothing picked is not an answer", () => {
    const state = play(start(question({})), SUBMIT);
    expect(state.sending).toBeNull();
    expect(state.errors).toEqual({ q1: "Choose an option." });
  });

  it("keeps what was typed under Other when another option is picked, and sends only the pick", () => {
    const state = play(start(question({})), other("DuckDB"), pick("o1"));
    expect(answers(state).q1).toEqual({ ...EMPTY, selected: ["o1"] });
    expect(draft(state).answers.q1).toMatchObject({ selected: ["o1"], other: "DuckDB" });
    expect(answers(play(state, { type: "other", question: "q1", on: true })).q1).toEqual({
      ...EMPTY,
      other: "DuckDB",
    });
  });

  it("takes blank text under Other as nothing said", () => {
    const state = play(start(question({})), other("   "), SUBMIT);
    expect(state.sending).toBeNull();
    expect(state.errors.q1).toContain("Type your own answer");
  });

  it("preselects nothing without a default, and exactly the default with one", () => {
    expect(complete(start(question({})), question({}))).toBe(false);
    const withDefault = question({ default: { ...EMPTY, selected: ["o2"] } });
    expect(answers(play(start(withDefault), SUBMIT)).q1?.selected).toEqual(["o2"]);
    expect(touched(start(withDefault))).toBe(false);
  });
});

describe("a choice of many", () => {
  it("A4: the text typed under Other is delivered with the pick", () => {
    expect(answers(play(start(many()), toggle("o1"), other("also run on ARM"))).q1).toEqual({
      ...EMPTY,
      selected: ["o1"],
      other: "also run on ARM",
    });
  });

  it("A6: typing keeps every tick, in any order of ticking and typing", () => {
    const acts = [toggle("o1"), toggle("o2"), other("x, y")];
    for (const order of [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ]) {
      const state = play(start(many()), ...order.flatMap((at) => acts[at] ?? []));
      expect(answers(state).q1).toEqual({ ...EMPTY, selected: ["o1", "o2"], other: "x, y" });
    }
  });

  it("keeps the text of an unticked Other in the field and does not send it", () => {
    const state = play(start(many()), toggle("o1"), other("ARM"), { type: "other", question: "q1", on: false });
    expect(state.entries.q1?.otherText).toBe("ARM");
    expect(answers(state).q1?.other).toBeNull();
  });

  it.each<[number | null, number | null, number, string | null]>([
    [1, 3, 0, "Choose at least one option."],
    [2, 3, 0, "Choose at least 2."],
    [2, 3, 1, "Choose at least 2."],
    [2, 3, 2, null],
    [1, 2, 3, "Choose at most 2; 3 are chosen."],
    [null, null, 1, null],
    [0, null, 0, null],
  ])("with min %s and max %s says of %s picks: %s", (min, max, picks, words) => {
    const asked = many({ min, max });
    const state = play(start(asked), ...["o1", "o2", "o3"].slice(0, picks).map((option) => toggle(option)));
    expect(problem(state, asked)).toBe(words);
  });

  it("counts Other as one of the picks", () => {
    const asked = many({ max: 2 });
    expect(problem(play(start(asked), toggle("o1"), toggle("o2"), other("x")), asked)).toContain("at most 2");
  });
});

describe("several questions", () => {
  const three = () => start(question({ id: "a" }), question({ id: "b" }), question({ id: "c", required: false }));

  it("A8: what is typed under one question's Other stays there", () => {
    expect(answers(play(three(), other("abc", "b")))).toEqual({ a: EMPTY, b: { ...EMPTY, other: "abc" }, c: EMPTY });
  });

  it("A17: an unanswered required question is named and gone to, and nothing is sent", () => {
    const state = play(three(), pick("o1", "a"), { type: "tab", to: 3 }, SUBMIT);
    expect(state).toMatchObject({ sending: null, tab: 1, focus: { at: "q:b" } });
    expect(state.errors).toEqual({ b: "Question 2: Choose an option." });
  });

  it("sends an unanswered question that is not required as not answered", () => {
    const state = play(three(), pick("o1", "a"), pick("o2", "b"), SUBMIT);
    expect(state.sending).toBe("submit");
    expect(answers(state).c).toEqual(EMPTY);
  });

  it("A23: two questions with one text and two options with one label are kept apart by their ids", () => {
    const twins = [
      question({ id: "a", kind: "text", text: "Name?", options: [] }),
      question({ id: "b", kind: "text", text: "Name?", options: [] }),
      question({ id: "c", options: options("Same", "Same") }),
    ];
    const state = play(start(...twins), value("Ann", "a"), value("Bo", "b"), pick("o2", "c"));
    expect(answers(state)).toMatchObject({ a: { value: "Ann" }, b: { value: "Bo" }, c: { selected: ["o2"] } });
  });

  it("Enter goes on when what is in view is complete, and says what is missing when it is not", () => {
    expect(play(three(), { type: "enter" })).toMatchObject({ tab: 0, errors: { a: "Question 1: Choose an option." } });
    const picked = play(three(), pick("o1", "a"), { type: "enter" });
    expect(picked).toMatchObject({ tab: 1, focus: { at: "q:b" }, sending: null });
  });

  it("Enter passes a question that need not be answered, and submits on the review", () => {
    const state = play(three(), pick("o1", "a"), pick("o2", "b"), { type: "tab", to: 2 }, { type: "enter" });
    expect(state).toMatchObject({ tab: 3, focus: { at: "submit" } });
    expect(play(state, { type: "enter" }).sending).toBe("submit");
  });

  it("reproduces the golden reply", () => {
    const asked = start(
      question({ id: "layout" }),
      many({ id: "q2" }),
      question({ id: "q3", kind: "confirm", other: false }),
      question({ id: "q4", kind: "text", required: false, options: [] }),
    );
    const state = play(
      asked,
      pick("o1", "layout"),
      { type: "notes", question: "layout", text: "keep raw values too" },
      toggle("o2", "q2"),
      toggle("o1", "q2"),
      other("clock drift over 2 s", "q2"),
      pick("o2", "q3"),
    );
    expect(replyOf(state, "submit")).toEqual(golden("reply-submit"));
    expect(replyOf(play(state, { type: "message", text: " How big will the wide table get? " }), "discuss")).toEqual(
      golden("reply-discuss"),
    );
    expect(replyOf(state, "decline")).toEqual(golden("reply-decline"));
    expect(replyOf(state, "cancel")).toEqual(golden("reply-cancel"));
  });
});

describe("what is not an answer", () => {
  it.each(["discuss", "decline", "cancel"] as const)("%s carries no answers, whatever is picked", (action) => {
    expect(replyOf(play(start(question({})), pick("o1")), action).answers).toEqual({});
  });

  it("A26: a text typed under Discuss is only ever a discussion", () => {
    const state = play(
      start(question({})),
      { type: "mode", mode: "discuss" },
      { type: "message", text: "wait" },
      { type: "enter" },
    );
    expect(state.sending).toBe("discuss");
    expect(replyOf(state, "submit").message).toBeNull();
  });

  it("cancels at once when nothing was said, and asks first when something was", () => {
    expect(play(start(question({})), { type: "escape" }).sending).toBe("cancel");
    const asked = play(start(question({})), pick("o1"), { type: "escape" });
    expect(asked).toMatchObject({ sending: null, mode: "leave" });
    expect(play(asked, { type: "leave" }).sending).toBe("cancel");
    expect(play(asked, { type: "escape" })).toMatchObject({ sending: null, mode: "answer" });
  });
});

describe("while a reply is on its way", () => {
  const sent = () => play(start(question({})), pick("o1"), SUBMIT);

  it.each<Act>([
    pick("o2"),
    SUBMIT,
    { type: "decline" },
    { type: "cancel" },
    { type: "digit", number: 2 },
    { type: "enter" },
  ])("ignores $type", (act) => {
    const state = sent();
    expect(reduce(state, act)).toBe(state);
  });

  it("an invalid reply gives the card back, with what was typed and the words at the question", () => {
    const refused = { type: "refused", ask: sent().ask.id, message: "m" } as const;
    const state = reduce(sent(), { type: "refused", refused: { ...refused, code: "invalid", errors: { q1: "No." } } });
    expect(state).toMatchObject({ sending: null, closed: false, errors: { q1: "No." }, notice: null });
    expect(answers(state).q1?.selected).toEqual(["o1"]);
    expect(play(state, pick("o2")).errors).toEqual({});
  });

  it("a late reply is said and locks the card", () => {
    const refused = { type: "refused", ask: sent().ask.id, code: "late", message: "Too late.", errors: {} } as const;
    const state = reduce(sent(), { type: "refused", refused });
    expect(state).toMatchObject({ closed: true, notice: "Too late." });
    expect(reduce(state, SUBMIT)).toBe(state);
  });

  it("a refusal of another ask changes nothing", () => {
    const state = sent();
    const refused = { type: "refused", ask: "ffffffffffff", code: "late", message: "", errors: {} } as const;
    expect(reduce(state, { type: "refused", refused })).toBe(state);
  });
});

describe("drafts", () => {
  const cases: [string, QuestionWire, Act[]][] = [
    ["a pick", question({}), [pick("o2")]],
    ["a pick with text kept under Other", question({}), [other("x"), pick("o2")]],
    ["Other picked with text", question({}), [pick("o2"), other("x")]],
    ["Other picked with no text yet", question({}), [{ type: "other", question: "q1", on: true }]],
    ["ticks and Other", many(), [toggle("o1"), toggle("o3"), other("x")]],
    ["a tick and a note", many(), [toggle("o2"), { type: "notes", question: "q1", text: "n" }]],
    ["a text", question({ kind: "text", options: [] }), [value("a\nb ")]],
    ["a default taken back", question({ default: { ...EMPTY, selected: ["o1"] } }), [pick("o2")]],
    ["a default text emptied", question({ kind: "text", default: { ...EMPTY, value: "x" } }), [value("")]],
  ];

  it.each(cases)("restores %s exactly", (_name, asked, acts) => {
    const state = play(start(asked), ...acts);
    const restored = initial(state.ask, RULES, JSON.parse(JSON.stringify(draft(state))));
    expect(restored.entries).toEqual(state.entries);
    expect(entryOf(asked, draftOf(asked, state.entries.q1 ?? entryOf(asked, null)))).toEqual(state.entries.q1);
  });

  it("says nothing of what is still as it was given", () => {
    const state = play(start(question({ default: { ...EMPTY, selected: ["o1"] } })), pick("o2"), pick("o1"));
    expect(draft(state)).toEqual(NOTHING);
  });

  it("takes over another view's draft, but not over what is newer here", () => {
    const state = play(start(question({ id: "a" }), question({ id: "b" })), pick("o1", "a"));
    const from = { answers: { a: { ...EMPTY, selected: ["o2"] }, b: { ...EMPTY, selected: ["o2"] } }, message: "hm" };
    const merged = reduce(state, { type: "draft", draft: from, except: new Set(["a"]) });
    expect(answers(merged)).toMatchObject({ a: { selected: ["o1"] }, b: { selected: ["o2"] } });
    expect(merged.message).toBe("hm");
  });

  it("drops options that the ask does not have", () => {
    const state = initial(asking(question({})), RULES, {
      answers: { q1: { ...EMPTY, selected: ["o9"] } },
      message: null,
    });
    expect(answers(state).q1).toEqual(EMPTY);
  });
});

describe("digits", () => {
  it("pick and submit on a card with one single choice, and go to Other without picking it", () => {
    expect(play(start(question({})), { type: "digit", number: 2 }).sending).toBe("submit");
    const onOther = play(start(question({})), { type: "digit", number: 3 });
    expect(onOther).toMatchObject({ sending: null, focus: { at: "other:q1" } });
    expect(onOther.entries.q1?.otherOn).toBe(false);
    const state = start(question({ other: false }));
    expect(play(state, { type: "digit", number: 3 })).toBe(state);
  });

  it("only pick where there is more to answer", () => {
    expect(play(start(many()), { type: "digit", number: 2 }).sending).toBeNull();
    const two = play(start(question({ id: "a" }), question({ id: "b" })), { type: "digit", number: 2 });
    expect(two).toMatchObject({ sending: null, tab: 0, focus: { at: "o:a:o2" } });
  });
});

describe("a kind this page cannot draw", () => {
  it("can only be declined or cancelled", () => {
    const state = start(question({ kind: "hologram" }));
    for (const act of [SUBMIT, { type: "enter" }, { type: "mode", mode: "discuss" }] as const) {
      expect(reduce(state, act)).toBe(state);
    }
    expect(reduce(state, { type: "decline" }).sending).toBe("decline");
    expect(reduce(state, { type: "cancel" }).sending).toBe("cancel");
  });
});

it("sums an answer up in the person's and the caller's own words", () => {
  const asked = many();
  expect(summary(play(start(asked), toggle("o1"), toggle("o2"), other("x ")), asked)).toEqual(["Lint", "Types", "“x”"]);
});
