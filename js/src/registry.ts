/** Where a page keeps the card's code, so that only a session's first card carries it. */

import type { Factory } from "./model.ts";

/** Replaced by the content hash when the bundle is built; no name, so that no minifier makes `x.name` of it. */
export const BUILD = "nbask:build";

const KEY = Symbol.for("nbask.card");

/** The page's factories by build; on `globalThis` because each widget has a module scope of its own. */
export function factories(): Record<string, Factory> {
  const page: typeof globalThis & { [KEY]?: Record<string, Factory> } = globalThis;
  page[KEY] ??= {};
  return page[KEY];
}
