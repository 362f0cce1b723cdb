"""How tests become the table of `docs/support.md`."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "support.py"


@pytest.fixture(scope="module")
def support() -> Any:
    spec = spec_from_file_location("nbask_support", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def fact(front: str = "nbclassic", kernel: str = "ipykernel 7.4.0", *actions: str, **more: Any) -> dict[str, Any]:
    return {"front": front, "kernel": kernel, "action": actions or ("ask",), "how": "Chromium", "passed": True, **more}


def lines(support: Any, *facts: dict[str, Any]) -> list[str]:
    page = support.page_of(support.rows_of(facts), "")
    return [line for line in page.splitlines() if line.startswith(("|", "1.", "2."))][2:]


def test_what_passed_is_ticked_and_what_nobody_tested_is_not_claimed(support: Any) -> None:
    assert lines(support, fact()) == ["| nbclassic | ipykernel 7.4.0 | ✓ | – | – | – | – | Chromium |"]


def test_one_failure_of_several_is_a_failure_whatever_the_cell_would_say(support: Any) -> None:
    found = lines(support, fact(cell="text"), fact(cell="text", passed=False))
    assert found == ["| nbclassic | ipykernel 7.4.0 | ✗ | – | – | – | – | Chromium |"]


def test_kernels_of_which_the_same_is_said_share_a_row_oldest_first(support: Any) -> None:
    kernels = ("ipykernel 7.10.0", "ipykernel 6.31.0", "ipykernel 7.4.0")
    found = lines(support, *(fact("nbclassic", kernel, "ask", "run all") for kernel in kernels))
    assert found == ["| nbclassic | ipykernel 6.31.0, 7.4.0, 7.10.0 | ✓ | – | – | – | ✓ | Chromium |"]


def test_notes_are_numbered_as_they_are_met_and_said_once(support: Any) -> None:
    found = lines(
        support,
        fact("qtconsole", "a", cell="text", note="By a line."),
        fact("Voilà", "a", "reload", cell="–", note="A new kernel."),
        fact("qtconsole", "a", "await", cell="text", note="By a line."),
    )
    assert found == [
        "| Voilà | a | – | – | –<sup>1</sup> | – | – | Chromium |",
        "| qtconsole | a | text<sup>2</sup> | text<sup>2</sup> | – | – | – | Chromium |",
        "1. A new kernel.",
        "2. By a line.",
    ]


def test_tests_that_say_different_things_of_one_cell_are_refused(support: Any) -> None:
    with pytest.raises(ValueError, match=r"nbclassic say \['text', '✓'\]"):
        support.rows_of([fact(), fact(cell="text")])
