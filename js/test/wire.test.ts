import { describe, expect, it } from "vitest";
import {
  isAnswer,
  isAsk,
  isCode,
  isDraft,
  isEnded,
  isOtherVersion,
  isPhase,
  isRefused,
  readDraft,
} from "../src/wire.ts";
import { golden, goldenAsk } from "./helpers.ts";

describe("the goldens that both sides decode", () => {
  it.each(["choice", "choice-previews", "many", "confirm", "text", "several"])("ask-%s is an ask", (name) => {
    expect(isAsk(golden(`ask-${name}`))).toBe(true);
  });

  it("has all three kinds of rich content in one golden", () => {
    const kinds = goldenAsk("choice-previews").questions[0]?.options.map((option) => option.preview?.kind);
    expect(kinds).toEqual(["html", "image", "frame", undefined]);
  });

  it("decodes phases, a draft, a refusal and the code", () => {
    expect(isPhase(golden("phase-open"))).toBe(true);
    expect(isEnded(golden("phase-open"))).toBe(false);
    expect(isEnded(golden("phase-ended"))).toBe(true);
    expect(isDraft(golden("draft"))).toBe(true);
    expect(isRefused(golden("refused"))).toBe(true);
    expect(isCode(golden("code"))).toBe(true);
  });
});

describe("guards", () => {
  const ask = () => structuredClone(goldenAsk("choice"));

  it.each<[string, (broken: Record<string, unknown>) => void]>([
    ["without questions", (broken) => Object.assign(broken, { questions: [] })],
    ["without an asker", (broken) => Object.assign(broken, { asker: null })],
    ["with a text for a time", (broken) => Object.assign(broken, { opened: "now" })],
    ["without its message key", (broken) => void delete broken.message],
    ["of another version", (broken) => Object.assign(broken, { v: 2 })],
  ])("refuses an ask %s", (_name, spoil) => {
    const broken: Record<string, unknown> = { ...ask() };
    spoil(broken);
    expect(isAsk(broken)).toBe(false);
  });

  it.each([null, undefined, 1, "ask", [], {}])("refuses %j as anything", (value) => {
    for (const guard of [isAsk, isAnswer, isDraft, isRefused, isCode, isEnded]) expect(guard(value)).toBe(false);
  });

  it("tells another version from something unreadable", () => {
    expect(isOtherVersion({ v: 2 })).toBe(true);
    expect(isOtherVersion({ v: 1 })).toBe(false);
    expect(isOtherVersion(null)).toBe(false);
  });

  it("reads of a broken draft what can be read", () => {
    const good = { selected: ["o1"], other: null, value: null, notes: null };
    expect(readDraft({ answers: { a: good, b: { selected: "o1" } }, message: 3 })).toEqual({
      answers: { a: good },
      message: null,
    });
    for (const broken of [null, "x", [], { answers: [] }, { answers: null }]) {
      expect(readDraft(broken)).toEqual({ answers: {}, message: null });
    }
  });
});
