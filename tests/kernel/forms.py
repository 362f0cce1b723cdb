"""The three ways in which code in a cell asks and waits."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Form:
    """One way of asking: `cell` is the cell's code, in which the answer becomes `answer`."""

    name: str
    template: str

    def cell(self, call: str = 'ask("Red or blue?", ["Red", "Blue"])', then: str = "print('FIRST', answer)") -> str:
        return self.template.format(call=call, then=then)

    def __str__(self) -> str:
        return self.name


SYNC = Form("sync", "answer = {call}\n{then}")
AWAIT = Form("await", "from nbask import aio\nanswer = await aio.{call}\n{then}")
# The main thread is blocked in join(), outside nbask, while the worker waits.
THREAD = Form(
    "thread",
    "got = []\nworker = threading.Thread(target=lambda: got.append({call}))\n"
    "worker.start()\nworker.join()\nanswer = got[0]\n{then}",
)
FORMS = [SYNC, AWAIT, THREAD]

LATER = '''
def later(*question):
    """Ask from a thread, once the cell that starts it has ended; what came of it is appended to the list returned."""
    ended, got = threading.Event(), []

    def note(_result):
        get_ipython().events.unregister("post_run_cell", note)
        ended.set()

    def work():
        ended.wait()
        got.append(put(Ask(Question(*question))))

    get_ipython().events.register("post_run_cell", note)
    threading.Thread(target=work, daemon=True).start()
    return got

def wait_for(got, count=1):
    while len(got) < count:
        time.sleep(0.01)
    return got
'''
"""What a thread that outlives its cell does."""
