import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { BUILD, factories } from "../src/registry.ts";
import stub from "../src/stub.ts";
import { asking, FakeModel, golden, question } from "./helpers.ts";

const LOST = "This card's code could not be loaded. Run %nbask pending in a cell once the kernel is free.";

beforeEach(() => {
  vi.useFakeTimers();
  delete factories()[BUILD];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.head.replaceChildren();
});

function shown(signal?: AbortSignal) {
  const model = new FakeModel(asking(question({})));
  const el = document.createElement("div");
  const end = stub().render({ model, el, signal });
  return { model, el, end };
}

/** Blob URLs stand for the code they carry: here, for a module that tells of each render. */
function modules(source: string) {
  vi.stubGlobal("Blob", class {});
  URL.createObjectURL = () => `data:text/javascript,${encodeURIComponent(source)}`;
  URL.revokeObjectURL = vi.fn();
}

describe("a stub", () => {
  it("draws with the code the page already has", () => {
    const render = vi.fn(() => () => {});
    factories()[BUILD] = () => ({ render });
    const { model, el } = shown();
    expect(render).toHaveBeenCalledWith({ model, el, signal: undefined });
    expect(model.sent).toEqual([]);
  });

  it("asks the kernel for the code after a reload, and draws with what comes", async () => {
    modules(
      "export default () => ({ render({ el }) { el.textContent = 'drawn'; return () => { el.textContent = 'gone'; }; } });",
    );
    const { model, el, end } = shown();
    expect(model.sent).toEqual([{ type: "code" }]);
    model.emit("msg:custom", { type: "refused" });
    model.emit("msg:custom", golden("code"));
    vi.useRealTimers();
    await vi.waitFor(() => expect(el.textContent).toBe("drawn"));
    expect(document.getElementById("nbask.fronts.card.Card")?.textContent).toBe(".nbask { color: inherit }");
    expect(model.listeners).toBe(0);
    end();
    expect(el.textContent).toBe("gone");
  });

  it("leaves the style of the first card alone", async () => {
    modules("export default () => ({ render({ el }) { el.textContent = 'drawn'; } });");
    const style = document.head.appendChild(document.createElement("style"));
    style.id = "nbask.fronts.card.Card";
    style.textContent = ".nbask { color: red }";
    const { model, el } = shown();
    model.emit("msg:custom", golden("code"));
    vi.useRealTimers();
    await vi.waitFor(() => expect(el.textContent).toBe("drawn"));
    expect(document.querySelectorAll("style")).toHaveLength(1);
    expect(style.textContent).toBe(".nbask { color: red }");
  });

  it("says so when no code comes within ten seconds, or none that runs", async () => {
    const { model, el } = shown();
    vi.advanceTimersByTime(9_999);
    expect(el.textContent).toBe("");
    vi.advanceTimersByTime(1);
    expect([el.textContent, model.listeners]).toEqual([LOST, 0]);
    modules("export default (");
    const broken = shown();
    broken.model.emit("msg:custom", golden("code"));
    vi.useRealTimers();
    await vi.waitFor(() => expect(broken.el.textContent).toBe(LOST));
  });

  it("that goes before the code comes leaves nothing behind", () => {
    const host = new AbortController();
    const { model, el, end } = shown(host.signal);
    host.abort();
    end();
    vi.advanceTimersByTime(10_000);
    expect([model.listeners, vi.getTimerCount(), el.textContent]).toEqual([0, 0, ""]);
  });
});
