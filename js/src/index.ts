/** The widget's module: a factory, so that no state is shared where a host shares the module. */

import { CardView } from "./card.ts";
import { CardModel, type Factory } from "./model.ts";
import { BUILD, factories } from "./registry.ts";

const factory: Factory = () => ({
  render({ model, el, signal }) {
    const life = new AbortController();
    const end = () => life.abort();
    if (signal?.aborted) return end;
    signal?.addEventListener("abort", end, { once: true, signal: life.signal });
    new CardView(new CardModel(model, life.signal), el, life.signal);
    return end;
  },
});

factories()[BUILD] ??= factory;

export default factory;
