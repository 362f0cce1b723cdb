/** The widget's module: a factory, so that no state is shared where a host shares the module. */

import { CardView } from "./card.ts";
import { lasting, ViewModel } from "./model.ts";
import { BUILD, factories } from "./registry.ts";

const factory = lasting((model, el, signal) => new CardView(new ViewModel(model, signal), el, signal));

factories()[BUILD] ??= factory;

export default factory;
