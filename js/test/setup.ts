/** What jsdom lacks. */

import { afterEach, beforeEach, vi } from "vitest";
import { endAll } from "./helpers.ts";

beforeEach(() => {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
  Element.prototype.scrollIntoView = () => {};
  // As far as the tests hide things: a style on the way up, and no look at what style sheets say.
  Element.prototype.checkVisibility = function () {
    for (let at: Element | null = this; at; at = at.parentElement) {
      if (at instanceof HTMLElement && at.style.display === "none") return false;
    }
    return this.isConnected;
  };
});

afterEach(endAll);
