import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeModel, goldenAsk, Page } from "./helpers.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

/** How many of the listeners put on a target since are still there. */
function listenersOf(target: EventTarget): () => number {
  let live = 0;
  vi.spyOn(target, "addEventListener").mockImplementation((_type, _listener, options) => {
    live += 1;
    if (typeof options === "object") options.signal?.addEventListener("abort", () => (live -= 1));
  });
  vi.spyOn(target, "removeEventListener").mockImplementation(() => {
    live -= 1;
  });
  return () => live;
}

/** How many observers of one sort watch something. */
function observersOf(name: "ResizeObserver" | "MutationObserver"): () => number {
  let live = 0;
  vi.stubGlobal(
    name,
    class {
      observe() {
        live += 1;
      }
      disconnect() {
        live -= 1;
      }
    },
  );
  return () => live;
}

describe("a hundred views that came and went", () => {
  it.each(["choice", "choice-previews", "many", "confirm", "text", "several", "form", "url", "plan", "danger"])(
    "of ask-%s leave no listener, no timer and no observer",
    (name) => {
      // jsdom's selector engine listens to the document from its first use on.
      document.querySelector("body");
      const counts = [
        ...[document, window, document.body].map(listenersOf),
        observersOf("ResizeObserver"),
        observersOf("MutationObserver"),
      ];
      const model = new FakeModel(goldenAsk(name));
      const title = document.head.appendChild(document.createElement("title"));
      title.text = "a.ipynb";
      for (let count = 0; count < 100; count += 1) {
        const page = new Page(model);
        const [field] = page.all<HTMLInputElement>("input[type=text], textarea");
        if (field) page.type(field, String(count));
        page.end();
        expect(page.el.childElementCount).toBe(0);
      }
      expect(model.listeners).toBe(0);
      // jsdom tells of a changed selection with timers of its own, of no length.
      vi.advanceTimersByTime(0);
      expect(vi.getTimerCount()).toBe(0);
      expect(counts.map((count) => count())).toEqual([0, 0, 0, 0, 0]);
      expect(title.text).toBe("a.ipynb");
      title.remove();
    },
  );
});
