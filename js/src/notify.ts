/** A desktop notification of a question in a page that nobody looks at; only by the person's own wish. */

import type { AskWire } from "./wire.ts";

const may = (): NotificationPermission | null => (typeof Notification === "undefined" ? null : Notification.permission);

/** Whether the browser would ask the person first. */
export const canEnable = (): boolean => may() === "default";

/** Asks the browser; `done` is called when the person has answered it. */
export const enable = (done: () => void): void => void Notification.requestPermission().then(done, done);

export function notify({ id, asker, questions, notify: wanted }: AskWire): () => void {
  if (!wanted || may() !== "granted" || !document.hidden) return () => {};
  try {
    // The tag makes several views of one ask one notification.
    const shown = new Notification(asker.label, { body: questions[0]?.text ?? "", tag: `nbask-${id}` });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
    return () => shown.close();
  } catch {
    // Some browsers have the name and let only service workers use it.
    return () => {};
  }
}
