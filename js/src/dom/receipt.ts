/** Hands the focus on to the static receipt that takes a card's place. */

const WAIT = 3000;

/**
 * Moves the focus to the receipt once the kernel has put it in the page. It outlives the view, which
 * goes as the receipt comes, so it bounds itself; and it leaves alone a focus that has gone elsewhere.
 */
export function focusReceipt(ask: string, root: HTMLElement): void {
  const area = root.closest(".jp-OutputArea");
  const move = (): boolean => {
    const here = area?.isConnected ? area : document;
    const receipt = [...here.getElementsByClassName(`nbask-receipt nbask-${ask}`)].find((it) => !root.contains(it));
    if (!(receipt instanceof HTMLElement)) return false;
    const now = document.activeElement;
    // The focus falls back to something around the card when the card goes: that is not a move elsewhere.
    if (!now || now.contains(receipt) || root.contains(now)) {
      receipt.tabIndex = -1;
      receipt.focus({ preventScroll: true });
    }
    return true;
  };
  if (move()) return;
  const observer = new MutationObserver(() => {
    if (move()) stop();
  });
  const timer = setTimeout(() => observer.disconnect(), WAIT);
  const stop = () => {
    clearTimeout(timer);
    observer.disconnect();
  };
  observer.observe(document.body, { childList: true, subtree: true });
}
