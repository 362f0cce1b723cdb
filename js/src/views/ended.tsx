/** A view that outlives its card: how the ask ended, as the kernel's receipt says it. */

import { SafeHtml } from "../dom/html.tsx";
import type { EndedWire } from "../wire.ts";

export const Ended = ({ phase }: { phase: EndedWire }) => <SafeHtml html={phase.receipt} name="nbask-ended" />;
