"""`card_paint_over_ipywidgets`: from comm_open to what it shows being painted, in real JupyterLab in Chromium, over the
same question built of ipywidgets; and `key_to_paint_over_bare`: from a key to its character, in a card with a preview
of 5,000 lines beside the field, over the same card without it.

The page notes both ends itself: the first comm_open at its socket's own event, and the end of the first frame in which
all of the question is in the page: the first task after the next animation frame. (Without the browser's 60 frames a
second, figures would not be rounded to them, but its drawing of thousands takes the time of what is measured.) The code
of both is in the page before the first round that counts: the first card's once a session, JupyterLab's own bundle of
ipywidgets once a page.
"""

from __future__ import annotations

from collections.abc import Iterator

from figures import ASK, OPTIONS, QUESTION, WIDGETS, Figure, ratio
from lab import SETUP, Lab, chromium
from server import LabServer

ROUNDS, WARM_UP = 16, 2
CARDS, KEYS = 2, 20

WATCH = """
(() => {
  const bench = (globalThis.nbaskBench = {opened: 0, painted: 0, keys: []});
  const afterPaint = note => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => note(performance.now());
    channel.port2.postMessage(null);
  });
  const opens = data => {
    const text = typeof data === 'string' ? data : new TextDecoder().decode(data);
    return text.includes('"comm_open"');
  };
  globalThis.WebSocket = class extends WebSocket {
    constructor(...given) {
      super(...given);
      this.addEventListener('message', ({data}) => {
        if (!bench.opened && opens(data)) bench.opened = performance.now();
      });
    }
  };
  bench.start = parts => {
    bench.opened = bench.painted = 0;
    const there = () => parts.every(([selector, count]) => document.querySelectorAll(selector).length >= count);
    const watcher = new MutationObserver(() => {
      if (!bench.opened || !there()) return;
      watcher.disconnect();
      afterPaint(at => { bench.painted = at; });
    });
    watcher.observe(document.body, {childList: true, subtree: true});
  };
  document.addEventListener('keydown', () => {
    const at = performance.now();
    afterPaint(painted => bench.keys.push(painted - at));
  }, true);
})();
"""
CARD = [[".nbask .nbask-opt", 2], [".nbask .nbask-foot button", 3]]
BY_HAND = [[".widget-radio-box input", 2], [".widget-text input", 2], [".widget-button", 3]]

BESIDE = f"""
lines = "\\n".join(f"line {{number}}: a word or two of it" for number in range(5000))
ask({QUESTION!r}, [Option("Postgres", preview=lines), Option("SQLite")], notes=True)
"""
BARE = f"ask({QUESTION!r}, ['Postgres', 'SQLite'], notes=True)"


def measure() -> Iterator[Figure]:
    server = LabServer()
    try:
        with chromium() as browser:
            lab = Lab(server, browser)
            lab.page.add_init_script(WATCH)
            lab.open_cells(SETUP)
            lab.run_cell(0)
            lab.wait_idle()
            yield _painting(lab)
            yield _typing(lab)
            lab.close()
    finally:
        server.stop()


def _painting(lab: Lab) -> Figure:
    cards, by_hand = [], []
    for _ in range(WARM_UP + ROUNDS):
        at, milliseconds = _paint(lab, ASK, CARD)
        cards.append(milliseconds)
        _answer(lab, at)
        at, milliseconds = _paint(lab, WIDGETS, BY_HAND)
        by_hand.append(milliseconds)
        _clear(lab, at)
    return ratio("card_paint_over_ipywidgets", cards[WARM_UP:], by_hand[WARM_UP:])


def _paint(lab: Lab, code: str, parts: list[list[object]]) -> tuple[int, float]:
    """Run a cell; returns its index, and the milliseconds from comm_open to paint."""
    lab.page.evaluate("parts => nbaskBench.start(parts)", parts)
    at = lab.put(code)
    lab.page.wait_for_function("nbaskBench.painted > 0")
    return at, lab.page.evaluate("nbaskBench.painted - nbaskBench.opened")


def _answer(lab: Lab, at: int) -> None:
    card = lab.card(at)
    card.choose(OPTIONS[0])
    card.submit()
    lab.expect_receipt(at, OPTIONS[0])
    lab.wait_idle()


def _clear(lab: Lab, at: int) -> None:
    """Take the output away, so that the next one's parts are counted alone."""
    lab.select_cell(at)
    lab.page.evaluate("window.jupyterapp.commands.execute('notebook:clear-cell-output')")
    lab.page.wait_for_function("document.querySelectorAll('.widget-button').length === 0")


def _typing(lab: Lab) -> Figure:
    beside, bare = [], []
    for _ in range(CARDS):
        beside += _keys(lab, BESIDE)
        bare += _keys(lab, BARE)
    return ratio("key_to_paint_over_bare", beside, bare)


def _keys(lab: Lab, code: str) -> list[float]:
    """Milliseconds from each key to its character's being painted, in the notes of this cell's card."""
    at = lab.put(code)
    card = lab.card(at)
    card.choose("Postgres")
    card.notes_field.click()
    lab.page.evaluate("nbaskBench.keys.length = 0")
    for pressed in range(1, KEYS + 1):
        lab.page.keyboard.press("a")
        lab.page.wait_for_function("pressed => nbaskBench.keys.length === pressed", arg=pressed)
    card.press("Decline")
    lab.wait_idle()
    return lab.page.evaluate("nbaskBench.keys")
