"""What `scripts/demo` does once everything is there; run that instead.

It has `tests/browser` on its path: the tests' way of using JupyterLab is the only one there is.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import sys
import threading
import uuid
import webbrowser
from pathlib import Path

from lab import Lab, chromium
from playwright.sync_api import Error as PlaywrightError
from server import FOR_TESTS, QUIET, LabServer
from tour import TourError, click_through

ROOT = Path(__file__).parents[1]
TOUR = "01-first-question.ipynb"
LIMIT_S = 180


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/demo", description="Open the tour of nbask in JupyterLab.")
    parser.add_argument("--check", action="store_true", help="click through it in headless Chromium instead")
    check = parser.parse_args().check
    try:
        server = LabServer(FOR_TESTS if check else QUIET)
    except RuntimeError as error:
        return fail(str(error))
    try:
        for notebook in sorted((ROOT / "notebooks").glob("*.ipynb")):
            shutil.copy(notebook, server.root)
        return check_tour(server) if check else show_tour(server)
    finally:
        server.stop()


def show_tour(server: LabServer) -> int:
    """Keep the server up until it is stopped."""
    url = server.page_url(TOUR, uuid.uuid4().hex[:8])
    print(
        f"nbask: the tour is at {url}\nnbask: Ctrl+C ends it; changes to the notebooks there are not kept", flush=True
    )
    if sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(url)
    with contextlib.suppress(KeyboardInterrupt):
        server.wait()
    return 0


def check_tour(server: LabServer) -> int:
    """Click through the tour as a person would, and say what was asked, clicked and returned."""
    watchdog = threading.Timer(LIMIT_S, out_of_time, [server])
    watchdog.daemon = True
    watchdog.start()
    try:
        with chromium() as browser:
            lab = Lab(server, browser)
            lab.open(TOUR)
            steps = click_through(lab)
    except (TourError, AssertionError, PlaywrightError, OSError) as error:
        return fail(f"{TOUR} did not work in JupyterLab: {error}")
    finally:
        watchdog.cancel()
    if not steps:
        return fail(f"{TOUR} asked nothing.")
    for step in steps:
        for asked, clicked in zip(step.asked, step.clicked, strict=True):
            print(f"asked:    {asked}\nclicked:  {clicked}")
        print(f"returned: {step.returned or '(the cells printed nothing)'}\n")
    print(f"nbask: {len(steps)} of {len(steps)} cards answered in real JupyterLab, and every cell ran")
    return 0


def out_of_time(server: LabServer) -> None:
    """Every wait has its own bound; this one is for their sum, and for what hangs all the same."""
    fail(f"{TOUR} took longer than {LIMIT_S} s in JupyterLab.")
    server.stop()
    os._exit(1)  # the main thread may be stuck


def fail(sentence: str) -> int:
    print(f"nbask: {sentence}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
