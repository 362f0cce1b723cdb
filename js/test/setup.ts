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
});

afterEach(endAll);
