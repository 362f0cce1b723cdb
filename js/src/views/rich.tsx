/** Content that is more than text, as the kernel has rendered it. */

import { SafeHtml } from "../dom/html.tsx";
import type { RichWire } from "../wire.ts";

export function Rich({ rich, name }: { rich: RichWire; name: string }) {
  switch (rich.kind) {
    case "html":
      return <SafeHtml html={rich} name={name} />;
    case "image":
      return <img key={rich.src} class="nbask-image" src={rich.src} alt={rich.alt} />;
    case "frame":
      // No tokens: the document may neither run scripts nor reach the page.
      return <iframe class="nbask-frame" sandbox="" title={rich.title} srcdoc={rich.srcdoc} />;
  }
}
