/** The way from a card in the inbox to the same card under its cell. */

/** Where a card is shown that is under no cell: in an inbox, or in a cell's output that is put beside the notebook. */
const BESIDE = ".nbask-inbox, .jp-LinkedOutputView";
/** How often the notebook is scrolled on for a cell, and how long it has each time to show what is there. */
const SCREENS = 200;
const PAUSE = 50;

/** JupyterLab's windowed notebook hides a cell that is out of view, until the notebook is scrolled there. */
const isWindowed = (cell: HTMLElement | null): boolean => cell?.style.display === "none" || cell?.style.opacity === "0";

const cellOf = (card: HTMLElement): HTMLElement | null => card.closest(".jp-Cell");

/** The ask's card under a cell of this page, if there is one that can be gone to. */
export function cardInCell(ask: string): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>(".nbask")].find((card) => {
    if (card.dataset.ask !== ask || card.closest(BESIDE)) return false;
    const cell = cellOf(card);
    // A notebook in a tab that is not in front shows no card, nor does an output that is folded away.
    return (isWindowed(cell) ? cell?.parentElement : card)?.checkVisibility();
  });
}

/** Scrolls there, and puts the focus on the card. */
export async function goTo(card: HTMLElement): Promise<void> {
  const cell = cellOf(card);
  if (cell && isWindowed(cell)) await bringIn(cell);
  card.scrollIntoView({ block: "center" });
  card.focus({ preventScroll: true });
}

/** Scrolls by screens until the notebook shows the cell: how far off it is, nothing in the page tells. */
async function bringIn(cell: HTMLElement): Promise<void> {
  const scroller = cell.closest(".jp-WindowedPanel-outer");
  for (let left = SCREENS; scroller?.isConnected && left > 0 && isWindowed(cell); left -= 1) {
    const shown = [...scroller.querySelectorAll<HTMLElement>(".jp-Cell")].find((one) => !isWindowed(one));
    const before = shown && cell.compareDocumentPosition(shown) & Node.DOCUMENT_POSITION_FOLLOWING;
    scroller.scrollTop += before ? -scroller.clientHeight : scroller.clientHeight;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}
