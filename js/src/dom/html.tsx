/**
 * The one place where a string becomes HTML. Only what the kernel's renderer has sanitised comes here
 * (`HtmlWire`); everything else is text.
 */

import type { HtmlWire } from "../wire.ts";

export function SafeHtml({ html, name }: { html: HtmlWire; name: string }) {
  return <div class={name} dir="auto" dangerouslySetInnerHTML={{ __html: html.html }} />;
}
