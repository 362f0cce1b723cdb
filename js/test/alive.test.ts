import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { attend } from "../src/attention.ts";
import { answer, asking, FakeModel, golden, goldenAsk, one, open, Page, question } from "./helpers.ts";

let title: HTMLTitleElement;

beforeEach(() => {
  vi.useFakeTimers();
  document.head.replaceChildren();
  title = document.head.appendChild(document.createElement("title"));
  title.text = "a.ipynb - JupyterLab";
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

const GONE = "The kernel is gone; this cannot be answered any more.";

describe("a kernel that is gone", () => {
  const lost = (page: Page) => {
    vi.advanceTimersByTime(1000);
    expect(page.error).toBe(GONE);
    page.press("Submit");
    page.choose("SQLite");
    expect([page.model.replies, page.input("SQLite").checked]).toEqual([[], false]);
  };

  it("is said when Jupyter cuts the model off, and the card locks with its text still there to copy", () => {
    const page = one();
    page.type(page.other, "DuckDB");
    page.model.emit("comm_live_update");
    lost(page);
    expect([page.other.value, page.other.readOnly, page.other.disabled]).toEqual(["DuckDB", true, false]);
    expect(page.all(".nbask-wait")).toEqual([]);
  });

  it.each(["restarting", "autorestarting", "starting", "terminating", "dead"])(
    "is noticed by its status, %s",
    (status) => {
      const kernel = { id: "k1", status: "idle", isDisposed: false };
      const model = Object.assign(new FakeModel(asking(question({}))), { widget_manager: { kernel } });
      const page = new Page(model);
      vi.advanceTimersByTime(1000);
      expect(page.error).toBe("");
      kernel.status = status;
      lost(page);
    },
  );

  it.each(["restarting", "starting", "dead"])(
    "is noticed also where it passes through %s between two looks",
    (status) => {
      const heard = new Set<(kernel: unknown, status: string) => void>();
      const statusChanged = { connect: heard.add.bind(heard), disconnect: heard.delete.bind(heard) };
      const kernel = { id: "k1", status: "idle", statusChanged };
      const model = Object.assign(new FakeModel(asking(question({}))), { widget_manager: { kernel } });
      const page = new Page(model);
      for (const hear of heard) hear(kernel, "busy");
      vi.advanceTimersByTime(1000);
      expect(page.error).toBe("");
      for (const hear of heard) hear(kernel, status);
      lost(page);
      page.end();
      expect(heard.size).toBe(0);
    },
  );

  it("is noticed when there is another kernel, or none, where it was", () => {
    for (const next of [{ id: "k2", status: "idle" }, null]) {
      const manager: { kernel: unknown } = { kernel: { id: "k1", status: "busy" } };
      const model = Object.assign(new FakeModel(asking(question({}))), { widget_manager: manager });
      const page = new Page(model);
      vi.advanceTimersByTime(1000);
      manager.kernel = next;
      lost(page);
    }
  });

  it("is noticed when sending throws", () => {
    const page = one();
    page.choose("Postgres");
    page.model.send = () => {
      throw new Error("Cannot send");
    };
    page.press("Submit");
    expect(page.error).toBe(GONE);
    expect(page.one(".nbask-status").textContent).toBe("");
  });

  it("is not guessed at where the host has no manager, or one that throws", () => {
    const model = new FakeModel(asking(question({})));
    Object.defineProperty(model, "widget_manager", {
      get() {
        throw new Error("not here");
      },
    });
    const page = new Page(model);
    vi.advanceTimersByTime(5000);
    expect(page.error).toBe("");
  });
});

describe("a kernel that says nothing", () => {
  it("is said after ten seconds, and the answer may be sent again", () => {
    const page = one();
    page.choose("SQLite");
    page.press("Submit");
    vi.advanceTimersByTime(9_000);
    expect(page.one(".nbask-status").textContent).toBe("Sending…");
    vi.advanceTimersByTime(2_000);
    expect(page.one(".nbask-status").textContent).toContain("The kernel has not answered yet. It may be busy");
    page.press("Submit");
    expect(page.model.replies).toHaveLength(2);
    expect(page.one(".nbask-status").textContent).toBe("Sending…");
  });

  it("B17: until then a second click is ignored, Esc cancels and Decline declines", () => {
    const page = one();
    page.choose("SQLite");
    page.press("Submit");
    page.press("Submit");
    page.press("Decline");
    expect(page.model.replies.map((reply) => reply.action)).toEqual(["submit"]);
    const cancelled = one();
    cancelled.root.focus();
    cancelled.key("Escape");
    const declined = one();
    declined.press("Decline");
    expect([cancelled.model.replies[0]?.action, declined.model.replies[0]?.action]).toEqual(["cancel", "decline"]);
  });

  it("the first submit wins: another view shows the end, and a late one is told so in words", () => {
    const page = one();
    const other = new Page(page.model);
    page.choose("SQLite");
    page.press("Submit");
    page.model.set("phase", golden("phase-ended"));
    expect(other.one(".nbask-receipt").textContent).toContain("Postgres");
    const late = one();
    late.choose("SQLite");
    late.press("Submit");
    late.refuse({ code: "late", message: "" });
    expect(late.error).toBe("This was already answered.");
  });
});

describe("the deadline", () => {
  const at = (seconds: number) => Date.now() + seconds * 1000;
  const wait = (page: Page) => page.one(".nbask-wait").textContent;
  const timed = (seconds: number, given = {}) => open({ ...asking(question({})), deadline: at(seconds), ...given });

  it("A14, C22: stands still while somebody types, says so, and goes on from there", () => {
    const page = timed(300);
    page.model.set("phase", { state: "open", deadline: at(330), paused_until: at(30) });
    expect(wait(page)).toBe("5:00 left · paused");
    vi.advanceTimersByTime(20_000);
    expect(wait(page)).toBe("5:00 left · paused");
    vi.advanceTimersByTime(15_000);
    expect(wait(page)).toBe("4:55 left");
  });

  it("says nothing of a pause where typing pauses nothing", () => {
    const page = timed(300, { pausable: false });
    page.model.set("phase", { state: "open", deadline: at(300), paused_until: null });
    expect(wait(page)).toBe("5:00 left");
  });

  it("is announced at one minute and at ten seconds, and then that it is over; the draft stays", () => {
    const page = timed(62);
    const said = new Set<string>();
    page.type(page.notes, "n");
    for (let second = 0; second < 64; second += 1) {
      vi.advanceTimersByTime(1000);
      said.add(page.one(".nbask-wait [role=status]").textContent ?? "");
    }
    expect([...said]).toEqual(["", "One minute left", "Ten seconds left"]);
    expect(wait(page)).toBe("time is up");
    expect(page.notes.value).toBe("n");
  });
});

describe("the mark on the browser's tab", () => {
  it("is there while a card is open, and taken away exactly when the last one ends or goes", () => {
    const first = one();
    const second = one();
    expect(title.text).toBe("● a.ipynb - JupyterLab");
    first.model.set("phase", golden("phase-ended"));
    expect(title.text).toBe("● a.ipynb - JupyterLab");
    first.end();
    second.end();
    expect(title.text).toBe("a.ipynb - JupyterLab");
  });

  it("comes back when the host writes the title, and leaves the host's own words", async () => {
    const page = one();
    title.text = "b.ipynb";
    await Promise.resolve();
    expect(title.text).toBe("● b.ipynb");
    title.replaceWith(Object.assign(document.createElement("title"), { text: "c.ipynb" }));
    await Promise.resolve();
    expect(document.title).toBe("● c.ipynb");
    page.end();
    expect(document.title).toBe("c.ipynb");
  });

  it("counts the cards of every bundle in the page", async () => {
    vi.resetModules();
    const another = await import("../src/attention.ts");
    expect(another.attend).not.toBe(attend);
    const ends = [attend(), another.attend()];
    ends[0]?.();
    ends[0]?.();
    expect(title.text).toBe("● a.ipynb - JupyterLab");
    ends[1]?.();
    expect(title.text).toBe("a.ipynb - JupyterLab");
  });

  it("goes when the card can no longer be answered", () => {
    const page = one();
    page.refuse({ code: "late", message: "Too late." });
    expect(title.text).toBe("a.ipynb - JupyterLab");
  });
});

describe("a desktop notification", () => {
  const shown: { title: string; body: unknown; onclick?: () => void; closed: boolean }[] = [];
  const browser = (permission: NotificationPermission, hidden: boolean) => {
    shown.length = 0;
    class Fake {
      static permission = permission;
      static requestPermission = vi.fn(async () => {
        Fake.permission = "granted";
        return "granted" as const;
      });
      closed = false;
      constructor(
        readonly title: string,
        readonly options: { body: unknown },
      ) {
        shown.push(Object.assign(this, { body: options.body }));
      }
      close() {
        this.closed = true;
      }
    }
    vi.stubGlobal("Notification", Fake);
    vi.spyOn(document, "hidden", "get").mockReturnValue(hidden);
    return Fake;
  };
  const ask = (notify = true) => ({ ...goldenAsk("choice"), notify });

  it("names who asks and what, comes to the window when it is clicked, and goes with the card", () => {
    browser("granted", true);
    const focus = vi.spyOn(window, "focus").mockImplementation(() => {});
    const page = open(ask());
    expect(shown.map(({ title: who, body }) => [who, body])).toEqual([
      ["Claude", "Which database should the cache use?"],
    ]);
    shown[0]?.onclick?.();
    expect(focus).toHaveBeenCalled();
    page.end();
    expect(shown[0]?.closed).toBe(true);
  });

  it.each<[string, boolean, NotificationPermission, boolean]>([
    ["the person did not turn it on", false, "granted", true],
    ["the browser was not asked", true, "default", true],
    ["the browser was refused", true, "denied", true],
    ["the page is looked at", true, "granted", false],
  ])("is not shown when %s", (_name, wanted, permission, hidden) => {
    browser(permission, hidden);
    open(ask(wanted));
    expect(shown).toEqual([]);
  });

  it("can be allowed by a press, which is gone then", async () => {
    const { requestPermission } = browser("default", false);
    expect(open(ask(false)).has("Notify me")).toBe(false);
    const page = open(ask());
    page.press("Notify me");
    expect(requestPermission).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(0);
    expect(page.has("Notify me")).toBe(false);
  });
});

describe("a page that is put aside", () => {
  const types = (page: Page) => page.model.sent.map((message) => message.type);

  it("is told of, with its draft, and told of again when it comes back", () => {
    const page = one();
    page.type(page.notes, "n");
    window.dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
    expect(types(page)).toEqual(["attached", "detached"]);
    expect(page.model.get("draft")).toMatchObject({ answers: { q1: { notes: "n" } } });
    window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    expect(types(page)).toEqual(["attached", "detached", "attached"]);
    page.end();
    window.dispatchEvent(new PageTransitionEvent("pagehide", { persisted: false }));
    expect(types(page)).toEqual(["attached", "detached", "attached", "detached"]);
  });
});

describe("previews of many", () => {
  it("A25, C21, C20, C30: are there in a multi-select beside Other, in frames that can do nothing", () => {
    const [asked] = goldenAsk("choice-previews").questions;
    if (!asked) throw new Error("no question");
    const page = one({ ...asked, many: true, min: 1 });
    page.choose("Wide table");
    page.choose("Parquet");
    expect(page.all(".nbask-other")).toHaveLength(1);
    page.input("Parquet").focus();
    expect(page.one("iframe").getAttribute("sandbox")).toBe("");
    page.press("Submit");
    expect(answer(page, asked.id)).toMatchObject({ selected: ["o1", "o3"] });
  });
});

describe("a reload", () => {
  it("A19, C14: shows an open card again with its draft, in another place and after other output", () => {
    const before = one();
    before.type(before.other, "DuckDB");
    before.end();
    document.body.append(...Array.from({ length: 50 }, () => document.createElement("pre")));
    const page = open(before.model.get("ask"), before.model.get("draft"));
    expect(page.other.value).toBe("DuckDB");
    page.choose("SQLite");
    page.press("Submit");
    expect(answer(page)).toMatchObject({ selected: ["o2"], other: null });
  });
});
