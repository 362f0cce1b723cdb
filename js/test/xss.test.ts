import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AskWire } from "../src/wire.ts";
import { asking, golden, open, type Page, question } from "./helpers.ts";

const VECTORS = golden("xss") as string[];
/** Every element the view itself makes, but for the previews, which the kernel's renderer has sanitised. */
const OURS = new Set(
  "div section span b p i input textarea label fieldset legend button kbd ul li dl dt dd".split(" ").map((it) => it),
);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

const option = (evil: string, id: string) => ({ id, label: evil, description: evil, recommended: true, preview: null });

/** Text wherever a question can have it. */
const everywhere = (evil: string, kind: string, id = "q1") =>
  question({
    id,
    kind,
    text: evil,
    header: evil,
    description: evil,
    placeholder: evil,
    other_label: evil,
    warnings: [evil, evil],
    url: kind === "consent" ? evil : null,
    pattern: kind === "text" ? evil : null,
    default: { selected: ["o1"], other: evil, value: evil, notes: evil },
    options: kind === "choice" || kind === "confirm" ? [option(evil, "o1"), option(evil, "o2")] : [],
    required: false,
  });

const ask = (evil: string, kinds: string[], given: Partial<AskWire> = {}): AskWire => ({
  ...asking(...kinds.map((kind, at) => everywhere(evil, kind, `q${at + 1}`))),
  asker: { label: evil, detail: evil },
  submit: evil,
  ...given,
});

function inspect(page: Page): void {
  for (const element of page.all("*")) {
    expect(OURS).toContain(element.localName);
    for (const { name } of element.attributes) {
      expect(name).not.toMatch(/^(on|href|src|srcdoc|action|formaction|style|xlink)/);
    }
  }
}

const FORM = ["text", "number", "integer", "date", "datetime", "list", "choice"];

describe.each(VECTORS)("%j", (evil) => {
  it("is text wherever a card has text, and makes no request", () => {
    const request = vi.fn();
    vi.stubGlobal("fetch", request);
    vi.stubGlobal("Image", request);
    vi.stubGlobal("XMLHttpRequest", request);
    const opened = vi.spyOn(window, "open").mockReturnValue(null);
    const pages = [
      open(ask(evil, FORM, { layout: "form" })),
      open(ask(evil, ["choice", "text", "list"])),
      open(ask(evil, ["consent"])),
      open(ask(evil, ["confirm"])),
      open(ask(evil, [evil])),
    ];
    for (const page of pages) {
      inspect(page);
      expect(page.text).toContain(evil);
    }
    const [form, tabs] = pages as [Page, Page];
    form.refuse({ message: evil, errors: Object.fromEntries(FORM.map((_kind, at) => [`q${at + 1}`, evil])) });
    form.refuse({ message: evil, errors: { "": evil } });
    tabs.root.focus();
    tabs.key("?");
    for (const tab of tabs.all("[role=tab]")) {
      tab.click();
      inspect(tabs);
    }
    tabs.press("Discuss first");
    for (const page of pages) inspect(page);
    tabs.refuse({ code: "late", message: evil });
    inspect(tabs);
    expect([request.mock.calls, opened.mock.calls]).toEqual([[], []]);
  });
});

it("has at least sixty different vectors", () => {
  expect(new Set(VECTORS).size).toBeGreaterThanOrEqual(60);
});
