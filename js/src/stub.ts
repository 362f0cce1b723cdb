/** What cards after the first carry instead of the code: finds it in the page, or asks the kernel for it. */

import type { RenderProps } from "./model.ts";
import { BUILD, factories } from "./registry.ts";
import type { CodeWire } from "./wire.ts";

const LOST = "This card's code could not be loaded. Run %nbask pending in a cell once the kernel is free.";
// The id under which anywidget itself keeps the first card's CSS.
const STYLE = "nbask.fronts.card.Card";

export default () => ({
  render(props: RenderProps): () => void {
    const { model, el, signal } = props;
    const known = factories()[BUILD];
    if (known) return known().render(props);
    let end = (): void => {
      end = () => {};
      clearTimeout(timer);
      model.off("msg:custom", received);
    };
    const received = async (message: unknown): Promise<void> => {
      const code = message as CodeWire | null;
      if (code?.type !== "code") return;
      end();
      let gone = false;
      end = () => {
        gone = true;
      };
      if (!document.getElementById(STYLE)?.textContent) {
        const style = document.createElement("style");
        style.id = STYLE;
        style.textContent = code.css;
        document.head.append(style);
      }
      const url = URL.createObjectURL(new Blob([code.esm], { type: "text/javascript" }));
      try {
        const module = await import(url);
        if (!gone) end = module.default().render(props);
      } catch {
        el.textContent = LOST;
      }
      URL.revokeObjectURL(url);
    };
    const timer = setTimeout(() => {
      end();
      el.textContent = LOST;
    }, 10_000);
    model.on("msg:custom", received);
    model.send({ type: "code" });
    const stop = () => end();
    signal?.addEventListener("abort", stop, { once: true });
    return stop;
  },
});
