/** What tsc and the tests make of JSX; the built bundle calls `h` itself (see build.mjs). */

import { type Child, type Ending, h, type Key, type Props, type View } from "./h.ts";

export { Fragment } from "./h.ts";

export function jsx(tag: string | View, { children, ...props }: Props & { children?: Child }, key?: Key): Child {
  return h(tag, { ...props, key }, children);
}
export { jsx as jsxDEV, jsx as jsxs };

type On<E, T> = (event: E & { currentTarget: T }) => void;
type Value = string | number | boolean | null | undefined;

interface Attributes<T extends HTMLElement> {
  key?: Key;
  children?: Child;
  /** Takes the element once it is in the page; what it returns is called when the element goes. */
  use?: ((element: HTMLElement) => Ending) | undefined;
  onClick?: On<MouseEvent, T>;
  onInput?: On<Event, T>;
  onChange?: On<Event, T>;
  onKeyDown?: On<KeyboardEvent, T>;
  [attribute: string]: unknown;
}

/** An attribute that is not written in lower case would be set all the same, and mean nothing. */
type Named = { [attribute: `aria-${string}` | `data-${string}`]: Value };

export namespace JSX {
  export type Element = Child;
  export type ElementType = string | View;
  export interface ElementChildrenAttribute {
    children: unknown;
  }
  export interface IntrinsicAttributes {
    key?: Key;
  }
  export type IntrinsicElements = {
    [Tag in keyof HTMLElementTagNameMap]: Attributes<HTMLElementTagNameMap[Tag]> & Named;
  };
}
