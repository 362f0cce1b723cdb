import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AskWire } from "../src/wire.ts";
import { answer, asking, EMPTY, goldenAsk, one, open, options, type Page, question } from "./helpers.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

const form = (given: Partial<AskWire> = {}) => open({ ...goldenAsk("form"), ...given });

/** The field of a label, as a person finds it. */
function field(page: Page, label: string): HTMLInputElement {
  const found = page.all("label").find((it) => it.textContent?.startsWith(label));
  return page.one<HTMLInputElement>(`[id="${found?.getAttribute("for")}"]`);
}

/** The words that describe a field to whoever does not see them. */
const described = (element: Element) =>
  (element.getAttribute("aria-describedby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent);

describe("a form", () => {
  it("is one page of labelled fields, without tabs and review, under the asker's name", () => {
    const page = form();
    expect(page.all("[role=tab], .nbask-review")).toEqual([]);
    expect(page.all(".nbask-form > .nbask-field")).toHaveLength(15);
    expect(page.text).toContain("weather-server");
    expect(page.text).toContain("weather-server will see only these 15 fields");
    const names = page.root.getAttribute("aria-labelledby")?.split(" ") ?? [];
    expect(names.map((id) => document.getElementById(id)?.textContent)).toEqual([
      "weather-server",
      "Which station should the forecast use?",
    ]);
  });

  it("says what the other party will see only where its button names one", () => {
    expect(form({ submit: null }).text).toContain("Esc cancel · ? keys");
    expect(form({ submit: null }).text).not.toContain("will see");
  });

  it("has the right control for each kind, and the optional ones say so", () => {
    const page = form();
    const kinds = ["Station name", "Days ahead", "Warn from", "First day", "Send it at", "Tags", "Access token"].map(
      (label) => [field(page, label).type, field(page, label).getAttribute("inputmode")],
    );
    expect(kinds).toEqual([
      ["text", null],
      ["text", "numeric"],
      ["text", "decimal"],
      ["date", null],
      ["datetime-local", null],
      ["textarea", null],
      ["password", null],
    ]);
    expect(field(page, "Access token").autocomplete).toBe("off");
    const optional = page.all(".nbask-q").filter((label) => label.textContent?.endsWith(" optional"));
    expect(optional).toHaveLength(10);
    expect(field(page, "Days ahead").getAttribute("aria-required")).toBe("true");
  });

  it("B1, B8: has help at the field, the default in it, and the bounds in words", () => {
    const page = form();
    expect(described(field(page, "Station name"))).toEqual(["As printed on the station’s plate"]);
    expect(described(field(page, "Warn from"))).toEqual(["Wind speed in metres per second · at least 0"]);
    expect(field(page, "Days ahead").value).toBe("3");
    expect(page.input("High").checked).toBe(true);
    expect(described(field(page, "Access token"))[0]).toContain("looks like a password");
  });

  it("B1: says at the field what is wrong when it is left, and takes the words away when it is mended", () => {
    const page = form();
    const days = field(page, "Days ahead");
    page.type(days, "42");
    field(page, "Warn from").focus();
    expect(page.error).toBe("At most 14.");
    expect(days.getAttribute("aria-invalid")).toBe("true");
    expect(described(days)).toEqual(["1 to 14", "At most 14."]);
    page.type(days, "4");
    expect([page.error, days.getAttribute("aria-invalid")]).toEqual(["", null]);
  });

  it("does not move a button away from under a press by what it says at a field that is left for it", () => {
    const page = form();
    page.type(field(page, "Days ahead"), "42abc");
    page.button("Decline").focus();
    expect(page.error).toBe("");
    page.press("Decline");
    expect(page.model.replies.at(-1)).toMatchObject({ action: "decline", answers: {} });
  });

  it("at Submit names each fault once, in one alert, and goes to the first field", () => {
    const page = form();
    page.type(field(page, "Days ahead"), "4.5");
    page.press("Send to weather-server");
    expect(page.model.replies).toEqual([]);
    expect(page.error).toBe(
      "Type an answer. Type a whole number, like 3. Choose an option. 3 fields need another look.",
    );
    expect(page.all("[role=alert]:not([hidden])")).toHaveLength(1);
    expect(page.focus).toBe(field(page, "Station name"));
  });

  it("B2, B3, B25: sends what was typed and picked, and null for what was left blank", () => {
    const page = form();
    page.type(field(page, "Station name"), "Cap Ferret");
    page.type(field(page, "Days ahead"), " 7 ");
    page.choose("No");
    page.type(field(page, "Tags"), "coast\n\nwind");
    page.type(field(page, "Access token"), "hunter2");
    vi.advanceTimersByTime(250);
    expect(JSON.stringify(page.model.get("draft"))).not.toContain("hunter2");
    page.press("Send to weather-server");
    expect(JSON.stringify(page.model.get("draft"))).not.toContain("hunter2");
    expect(page.model.replies.at(-1)?.answers).toEqual({
      station: { ...EMPTY, value: "Cap Ferret" },
      days: { ...EMPTY, value: "7" },
      threshold: EMPTY,
      wind: { ...EMPTY, selected: ["o2"] },
      level: { ...EMPTY, selected: ["o2"] },
      fields: { ...EMPTY, selected: ["o1"] },
      station_type: EMPTY,
      mail: EMPTY,
      page: EMPTY,
      code: EMPTY,
      start: { ...EMPTY, value: "2026-12-01" },
      at: EMPTY,
      tags: { ...EMPTY, value: ["coast", "wind"] },
      token: { ...EMPTY, value: "hunter2" },
      remarks: EMPTY,
    });
  });

  it("Enter in a line submits, Ctrl+Enter in an area does, and a digit picks nothing", () => {
    const page = form();
    page.type(field(page, "Station name"), "Cap Ferret");
    page.input("Yes").focus();
    page.key("2");
    expect([page.input("Yes").checked, page.input("No").checked]).toEqual([false, false]);
    page.choose("Yes");
    page.type(field(page, "Tags"), "a");
    expect(page.key("Enter").defaultPrevented).toBe(false);
    field(page, "Days ahead").focus();
    page.key("Enter");
    expect(page.model.replies).toHaveLength(1);
    page.refuse({ errors: { days: "The kernel says no." } });
    expect(page.error).toBe("The kernel says no.");
    expect(page.focus).toBe(field(page, "Days ahead"));
    field(page, "Tags").focus();
    page.key("Enter", { ctrlKey: true });
    expect(page.model.replies).toHaveLength(2);
  });

  it("lays a short yes or no out in one row, and a choice with a description, Other or long words below one another", () => {
    const page = form();
    expect(page.row("Yes").parentElement?.className).toContain("nbask-row");
    expect(page.row("Airport").parentElement?.className).not.toContain("nbask-row");
    expect(one({ options: options("Yes", "No"), other: false }).all(".nbask-row")).toEqual([]);
  });

  it("half a date does not pass for none", () => {
    const page = form();
    const when = field(page, "Send it at");
    when.focus();
    Object.defineProperty(when, "validity", { value: { badInput: true } });
    field(page, "Tags").focus();
    expect(page.error).toBe("Choose a date and a time.");
    expect(when.value).toBe("");
  });

  it("a general error of the kernel's is an alert at the foot", () => {
    const page = one();
    page.choose("SQLite");
    page.press("Submit");
    page.refuse({ errors: { "": "The two dates are the wrong way round." } });
    expect(page.one(".nbask-notice").textContent).toBe("The two dates are the wrong way round.");
    expect(page.one(".nbask-notice").getAttribute("role")).toBe("alert");
    page.press("Submit");
    expect(page.model.replies).toHaveLength(2);
  });
});

describe("the filter", () => {
  const many = (given = {}) =>
    one({
      options: options(...Array.from({ length: 12 }, (_, at) => `Option ${at + 1}`)).map((option) =>
        option.id === "o5" ? { ...option, description: "The GOLDEN one" } : option,
      ),
      ...given,
    });
  const box = (page: Page) => page.one<HTMLInputElement>(".nbask-filter .nbask-in");
  const rows = (page: Page) => page.all("[data-option] .nbask-label").map((row) => row.textContent);

  it("is there from twelve options on", () => {
    expect(many().all(".nbask-filter")).toHaveLength(1);
    expect(one().all(".nbask-filter")).toEqual([]);
  });

  it("matches label and description in any case, counts, and keeps numbers, Other and what is picked", () => {
    const page = many();
    page.choose("Option 2");
    page.type(box(page), "golden");
    expect(rows(page)).toEqual(["Option 2", "Option 5"]);
    expect(page.one("kbd", page.row("Option 5")).textContent).toBe("5");
    expect(page.one(".nbask-filter [role=status]").textContent).toBe("2 of 12 shown");
    expect(page.all(".nbask-other")).toHaveLength(1);
    page.type(box(page), "nothing like it");
    expect(rows(page)).toEqual(["Option 2"]);
  });

  it("Esc clears it first and then leaves it, and Enter goes on to what was found without submitting", () => {
    const page = many();
    page.type(box(page), "option 12");
    page.key("Escape");
    expect([box(page).value, rows(page).length, page.focus === box(page)]).toEqual(["", 12, true]);
    page.type(box(page), "option 12");
    page.key("Enter");
    expect(page.focus).toBe(page.input("Option 12"));
    expect([page.model.replies, page.error]).toEqual([[], ""]);
    box(page).focus();
    page.key("Escape");
    page.key("Escape");
    expect(page.focus).toBe(page.root);
  });
});

describe("a confirm that cannot be undone", () => {
  it("has the safe button first, the other marked as dangerous, and no key that answers", () => {
    const page = open(goldenAsk("danger"));
    const buttons = page.all(".nbask-foot .nbask-btn").map((button) => [button.textContent, button.className]);
    expect(buttons.slice(0, 2)).toEqual([
      ["Keep them", "nbask-btn nbask-safe"],
      ["Delete them", "nbask-btn nbask-danger"],
    ]);
    expect(page.all(".nbask-primary")).toEqual([]);
    page.root.focus();
    page.key("1");
    page.key("2");
    page.key("Enter");
    expect(page.model.replies).toEqual([]);
    page.press("Delete them");
    expect(answer(page)).toEqual({ ...EMPTY, selected: ["o1"] });
  });
});

describe("a plan", () => {
  it("is a region that scrolls and can be reached by keys, and Other is called what the asker calls it", () => {
    vi.spyOn(Element.prototype, "scrollHeight", "get").mockReturnValue(900);
    const page = open(goldenAsk("plan"));
    const plan = page.one("section.nbask-message");
    expect([plan.tabIndex, plan.getAttribute("aria-label")]).toEqual([0, "From Claude"]);
    expect(page.one(".nbask-other .nbask-label").textContent).toBe("Change it");
    page.type(page.other, "Split by month");
    page.press("Submit");
    expect(answer(page)).toEqual({ ...EMPTY, other: "Split by month" });
  });

  it("says Change it, and not Other, when its text is missing", () => {
    const page = one({ many: true, other_label: "Change it" });
    page.choose("Change it");
    page.press("Submit");
    expect(page.error).toBe("Type your own answer, or untick Change it.");
  });
});

describe("a consent", () => {
  const url = (address: string | null, warnings: string[] = []) =>
    open({
      ...asking(question({ kind: "consent", options: [], other: false, notes: false, url: address, warnings })),
      asker: { label: "bank-server", detail: "MCP" },
    });

  it("B13: without an address is accepted by its button alone", () => {
    const page = url(null);
    page.root.focus();
    page.key("Enter");
    expect(page.model.replies).toEqual([]);
    page.press("Accept");
    expect(answer(page)).toEqual({ ...EMPTY, value: true });
  });

  it("B21, B22: shows who asks, the whole address as text, its host, and every warning", () => {
    const page = open(goldenAsk("url"));
    const [asked] = goldenAsk("url").questions;
    expect(page.text).toContain("bank-server");
    expect(page.one(".nbask-url").textContent).toBe(asked?.url);
    expect(page.one(".nbask-url b").textContent).toBe("xn--pple-43d.example");
    for (const warning of asked?.warnings ?? []) expect(page.one(".nbask-warn").textContent).toContain(warning);
    expect(page.all("a, [href], [src]")).toEqual([]);
  });

  it("B21: shows the host beside the address where the browser reads another than is written", () => {
    expect(url("https://good.example@evil.example/").one(".nbask-url b").textContent).toBe("evil.example");
    const hidden = url("https://аpple.example/");
    expect(hidden.one(".nbask-url").textContent).toContain("https://аpple.example/");
    expect(hidden.one(".nbask-host").textContent).toBe("on xn--pple-43d.example");
    expect(url("https://a.example/?to=a.example").one(".nbask-host").textContent).toBe("on a.example");
  });

  it("opens it only in the press, once, after the reply, without a way back", () => {
    const opened = vi.spyOn(window, "open").mockReturnValue(null);
    const page = url("https://example.org/link?a=1");
    expect(opened).not.toHaveBeenCalled();
    page.press("Open");
    page.press("Open");
    expect(opened.mock.calls).toEqual([["https://example.org/link?a=1", "_blank", "noopener,noreferrer"]]);
    vi.advanceTimersByTime(11_000);
    page.press("Open");
    expect(page.model.replies).toHaveLength(2);
    expect(opened).toHaveBeenCalledTimes(1);
  });

  it("opens nothing for a decline", () => {
    const opened = vi.spyOn(window, "open").mockReturnValue(null);
    const page = url("https://example.org/");
    page.press("Decline");
    expect([page.model.replies.at(-1)?.action, opened.mock.calls]).toEqual(["decline", []]);
  });

  it.each([
    ...["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "vbscript:x", "no address", "//x.example"],
    ...[
      "https://good.example\\@evil.example/",
      "https://example.org/a b",
      "https://exa\tmple.org/",
      "https://a.example/\u202e",
    ],
  ])("B21: %s can only be declined", (address) => {
    const page = url(address);
    expect(page.all(".nbask-foot .nbask-btn").map((button) => button.textContent)).toEqual(["Decline"]);
    page.root.focus();
    page.key("Enter");
    expect(page.model.replies).toEqual([]);
    expect(page.one(".nbask-url").textContent).toBe(address);
  });
});

describe("the keys that ? lists", () => {
  const keys = (page: Page) => {
    page.root.focus();
    page.key("?");
    return page.all(".nbask-help kbd").map((key) => key.textContent);
  };

  it("are those of this card", () => {
    expect(keys(open(goldenAsk("choice")))).toEqual(["1–4", "↑ ↓", "Enter", "Esc", "?"]);
    expect(keys(open(goldenAsk("danger")))).toEqual(["Esc", "?"]);
    expect(keys(open(goldenAsk("url")))).toEqual(["Esc", "?"]);
    expect(keys(form())).toEqual(["↑ ↓", "Space", "Enter", "Ctrl+Enter", "Esc", "?"]);
    expect(keys(open(goldenAsk("several")))).toContain("← →");
  });
});
