import { describe, expect, it, vi } from "vitest";
import { type Child, drawer, Fragment, h } from "../src/dom/h.ts";

function holder() {
  const root = document.body.appendChild(document.createElement("div"));
  return { root, draw: drawer(root) };
}
const list = (...keys: string[]): Child => keys.map((key) => h("i", { key, id: key }, key));

describe("drawing", () => {
  it("makes elements, text and attributes, and leaves out what is nothing", () => {
    const { root, draw } = holder();
    draw(
      h("p", { class: "a", title: undefined, hidden: false, "aria-busy": false, lang: null }, "x", null, false, 0, ""),
    );
    expect(root.innerHTML).toBe('<p class="a" aria-busy="false">x0</p>');
    draw(h("p", { hidden: true, "aria-busy": true }, h(Fragment, null, "y", [h("b", null, "z")])));
    expect(root.innerHTML).toBe('<p aria-busy="true" hidden="">y<b>z</b></p>');
  });

  it("text is text", () => {
    const { root, draw } = holder();
    draw(h("p", { title: '"><img src=x>' }, "<img src=x>"));
    expect(root.querySelectorAll("*")).toHaveLength(1);
    expect(root.textContent).toBe("<img src=x>");
  });

  it("keeps an element by its key through every order, and by its place without one", () => {
    const { root, draw } = holder();
    draw(list("a", "b", "c", "d"));
    const at = Object.fromEntries([...root.children].map((element) => [element.id, element]));
    for (const order of ["dcba", "bd", "abcd", "d", "cad", "abcd"]) {
      draw(list(...order));
      expect([...root.children].map((element) => element.id).join("")).toBe(order);
    }
    draw(list("a", "d"));
    expect(root.firstElementChild).not.toBe(at.a);
    expect(root.lastElementChild).toBe(at.d);
  });

  it("leaves the focus and what is typed where they are when something before them comes or goes", () => {
    const { root, draw } = holder();
    const field = h.bind(null, "input", { key: "field", value: "typed" });
    draw([field()]);
    root.querySelector("input")?.focus();
    draw([h("p", null, "new"), field()]);
    expect(document.activeElement).toBe(root.querySelector("input"));
    draw([field()]);
    expect(document.activeElement).toBe(root.querySelector("input"));
  });

  it("sets value and checked against what is in the page, not against what was drawn", () => {
    const { root, draw } = holder();
    const drawn = () => draw(h("input", { type: "text", value: "a" }));
    drawn();
    const [field] = root.getElementsByTagName("input");
    if (!field) throw new Error("no field");
    field.value = "typed since";
    drawn();
    expect(field.value).toBe("a");
  });

  it("has one handler at a time, and none when it is taken away", () => {
    const { root, draw } = holder();
    const [first, second] = [vi.fn(), vi.fn()];
    draw(h("button", { onClick: first }));
    draw(h("button", { onClick: second }));
    root.querySelector("button")?.click();
    draw(h("button", null));
    root.querySelector("button")?.click();
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([0, 1]);
    expect(root.innerHTML).toBe("<button></button>");
  });

  it("hands over an element once, in the page, and ends with it however deep it is", () => {
    const { root, draw } = holder();
    const end = vi.fn();
    const use = vi.fn((element: HTMLElement) => (element.isConnected ? end : undefined));
    const drawn = () => draw(h("div", null, h("div", null, h("p", { use }))));
    drawn();
    drawn();
    expect([use.mock.calls.length, end.mock.calls.length]).toEqual([1, 0]);
    draw(null);
    expect([root.childNodes.length, end.mock.calls.length]).toEqual([0, 1]);
  });

  it("draws what was asked for while it drew when it is done", () => {
    const { root, draw } = holder();
    const use = () => {
      draw(h("p", null, "second"));
      return undefined;
    };
    draw(h("p", { use }, "first"));
    expect(root.textContent).toBe("second");
  });

  it("calls a view where it is written, with its children, and gives it its key", () => {
    const { root, draw } = holder();
    const View = ({ name, children }: { name: string; children?: Child }) => h("p", { title: name }, children);
    draw([h(View, { key: "a", name: "A" }, "x"), h(View, { key: "b", name: "B" })]);
    const b = root.lastElementChild;
    draw([h(View, { key: "b", name: "B" })]);
    expect(root.firstElementChild).toBe(b);
  });
});
