import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { asking, golden, goldenAsk, one, open, question } from "./helpers.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

describe("what the kernel says", () => {
  it("an invalid reply is explained at the question, the focus goes there, and nothing is lost", () => {
    const page = open(goldenAsk("several"));
    page.choose("Wide table");
    for (const [next, label] of [
      ["Next", "Gaps"],
      ["Next", "Keep both"],
    ] as const) {
      page.press(next);
      page.choose(label);
    }
    page.press("Next");
    page.press("Next");
    page.button("Submit 3 answers").focus();
    page.press("Submit 3 answers");
    page.model.emit("msg:custom", golden("refused"));
    expect(page.error).toBe("Choose at least 1.");
    expect(page.focus).toBe(page.input("Gaps"));
    expect(page.input("Gaps").checked).toBe(true);
    expect(page.button("Next").getAttribute("aria-disabled")).toBe("false");
  });

  it("a malformed reply leaves the card usable", () => {
    const page = one();
    page.choose("SQLite");
    page.press("Submit");
    page.refuse({ code: "malformed", message: "Please try again." });
    expect(page.error).toBe("Please try again.");
    page.press("Submit");
    expect(page.model.replies).toHaveLength(2);
  });

  it("a late reply is said, and the card locks", () => {
    const page = one();
    page.choose("SQLite");
    page.press("Submit");
    page.refuse({ code: "late", message: "This question has already ended." });
    expect(page.error).toBe("This question has already ended.");
    page.press("Submit");
    expect(page.model.replies).toHaveLength(1);
  });

  it("nothing can be changed while a reply is on its way: what is shown is what was sent", () => {
    const page = one({ many: true });
    page.choose("SQLite");
    page.press("Submit");
    page.choose("SQLite");
    page.choose("Postgres");
    expect([page.input("SQLite").checked, page.input("Postgres").checked]).toEqual([true, false]);
    expect([page.notes.readOnly, page.other.readOnly]).toEqual([true, true]);
    page.refuse({ code: "malformed" });
    page.choose("Postgres");
    expect(page.input("Postgres").checked).toBe(true);
  });

  it("never takes the focus from elsewhere when a reply is refused", () => {
    const page = one();
    const cell = document.body.appendChild(document.createElement("textarea"));
    page.choose("SQLite");
    page.press("Submit");
    cell.focus();
    page.refuse({ errors: { q1: "No." } });
    expect(page.focus).toBe(cell);
  });

  it("an ended ask shows the kernel's receipt and nothing to press", () => {
    const page = one();
    page.model.set("phase", golden("phase-ended"));
    expect(page.one(".nbask-receipt").textContent).toContain("Postgres");
    expect(page.all("button, input")).toEqual([]);
    const late = open(asking(question({})), null, golden("phase-ended"));
    expect(late.one(".nbask-receipt").textContent).toContain("Postgres");
  });

  it("after the end the focus moves to the static receipt, if it was in the card", async () => {
    const area = document.body.appendChild(document.createElement("div"));
    area.className = "jp-OutputArea";
    const page = one();
    area.append(page.el);
    page.input("SQLite").focus();
    page.model.set("phase", golden("phase-ended"));
    page.end();
    page.el.remove();
    const receipt = document.createElement("div");
    receipt.className = "nbask-receipt nbask-a1b2c3d4e5f6";
    area.append(receipt);
    await vi.waitFor(() => expect(document.activeElement).toBe(receipt));
    expect(receipt.tabIndex).toBe(-1);
  });

  it.each([
    ["it was not in the card", false],
    ["it has moved elsewhere meanwhile", true],
  ])("after the end the focus stays where it is if %s", async (_name, inCard) => {
    const page = one();
    const cell = document.body.appendChild(document.createElement("textarea"));
    if (inCard) page.input("SQLite").focus();
    else cell.focus();
    page.model.set("phase", golden("phase-ended"));
    cell.focus();
    page.end();
    const receipt = document.body.appendChild(document.createElement("div"));
    receipt.className = "nbask-receipt nbask-a1b2c3d4e5f6";
    await Promise.resolve();
    expect(document.activeElement).toBe(cell);
  });

  it("another wire version is said in one sentence", () => {
    const page = open({ ...asking(question({})), v: 2 });
    expect(page.text).toBe("This page and the kernel have different versions of nbask. Reload the page.");
  });

  it("an ask that cannot be read is said and does not throw", () => {
    expect(open({ v: 1 }).text).toContain("could not be read");
    expect(open(null).text).toContain("could not be read");
  });

  it("a kind this page cannot draw leaves only decline and cancel", () => {
    const page = one({ kind: "hologram" });
    expect(page.text).toContain("cannot draw a question of the kind “hologram”");
    expect([page.has("Submit"), page.has("Discuss first")]).toEqual([false, false]);
    page.press("Decline");
    expect(page.model.replies).toEqual([golden("reply-decline")]);
  });
});
