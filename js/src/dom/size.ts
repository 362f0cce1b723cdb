/** What follows from the size of an element, for as long as it is in the page. */

/** A box that scrolls can be reached by keys; one that does not is no stop on the way. Returns the end of that. */
export function scrolls(element: HTMLElement): () => void {
  const reachable = () => {
    const more = element.scrollHeight > element.clientHeight || element.scrollWidth > element.clientWidth;
    element.tabIndex = more ? 0 : -1;
  };
  reachable();
  const observer = new ResizeObserver(reachable);
  observer.observe(element);
  return () => observer.disconnect();
}
