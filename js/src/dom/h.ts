/**
 * The view library: elements as plain objects, and one pass that makes the page equal to them.
 *
 * It is here because a card's code may be 40 KB and a library with components, hooks and hydration is a
 * quarter of that. A view is a pure function of the card's state, called where it is written; what needs
 * the element itself takes it with `use`.
 */

export type Child = VNode | string | number | boolean | null | undefined | Child[];
export type Key = string | number | undefined;
export type Props = Record<string, unknown>;

export interface VNode {
  /** Empty for a text. */
  tag: string;
  key: Key;
  props: Props;
  kids: VNode[];
  text: string;
  dom?: HTMLElement | Text;
  /** What `use` returned: called when the element goes. */
  end?: Ending;
}

export type Ending = (() => void) | undefined;
export type View = (props: never) => Child;

const isNode = (child: Child): child is VNode => typeof child === "object" && child !== null && !Array.isArray(child);

function nodes(children: Child[], into: VNode[] = []): VNode[] {
  for (const child of children) {
    if (Array.isArray(child)) nodes(child, into);
    else if (isNode(child)) into.push(child);
    else if (typeof child === "number" || (typeof child === "string" && child !== "")) {
      into.push({ tag: "", key: undefined, props: {}, kids: [], text: String(child) });
    }
  }
  return into;
}

export function h(tag: string | View, given: Props | null, ...children: Child[]): Child {
  const { key, ...props } = given ?? {};
  const named = key as Key;
  if (typeof tag === "string") return { tag, key: named, props, kids: nodes(children), text: "" };
  const made = tag({ ...props, children } as never);
  if (isNode(made)) made.key ??= named;
  return made;
}

export const Fragment = ({ children }: { children?: Child }): Child => children;

function setProps(element: HTMLElement, was: Props, now: Props): void {
  for (const name of Object.keys({ ...was, ...now })) {
    const value = now[name];
    if (name === "use" || LAST.includes(name) || value === was[name]) continue;
    if (typeof (value ?? was[name]) === "function") Reflect.set(element, name.toLowerCase(), value ?? null);
    else if (value === undefined || value === null || (value === false && !name.startsWith("aria-"))) {
      element.removeAttribute(name);
    } else element.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : String(value));
  }
}

/** What the person changes too: compared with the element itself, and set when its type is known. */
const LAST = ["value", "checked"];

function ended({ kids, end }: VNode): void {
  kids.forEach(ended);
  end?.();
}

/** Makes `parent` hold `now` where it held `old`; elements are kept by tag and key, in order. */
function patch(parent: Node, old: VNode[], now: VNode[], mounted: (() => void)[]): void {
  const left = [...old];
  const kept = now.map((node) => {
    const at = left.findIndex((was) => was.tag === node.tag && was.key === node.key);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  });
  for (const gone of left) {
    ended(gone);
    gone.dom?.remove();
  }
  let place = parent.firstChild;
  for (const [index, node] of now.entries()) {
    const was = kept[index];
    const dom = was?.dom ?? (node.tag ? document.createElement(node.tag) : document.createTextNode(node.text));
    node.dom = dom;
    node.end = was?.end;
    if (dom === place) place = dom.nextSibling;
    else parent.insertBefore(dom, place);
    if (dom instanceof Text) {
      if (dom.data !== node.text) dom.data = node.text;
      continue;
    }
    setProps(dom, was?.props ?? {}, node.props);
    patch(dom, was?.kids ?? [], node.kids, mounted);
    for (const name of LAST) {
      if (name in node.props && Reflect.get(dom, name) !== node.props[name]) Reflect.set(dom, name, node.props[name]);
    }
    const use = node.props.use as ((element: HTMLElement) => Ending) | undefined;
    if (use && !was) {
      mounted.push(() => {
        node.end = use(dom);
      });
    }
  }
}

/** Draws into `root`, which must be empty and nobody else's. */
export function drawer(root: HTMLElement): (content: Child) => void {
  let shown: VNode[] = [];
  let next: { content: Child } | null = null;
  let busy = false;
  return (content) => {
    next = { content };
    // An element that goes can lose the focus, which saves the draft, which draws: that waits its turn.
    if (busy) return;
    busy = true;
    try {
      while (next) {
        const now = nodes([next.content]);
        next = null;
        const mounted: (() => void)[] = [];
        patch(root, shown, now, mounted);
        shown = now;
        for (const mount of mounted) mount();
      }
    } finally {
      busy = false;
    }
  };
}
