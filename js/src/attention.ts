/** Marks the browser tab while a card in this page waits for its person. */

const MARK = "● ";
const KEY = Symbol.for("nbask.attention");

/** Shared by every bundle in the page, whatever its version: only the count and what ends the mark. */
interface Attention {
  count: number;
  stop?: () => void;
}

function start(): () => void {
  const titles = () => [...document.head.getElementsByTagName("title")].slice(0, 1);
  const mark = () => {
    // A host that writes the title again loses the mark; it gets it back, and its own words stay as they are.
    for (const title of titles()) if (!title.text.startsWith(MARK)) title.text = MARK + title.text;
  };
  mark();
  const observer = new MutationObserver(mark);
  observer.observe(document.head, { childList: true, characterData: true, subtree: true });
  return () => {
    observer.disconnect();
    for (const title of titles()) if (title.text.startsWith(MARK)) title.text = title.text.slice(MARK.length);
  };
}

/** Asks for attention until the function it returns is called. */
export function attend(): () => void {
  const page: typeof globalThis & { [KEY]?: Attention } = globalThis;
  page[KEY] ??= { count: 0 };
  const shared = page[KEY];
  shared.count += 1;
  if (shared.count === 1) shared.stop = start();
  let done = false;
  return () => {
    if (done) return;
    done = true;
    shared.count -= 1;
    if (shared.count === 0) shared.stop?.();
  };
}
