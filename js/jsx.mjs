// What JSX becomes in the built bundle; see build.mjs.
export { Fragment, h } from "./src/dom/h.ts";
