/** What a key press inside a card means; pure, so that the rules are a table of tests. */

export interface Press {
  key: string;
  repeat: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  isComposing: boolean;
}

/** Where the focus is: a line of text, a text of several lines, something that Enter presses, or elsewhere in the card. */
export type Place = "line" | "lines" | "button" | "card";

export type KeyAct =
  | { type: "enter" }
  | { type: "escape" }
  | { type: "help" }
  | { type: "digit"; number: number }
  /** Leave the text field; what was typed stays. */
  | { type: "out" };

export function keyAct(press: Press, place: Place): KeyAct | null {
  // A key held since before the card appeared arrives as a repeat; one inside an input method is not ours.
  if (press.repeat || press.isComposing) return null;
  const inText = place === "line" || place === "lines";
  const command = press.ctrlKey || press.metaKey;
  if (press.key === "Escape") return { type: inText ? "out" : "escape" };
  if (press.key === "Enter") {
    const ours = place !== "button" && !press.altKey && !press.shiftKey && (command || place !== "lines");
    return ours ? { type: "enter" } : null;
  }
  if (inText || command || press.altKey) return null;
  if (press.key === "?") return { type: "help" };
  return /^[1-9]$/.test(press.key) ? { type: "digit", number: Number(press.key) } : null;
}

/** The kind of place an element is, for `keyAct`. */
export function placeOf(target: EventTarget | null): Place {
  if (target instanceof HTMLTextAreaElement) return "lines";
  if (target instanceof HTMLInputElement) {
    return target.type === "radio" || target.type === "checkbox" ? "card" : "line";
  }
  return target instanceof Element && target.closest("button,a,summary") ? "button" : "card";
}
