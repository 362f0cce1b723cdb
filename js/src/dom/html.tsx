/**
 * The one place where a string becomes HTML. Only what the kernel's renderer has sanitised comes here
 * (`HtmlWire`); everything else is text.
 */

import type { HtmlWire } from "../wire.ts";

export function SafeHtml({ html, name }: { html: HtmlWire; name: string }) {
  const fill = (element: HTMLElement) => {
    element.innerHTML = html.html;
    return undefined;
  };
  // Other HTML is another element: what is in this one is never looked at again.
  return <div key={html.html} class={name} dir="auto" use={fill} />;
}
