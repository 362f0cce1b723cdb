/** What follows from the size of an element, for as long as it is in the page. */

/** Calls `changed` now and whenever the size changes; returns the end of it. */
function watchSize(element: HTMLElement, changed: () => void): () => void {
  changed();
  const observer = new ResizeObserver(changed);
  observer.observe(element);
  return () => observer.disconnect();
}

/** A box that scrolls can be reached by keys; one that does not is no stop on the way. */
const reachable = (element: HTMLElement): void => {
  element.tabIndex = element.scrollHeight > element.clientHeight || element.scrollWidth > element.clientWidth ? 0 : -1;
};

export const scrolls = (element: HTMLElement): (() => void) => watchSize(element, () => reachable(element));

/** A box that never gets shorter than it was, until its width changes: what is below it does not jump. */
export function keepsHeight(element: HTMLElement): () => void {
  let tallest = 0;
  let width = 0;
  return watchSize(element, () => {
    if (element.clientWidth !== width) {
      width = element.clientWidth;
      tallest = 0;
      element.style.minHeight = "";
    }
    tallest = Math.max(tallest, element.offsetHeight);
    element.style.minHeight = `${tallest}px`;
  });
}
