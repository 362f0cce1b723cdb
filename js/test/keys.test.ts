import { describe, expect, it } from "vitest";
import { type KeyAct, keyAct, type Place, type Press, placeOf } from "../src/keys.ts";

const press = (key: string, given: Partial<Press> = {}): Press => ({
  key,
  repeat: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  ...given,
});
const ENTER: KeyAct = { type: "enter" };

describe("what a key press in a card means", () => {
  it.each<[string, Partial<Press>, Place, KeyAct | null]>([
    ["3", {}, "card", { type: "digit", number: 3 }],
    ["0", {}, "card", null],
    ["3", {}, "line", null],
    ["3", {}, "lines", null],
    ["3", {}, "button", { type: "digit", number: 3 }],
    ["3", { ctrlKey: true }, "card", null],
    ["3", { altKey: true }, "card", null],
    ["3", { repeat: true }, "card", null],
    ["Enter", {}, "card", ENTER],
    ["Enter", {}, "line", ENTER],
    ["Enter", {}, "lines", null],
    ["Enter", { ctrlKey: true }, "lines", ENTER],
    ["Enter", { metaKey: true }, "lines", ENTER],
    ["Enter", {}, "button", null],
    ["Enter", { shiftKey: true }, "line", null],
    ["Enter", { altKey: true }, "card", null],
    ["Enter", { repeat: true }, "card", null],
    ["Enter", { isComposing: true }, "line", null],
    ["Escape", {}, "card", { type: "escape" }],
    ["Escape", {}, "button", { type: "escape" }],
    ["Escape", {}, "line", { type: "out" }],
    ["Escape", {}, "lines", { type: "out" }],
    ["Escape", { isComposing: true }, "line", null],
    ["?", { shiftKey: true }, "card", { type: "help" }],
    ["?", { shiftKey: true }, "line", null],
    ["x", {}, "card", null],
  ])("%s with %j on a %s", (key, given, place, act) => {
    expect(keyAct(press(key, given), place)).toEqual(act);
  });

  it("knows where text is typed and what Enter presses", () => {
    const of = (html: string): Place => {
      const holder = document.createElement("div");
      holder.innerHTML = html;
      return placeOf(holder.firstElementChild);
    };
    expect(of("<textarea>")).toBe("lines");
    expect(of('<input type="text">')).toBe("line");
    expect(of('<input type="radio">')).toBe("card");
    expect(of('<input type="checkbox">')).toBe("card");
    expect(of("<button>")).toBe("button");
    expect(of("<a>")).toBe("button");
    expect(of("<section>")).toBe("card");
  });
});
