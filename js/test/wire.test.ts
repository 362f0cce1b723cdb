import { describe, expect, it } from "vitest";
import { isAsk, isCall, isEnded, isOpen, isOtherVersion, isRefused, readDraft } from "../src/wire.ts";
import * as whole from "./guards.ts";
import { golden, goldenAsk } from "./helpers.ts";

describe("the goldens that both sides decode", () => {
  it.each(["choice", "choice-previews", "many", "confirm", "text", "several", "form", "url", "plan", "danger"])(
    "ask-%s is an ask, to every key",
    (name) => {
      expect([whole.isAsk(golden(`ask-${name}`)), isAsk(golden(`ask-${name}`))]).toEqual([true, true]);
    },
  );

  it("has all three kinds of rich content in one golden", () => {
    const kinds = goldenAsk("choice-previews").questions[0]?.options.map((option) => option.preview?.kind);
    expect(kinds).toEqual(["html", "image", "frame", undefined]);
  });

  it("has every kind of field in one form", () => {
    const kinds = new Set(goldenAsk("form").questions.map((question) => question.kind));
    expect([...kinds].sort()).toEqual(["choice", "date", "datetime", "integer", "list", "number", "text"]);
  });

  it("decodes phases, a draft, a refusal, the code and a call, to every key", () => {
    for (const name of ["phase-open", "phase-open-paused", "phase-ended"]) {
      expect([name, whole.isPhase(golden(name))]).toEqual([name, true]);
      expect([isOpen(golden(name)), isEnded(golden(name))]).toEqual([name !== "phase-ended", name === "phase-ended"]);
    }
    expect(whole.isDraft(golden("draft"))).toBe(true);
    expect(whole.isRefused(golden("refused")) && isRefused(golden("refused"))).toBe(true);
    expect(whole.isCode(golden("code"))).toBe(true);
    expect(whole.isCall(golden("call")) && isCall(golden("call"))).toBe(true);
  });
});

describe("guards", () => {
  const ask = () => structuredClone(goldenAsk("choice"));

  it.each<[string, (broken: Record<string, unknown>) => void]>([
    ["without questions", (broken) => Object.assign(broken, { questions: [] })],
    ["without an asker", (broken) => Object.assign(broken, { asker: null })],
    ["whose question has no options", (broken) => Object.assign(broken, { questions: [{ id: "q1" }] })],
    ["of another version", (broken) => Object.assign(broken, { v: 2 })],
  ])("refuses an ask %s", (_name, spoil) => {
    const broken: Record<string, unknown> = { ...ask() };
    spoil(broken);
    expect(isAsk(broken)).toBe(false);
  });

  it.each([null, undefined, 1, "ask", [], {}])("refuses %j as anything", (value) => {
    for (const guard of [isAsk, isCall, isRefused, isOpen, isEnded]) expect(guard(value)).toBe(false);
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
